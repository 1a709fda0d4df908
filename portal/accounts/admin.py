"""API tokens are hidden in the admin: anyone who reads a token can act as its owner."""

from django.contrib import admin
from rest_framework.authtoken import admin as tokens  # registers them, so that they can be taken out here
from rest_framework.authtoken.models import TokenProxy

assert tokens
admin.site.unregister(TokenProxy)
