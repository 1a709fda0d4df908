"""Settings of the portal, all from the environment (docs/configuration.md has the table)."""

from __future__ import annotations

import importlib
import os
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import environ
from celery.schedules import crontab, schedule
from csp.constants import NONE, SELF
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.retry import Retry

from portal.common.logs import logging_config
from portal.configuration import (
    CLIENT_NOTICES,
    broker_url,
    database_session,
    is_remote,
    redis_database,
    state_folder,
    web_processes,
    worker_options,
)
from portal.supervisor.ports import local_name
from portal.supervisor.state import State

env = environ.Env()
env.ENVIRON = {name: value for name, value in os.environ.items() if value}  # an empty value counts as not set
BASE_DIR = Path(__file__).resolve().parent.parent
STATE = State.of(state_folder(env.ENVIRON))
STATE_DIR = STATE.folder
ARCHIVES_DIR = STATE_DIR / "archives"

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="") or STATE.secret("secret_key")
HOST = env.str("HOST", default="127.0.0.1")
PORT = env.int("PORT", default=8000)
BASE_URL = env.str("BASE_URL", default=f"http://{local_name(HOST)}:{PORT}").rstrip("/")
ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]", *env.list("ALLOWED_HOSTS", default=[HOST, urlsplit(BASE_URL).hostname])]
CSRF_TRUSTED_ORIGINS = [BASE_URL]
SMALL = env.bool("SMALL", default=False)
WEB_PROCESSES = env.int("WEB_PROCESSES", default=web_processes(small=SMALL))
BOT_PROCESSES = env.int("BOT_PROCESSES", default=1)
RECALL_MS = env.int("RECALL_MS", default=2000)  # how long a move that can't be undone waits for a second thought
BACKUP_EVERY_H = env.int("BACKUP_EVERY_H", default=24)  # 0: never
BACKUP_KEEP = env.int("BACKUP_KEEP", default=7)

INSTALLED_APPS = [
    "portal.site",
    "portal.people",
    "portal.contests",
    "portal.archives",
    "portal.bots",
    "portal.matches",
    "portal.ratings",
    "portal.studies",
    "portal.positions",
    "portal.talk",
    "portal.matching",
    "portal.tables",
    "portal.clubs",
    "portal.friends",
    "portal.notices",
    "oauth2_provider",  # before accounts, which take its pages out of the admin
    "portal.accounts",
    "portal.common",
    "rules_docs",
    "voice",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django_htmx",
    "template_partials",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "axes",
    "csp",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]
MIDDLEWARE = [
    "portal.common.measuring.Measured",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "portal.common.middleware.KeepCookiesToReader",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "portal.site.middleware.StatusForAll",
    "portal.accounts.middleware.LanguageMiddleware",
    "portal.common.middleware.ProblemsOfApi",
    "portal.accounts.sign_ins.NoteSignIns",
    "portal.common.middleware.KeepToReader",
    "portal.common.middleware.RefuseNul",
    "portal.common.middleware.RefuseOddAdminQueries",
    "portal.common.middleware.RefuseTooMany",
    "portal.site.middleware.RefuseInMaintenance",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "axes.middleware.AxesMiddleware",
    "portal.common.visitors.KeepForVisitors",
]
# Pages that visitors without a session get alike: for how many seconds one may be given to all of them (`portal.common.visitors`).
VISITOR_PAGES: dict[str, float] = {
    **dict.fromkeys(("home", "lobby", "table", "leaderboard", "profile", "clubs"), 1.0),
    **dict.fromkeys(("rules:shelf", "rules:book", "rules:chapter", "how"), 5.0),
    **dict.fromkeys(("about", "help", "privacy", "terms", "contact"), 5.0),
}
VISITOR_PAGES_BYTES = 8_000_000
ROOT_URLCONF = "portal.urls"
WSGI_APPLICATION = "portal.wsgi.application"
_LOADERS = ["portal.common.layout.Loader", "django.template.loaders.app_directories.Loader"]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [("template_partials.loader.Loader", [("django.template.loaders.cached.Loader", _LOADERS)])],
            "builtins": ["portal.common.quick.builtins"],
            "libraries": {"i18n": "portal.common.quick.i18n", "static": "portal.common.quick.static"},
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
                "portal.common.context.site",
            ],
        },
    }
]

DATABASES = {"default": env.db("DATABASE_URL", default=STATE.database_url())}
_options = DATABASES["default"].setdefault("OPTIONS", {})
_options.setdefault("connect_timeout", 5)
_options.setdefault("prepare_threshold", 2)  # for `portal.common.prepared`: prepared on the third use in a connection
if is_remote(DATABASES["default"]):
    for _name, _value in CLIENT_NOTICES.items():
        _options.setdefault(_name, _value)
# The supervisor tells each of its processes what its work is; for its forks, `portal.common.loaded` repeats this.
DATABASE_SESSION = database_session(env.str("ZIGGURAT_WORK", default=""), remote=is_remote(DATABASES["default"]))
DATABASES["default"]["CONN_MAX_AGE"] = 60
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True  # a database that was down fails no later request
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Three databases side by side: broker, cache, live versions. A server that is down times out after 0.2 s.
REDIS_URL = env.str("REDIS_URL", default=STATE.redis_url())
# A connection that the server has closed is opened again once; a server that doesn't answer isn't asked twice.
REDIS_OPTIONS = {
    "socket_timeout": 0.2,
    "socket_connect_timeout": 0.2,
    "retry": Retry(NoBackoff(), 1, supported_errors=(RedisConnectionError,)),
}
CACHES = {
    "default": {
        "BACKEND": "portal.common.cache.TolerantRedisCache",
        "LOCATION": redis_database(REDIS_URL, 1),
        "OPTIONS": REDIS_OPTIONS,
    }
}
BROKER_REDIS_URL = redis_database(REDIS_URL, 0)
LIVE_REDIS_URL = redis_database(REDIS_URL, 2)
SESSION_ENGINE = "django.contrib.sessions.backends.cached_db"

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "portal.accounts.guessing.PasswordGuesses",
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_ADAPTER = "portal.accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "portal.accounts.forms.SignInForm",
    "signup": "portal.accounts.forms.SignUpForm",
    "change_password": "portal.accounts.forms.ChangeForm",
    "set_password": "portal.accounts.forms.SetForm",
    "reset_password_from_key": "portal.accounts.forms.ResetForm",
}
ACCOUNT_CHANGE_EMAIL = True  # one address a person
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False  # a guest may sign in; our view redirects everybody else
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Ziggurat: "
ACCOUNT_RATE_LIMITS = {"login_failed": None}  # axes counts failed sign-ins, in the database, with a page of its own
MFA_ADAPTER = "portal.accounts.second_factor.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = (
    True  # whoever has a second factor may change the address; `second_factor_views` asks for a confirmed one before
)
MFA_TOTP_ISSUER = "Ziggurat"
MFA_TOTP_TOLERANCE = 1
MFA_FORMS = {
    "authenticate": "portal.accounts.code_forms.CodeForm",
    "reauthenticate": "portal.accounts.code_forms.CodeAgainForm",
    "activate_totp": "portal.accounts.code_forms.FirstCodeForm",
    "authenticate_webauthn": "portal.accounts.code_forms.PasskeyForm",
    "login_webauthn": "portal.accounts.code_forms.PasskeySignInForm",
    "reauthenticate_webauthn": "portal.accounts.code_forms.PasskeyAgainForm",
    "add_webauthn": "portal.accounts.code_forms.NewPasskeyForm",
    "edit_webauthn": "portal.accounts.code_forms.PasskeyNameForm",
}
SESSION_COOKIE_AGE = 90 * 24 * 3600  # how long an idle guest is kept

METRICS_TOKEN = env.str("METRICS_TOKEN", default="")  # opens /metrics; none: only the machine itself may read it

HOOKS_TO_PRIVATE = env.bool("HOOKS_TO_PRIVATE", default=False)  # webhooks may go to this machine and its network, and without TLS

# Reverse proxies: how many are in front of the portal (the client is that many places from the end of X-Forwarded-For).
PROXY_COUNT = env.int("PROXY_COUNT", default=0)
STREAMS_PER_ADDRESS = env.int("STREAMS_PER_ADDRESS", default=300)  # open tables, in one web process
REQUESTS_PER_ADDRESS = env.int("REQUESTS_PER_ADDRESS", default=50)  # at the same moment, in one web process

AXES_HANDLER = "axes.handlers.database.AxesDatabaseHandler"
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_LOCKOUT_CALLABLE = "portal.accounts.lockout.response"
AXES_USERNAME_CALLABLE = "portal.accounts.lockout.username"
AXES_CLIENT_IP_CALLABLE = "portal.common.limits.client_address"
AXES_RESET_ON_SUCCESS = True
AXES_DISABLE_ACCESS_LOG = True
AXES_VERBOSE = False

CSRF_FAILURE_VIEW = "portal.common.errors.csrf_failure"

LANGUAGE_CODE = "en"
FORMAT_MODULE_PATH = "portal.formats"
LANGUAGES = [("en", "English"), ("hu", "magyar"), ("ru", "русский")]
INTERFACE_LANGUAGES = ("en", "hu", "ru")  # languages with a complete translation
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = True

STATIC_URL = "/static/"
STATIC_ROOT = STATE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 100

EMAIL_CONFIG = env.email("EMAIL_URL", default="consolemail://")
EMAIL_BACKEND = "portal.accounts.mail.QueuedMailBackend"  # keeps the mail; the queue `mail` delivers it with:
EMAIL_DELIVERY_BACKEND = EMAIL_CONFIG["EMAIL_BACKEND"]
EMAIL_TIMEOUT = 20  # seconds, for each answer of the mail server
vars().update({k: v for k, v in EMAIL_CONFIG.items() if k.startswith("EMAIL_") and k != "EMAIL_BACKEND"})
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="Ziggurat <ziggurat@localhost>")
CONTACT_EMAIL = env.str("CONTACT_EMAIL", default="")  # of the operators, for everybody to read; none: they have given no address

CELERY_BROKER_URL = broker_url(REDIS_URL)
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_ROUTES = {
    "portal.tables.tasks.play_bot": {"queue": "bots"},
    "portal.tables.tasks.think": {"queue": "bots"},
    "portal.studies.tasks.move": {"queue": "bots"},
    "portal.tables.tasks.cite": {"queue": "mail"},
    "portal.tables.tasks.post_moves": {"queue": "mail"},
    "portal.common.tasks.*": {"queue": "scoring"},
    "portal.tables.tasks.*": {"queue": "scoring"},
    "portal.ratings.tasks.*": {"queue": "scoring"},
    "portal.clubs.tasks.*": {"queue": "scoring"},
    "portal.matching.tasks.*": {"queue": "scoring"},
    "portal.matches.tasks.*": {"queue": "scoring"},
    "portal.accounts.tasks.*": {"queue": "mail"},
    "portal.notices.tasks.*": {"queue": "mail"},
    "portal.site.tasks.*": {"queue": "mail"},
    "portal.archives.tasks.*": {"queue": "mail"},
}
CELERY_TASK_DEFAULT_QUEUE = "scoring"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, object] = {
    "visibility_timeout": 120,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    "socket_timeout": 5,
    "socket_connect_timeout": 0.2,
    "max_retries": 0,  # of a connection opened to send: otherwise a request waits 6 s for a broker that is down
}
# The supervisor names its workers.
WORKER_NAME = env.str("ZIGGURAT_WORKER", default="")
CELERY_BROKER_TRANSPORT_OPTIONS |= worker_options(WORKER_NAME)
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BEAT_SCHEDULER = "portal.common.clock:Clock"
CELERY_BEAT_MAX_LOOP_INTERVAL = 2  # seconds; how often it says that it works
CELERY_BEAT_SCHEDULE = {
    "reconcile": {"task": "portal.tables.tasks.reconcile", "schedule": schedule(5.0), "options": {"expires": 10}},
    "lost": {"task": "portal.common.tasks.take_over", "schedule": schedule(5.0), "options": {"expires": 10}},
    "matching": {"task": "portal.matching.tasks.pair", "schedule": schedule(5.0), "options": {"expires": 5}},
    "matches": {"task": "portal.matches.tasks.feed", "schedule": schedule(5.0), "options": {"expires": 5}},
    "seasons": {"task": "portal.clubs.tasks.freeze_due", "schedule": schedule(30.0), "options": {"expires": 60}},
    "leagues": {"task": "portal.clubs.tasks.tend_leagues", "schedule": schedule(30.0), "options": {"expires": 60}},
    "mail": {"task": "portal.accounts.tasks.send_due_mail", "schedule": schedule(60.0), "options": {"expires": 60}},
    "notices": {"task": "portal.notices.tasks.send_due", "schedule": schedule(15.0), "options": {"expires": 15}},
    "moves": {"task": "portal.tables.tasks.post_moves", "schedule": schedule(5.0), "options": {"expires": 5}},
    "guests": {"task": "portal.accounts.tasks.remove_idle_guests", "schedule": crontab(hour="4", minute="10")},
    "archives": {"task": "portal.archives.tasks.renew", "schedule": crontab(hour="4", minute="40")},
    "names": {"task": "portal.archives.tasks.renew_names", "schedule": schedule(60.0), "options": {"expires": 60}},
    "cleaning": {"task": "portal.site.tasks.clean_up", "schedule": crontab(hour="4", minute="20")},
}

REST_FRAMEWORK = {
    "DEFAULT_SCHEMA_CLASS": "portal.common.api_schema.Described",
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "portal.accounts.tokens.TokenAuthentication",
        "portal.accounts.oauth.BearerAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PAGINATION_CLASS": "portal.common.api.Pages",
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["portal.common.api.JSONParser"],
    "EXCEPTION_HANDLER": "portal.common.api.exception_handler",
}
# Applications of other people. What each scope means is in `portal.common.scopes`; nothing but codes with PKCE (S256) is given.
OAUTH2_PROVIDER = {
    "SCOPES": {"read": "read", "play": "play", "club": "club", "admin": "admin"},
    "DEFAULT_SCOPES": ["read"],
    "OAUTH2_VALIDATOR_CLASS": "portal.accounts.oauth_validator.Validator",
    "PKCE_REQUIRED": True,
    "AUTHORIZATION_CODE_EXPIRE_SECONDS": 60,
    "ACCESS_TOKEN_EXPIRE_SECONDS": 3600,
    "REFRESH_TOKEN_EXPIRE_SECONDS": 90 * 24 * 3600,  # since it was last renewed
    "ROTATE_REFRESH_TOKEN": True,
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    "OIDC_ISS_ENDPOINT": BASE_URL,
    "OAUTH2_RESPONSE_TYPES_SUPPORTED": ["code"],
    "OAUTH2_GRANT_TYPES_SUPPORTED": ["authorization_code", "refresh_token"],
    **{
        f"COMPLIANT_BCP_RFC9700_{name}": True
        for name in (
            *("IMPLICIT_GRANT", "PASSWORD_GRANT", "PKCE_METHOD", "ACCESS_TOKEN_TRANSPORT", "AUTHZ_RESPONSE_ISS"),
            *("TOKEN_STORAGE", "REFRESH_TOKEN", "REDIRECT_URI_MATCHING", "PKCE_REQUIRED"),
        )
    },
}
SPECTACULAR_SETTINGS = {
    "OAUTH2_FLOWS": ["authorizationCode"],
    "OAUTH2_AUTHORIZATION_URL": "/oauth/authorize/",
    "OAUTH2_TOKEN_URL": "/oauth/token/",
    "OAUTH2_REFRESH_URL": "/oauth/token/",
    "OAUTH2_SCOPES": {"read": "See", "play": "Play", "club": "Act in clubs", "admin": "Change the account"},
    "TITLE": "Ziggurat",
    "DESCRIPTION": "Board games of the ancient world: tables, seats, actions and records.",
    "VERSION": "1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "ENUM_NAME_OVERRIDES": {
        "TableStatus": "portal.tables.serializers.STATUS_CHOICES",
        "PaceKind": "portal.tables.serializers.KIND_CHOICES",
        "MarkKind": "portal.tables.api_replay.MARK_CHOICES",
        "NoticeKind": "portal.notices.api.KIND_CHOICES",
        "ChapterKind": "portal.books.api.CHAPTER_KINDS",
        "PieceKind": "portal.books.api.PIECE_KINDS",
        "ChapterState": "portal.books.api.STATES",
        "AidSection": "portal.books.api.AID_SECTIONS",
        "ValuesOrder": "portal.books.games_api.ORDER_CHOICES",
        "ActionBy": "portal.books.games_api.BY_CHOICES",
        "SearchPace": "portal.matching.api.SEARCH_PACES",
        "InvitationState": "portal.tables.invitation_serializers.STATE_CHOICES",
        "ArchiveFileKind": "portal.archives.api.KIND_CHOICES",
        "ArchiveCompany": "portal.archives.api.COMPANY_CHOICES",
        "PoolEnum": "portal.ratings.api.POOL_CHOICES",
        "SeasonState": "portal.contests.api.STATE_CHOICES",
        "MatchState": "portal.matches.api.STATE_CHOICES",
        "PairingState": "portal.contests.league_api.PAIRING_CHOICES",
        "StudyVisibility": "portal.studies.api.VISIBILITY_CHOICES",
        "MoveMark": "portal.studies.api.MARK_CHOICES",
        "Coming": "portal.clubs.calendar_api.COMING_CHOICES",
        "ClubJoining": "portal.clubs.api.JOINING_CHOICES",
        "ClubRole": "portal.clubs.api.ROLE_CHOICES",
        "Scope": "portal.accounts.token_api.SCOPE_CHOICES",
        "ChallengesFrom": "portal.bots.api.FROM_WHOM_CHOICES",
        "OwnInvitationState": "portal.tables.invitation_serializers.SEEN_CHOICES",
    },
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}

SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = BASE_URL.startswith("https://")
X_FRAME_OPTIONS = "DENY"
# Off unless asked for: while a browser remembers it, a site whose certificate has run out can't be visited at all. Whoever asks for it has
# no page without TLS, so such requests are redirected; probes of the machine itself are not.
SECURE_HSTS_SECONDS = env.int("HSTS_S", default=0) if BASE_URL.startswith("https://") else 0
SECURE_SSL_REDIRECT = SECURE_HSTS_SECONDS > 0
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
# Other hosts below ours, and the lists in browsers that are nearly impossible to leave, are for whoever owns the domain to decide.
# `static` and `i18n` stand in for Django's of these names (portal/common/quick).
# W008: http is for programs on people's own machines alone, see `portal.accounts.oauth`.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021", "templates.W003", "oauth2_provider.W008"]

LOGGING = logging_config(DEBUG)
if SENTRY_DSN := env.str("SENTRY_DSN", default=""):
    sentry_sdk = importlib.import_module("sentry_sdk")  # not among our dependencies: checked at start
    sentry_sdk.init(dsn=SENTRY_DSN, send_default_pii=False)
