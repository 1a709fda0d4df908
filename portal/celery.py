"""The Celery application: queues `scoring`, `bots` and `mail` (settings say which task goes where)."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
app = Celery("ziggurat")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
