"""What the administration does not show: a token lets its reader act as the person whom it belongs to."""

from django.contrib import admin
from rest_framework.authtoken import admin as tokens  # registers them, so that they can be taken out here
from rest_framework.authtoken.models import TokenProxy

assert tokens
admin.site.unregister(TokenProxy)
