# `make` lists the targets. Each is one command of manage.py or one tool; set-up happens by itself.
PYTHON ?= python3
PY := .venv/bin/python
GAME ?= ra
GAMES ?= 1000
HOSTILE ?= 5
FUZZ_ROUNDS ?= 8
FUZZ_SEED ?= 2
ARGS ?=
# A run starts a hundred processes; they share compiled bytecode, in this run and the next.
export PYTHONPYCACHEPREFIX := $(CURDIR)/.venv/bytecode
export PYTHONDONTWRITEBYTECODE :=
CODE := archives clients games portal rules_docs voice tests tools manage.py

.DEFAULT_GOAL := help
.PHONY: fast slow previews check-rules help install test-install run test check fmt types lint fuzz dataset bench load bench-standings bench-tables bench-clocks bench-pages bench-archives chaos ladder golden browser messages rules-coverage seed backup restore lock hostile fuzz-api first-bot

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s%s\n", $$1, $$2}' Makefile

install: ## prepare .venv from requirements.lock
	@PYTHONPYCACHEPREFIX= "$(PYTHON)" tools/bootstrap.py

test-install:
	@PYTHONPYCACHEPREFIX= "$(PYTHON)" tools/bootstrap.py --test

run: install ## start the portal on PORT (8000); Ctrl-C stops it
	@exec $(PY) manage.py up

test: check ## check, then the whole suite, browser included (ARGS= for pytest)
	@$(PY) -m pytest -n 3 $(ARGS)

check: test-install ## what must hold before a commit, without the tests
	@$(MAKE) -s -j 2 lint types

fmt: test-install ## format code and templates
	@$(PY) -m ruff check -q --fix-only $(CODE)
	@$(PY) -m ruff format -q $(CODE)
	@$(PY) -m tools.template_layout

check-rules: test-install ## what is wrong, missing or out of date in the rule books, in plain words (ARGS= for games and --lang)
	@$(PY) manage.py check_rules $(ARGS)

lint: test-install ## ruff, layers, templates, locks, words
	@$(PY) -m ruff check -q $(CODE)
	@$(PY) -m ruff format -q --check $(CODE)
	@$(PY) -c "from importlinter.cli import lint_imports_command as main; main()" --no-cache >.venv/imports.log || { cat .venv/imports.log; exit 1; }
	@$(PY) -m djlint templates --lint --quiet
	@$(PY) -m tools.template_layout --check
	@! grep -n '://' requirements*.lock
	@$(PY) -m tools.words
	@$(PY) manage.py check_rules --faults >.venv/rules.log || { cat .venv/rules.log; exit 1; }
	@$(PY) manage.py rules_coverage --held --check >.venv/held.log 2>&1 || { cat .venv/held.log; exit 1; }
	@$(PY) manage.py ladder --check
	@$(PY) manage.py messages --check >.venv/messages.log || { cat .venv/messages.log; exit 1; }

types: test-install ## mypy: strict in games/
	@$(PY) -m mypy

browser: test-install ## the browser journeys alone
	@$(PY) -m pytest tests/browser $(ARGS)

golden: test-install ## recorded games of GAME (ra) against the rules of today
	@$(PY) -m pytest -q tests/engine/test_golden.py -k "$(GAME)" $(ARGS)

rules-coverage: install ## which tests and examples show each paragraph of the rule books
	@$(PY) manage.py rules_coverage $(ARGS)

fuzz: install ## random games of GAME (ra), checked move by move
	@$(PY) manage.py fuzz $(GAME) $(ARGS)

dataset: install ## GAMES (1000) games of GAME (ra) that bots play among themselves, as an archive (ARGS="--help")
	@$(PY) manage.py dataset $(GAME) --games $(GAMES) $(ARGS)

hostile: test-install ## more hostile requests to every page and the API than the suite sends (HOSTILE=5 of each sort)
	@HOSTILE=$(HOSTILE) $(PY) -m pytest -n 2 tests/portal/hostile tests/portal/api/test_schema.py $(ARGS)

fuzz-api: test-install ## a longer walk through the API while all games are played (FUZZ_ROUNDS=8 at each moment, FUZZ_SEED=2)
	@FUZZ_ROUNDS=$(FUZZ_ROUNDS) FUZZ_SEED=$(FUZZ_SEED) $(PY) -m pytest -q -s --reruns 0 tests/portal/api/test_stateful.py $(ARGS)

first-bot: test-install ## docs/first_bot.md to the letter, in an empty folder, with packages from the configured index
	@$(PY) -m tools.first_bot

bench: install ## figures of the engines
	@$(PY) manage.py bench $(ARGS)

load: install ## people at tables of the running portal SITE (http://127.0.0.1:8000), and how it answers (ARGS=)
	@$(PY) -m tools.load $(SITE) $(ARGS)

bench-standings: install ## leaderboards and recounts with a million games; wants a running portal
	@$(PY) manage.py bench_standings $(ARGS)

bench-tables: install ## the table service with a million tables; wants a running portal
	@$(PY) manage.py bench_tables $(ARGS)

bench-clocks: install ## what clocks cost while nobody moves; wants a running portal
	@$(PY) manage.py bench_clocks $(ARGS)

bench-archives: install ## archives of a hundred thousand games, read back and compared; wants a running portal
	@$(PY) manage.py bench_archives $(ARGS)

bench-pages: test-install ## how soon the tables of the running portal SITE answer in a browser (ARGS="--help")
	@$(PY) -m tools.pages $(SITE) $(ARGS)

chaos: test-install ## a portal of its own loses one part after another while people play (ARGS="--help")
	@$(PY) -m tools.chaos $(ARGS)

fast: test-install ## compile engines and bots, an option that needs a C compiler (ARGS="--help")
	@$(PY) -m tools.compiled $(ARGS)

slow: test-install ## remove what `make fast` made
	@$(PY) -m tools.compiled --undo $(ARGS)

ladder: install ## each bot level against the one below it (ARGS="--help"); masters learn by manage.py train and meet in manage.py hall
	@$(PY) manage.py ladder $(ARGS)

previews: test-install ## the pictures that other sites show beside links to the rules, from the running portal SITE
	@$(PY) -m tools.previews $(SITE)

messages: install ## gather the sentences of code and templates into locale/
	@$(PY) manage.py messages $(ARGS)

seed: install ## demo people, tables and a club in the running portal; prints their passwords
	@$(PY) manage.py seed_demo --yes $(ARGS)

backup: install ## a backup of the running portal, into var/backups/ (ARGS= for a name)
	@$(PY) manage.py backup $(ARGS)

restore: install ## put the backup FILE in the place of the present data; stop the portal first
	@$(PY) manage.py restore "$(FILE)" $(ARGS)

lock: test-install ## write the locks again from pyproject.toml
	@.venv/bin/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --upgrade -o requirements.lock pyproject.toml
	@.venv/bin/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --upgrade --extra test -c requirements.lock -o requirements-test.lock pyproject.toml
