"""Date formats where Django's defaults for a language do not fit; one folder for each language."""
