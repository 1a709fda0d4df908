"""What is in the box: stones."""

SYMBOLS = {"stone": "nim-stone"}
