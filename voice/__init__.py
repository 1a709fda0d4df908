"""The voice of the site: sentences, nouns and drawn boards of the games in the reader's language."""
