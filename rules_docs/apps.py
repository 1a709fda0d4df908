from django.apps import AppConfig


class RulesDocsConfig(AppConfig):
    name = "rules_docs"
