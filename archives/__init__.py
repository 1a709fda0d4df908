"""Archives of finished games: their format, writing, reading, figures from them, and self-play in the same format. No Django; see docs/archives.md."""
