"""How dates are written where the language alone does not settle it; one folder for each language."""
