"""Positions for other places: boards that other sites embed, and the editor that makes a position."""
