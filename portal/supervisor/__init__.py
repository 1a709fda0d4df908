"""Starts and keeps the portal's own servers and workers. Knows no Django: only the command `up` does."""
