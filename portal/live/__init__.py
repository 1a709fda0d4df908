"""Live updates: "table 17 is at version 42" from a commit to every open page, and the front of the server."""
