"""A whole portal loses one part after another while people and bots play: `python -m tools.chaos --help`."""
