"""Compiles the engines and bots of the games with mypyc: `make fast`."""
