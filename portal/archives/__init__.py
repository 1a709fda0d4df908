"""Archives of finished public games, and figures from them; `archives` (the package without Django) has the format."""
