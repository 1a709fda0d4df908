"""Django's tags `extends`, `static`, `translate` and `url` with what is alike on every page worked out once.

A page has some thirty addresses, twenty static files and seventy fixed sentences, and they are the same in each request.
Syntax and results are Django's; `settings.TEMPLATES` puts these in the place of its own.
"""
