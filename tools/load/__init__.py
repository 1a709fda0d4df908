"""Load on a running portal: people who play through pages and through the API, listeners, and readers. `python -m tools.load --help`."""
