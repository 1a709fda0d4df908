from django.db import migrations

BATCH = 500  # people whose rows are locked together


def carry_over(apps, schema_editor):
    """Ask nobody who has switched the question off; a few people at a time, so that nobody waits for long."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT id FROM accounts_user WHERE NOT confirm_moves ORDER BY id")
        people = [row[0] for row in cursor.fetchall()]
        for at in range(0, len(people), BATCH):
            cursor.execute("UPDATE accounts_user SET confirm = 'never' WHERE id = ANY(%s)", [people[at : at + BATCH]])


def carry_back(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("UPDATE accounts_user SET confirm_moves = (confirm <> 'never') WHERE confirm_moves = (confirm = 'never')")


class Migration(migrations.Migration):
    """Outside a transaction: each batch is one of its own, and a second run does the same."""

    atomic = False
    dependencies = [("accounts", "0007_confirm")]

    operations = [migrations.RunPython(carry_over, carry_back)]
