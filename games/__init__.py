"""The games. Compiled engines (`make fast`) are found from here on."""

from games.core import compiled

compiled.install()
