"""Keep the tokens of earlier releases valid, and nowhere in plain text.

They are in a table of `rest_framework.authtoken`, which is read by SQL, so that the app need not stay installed for it. The table is
emptied, not dropped: the earlier release still runs on this database, with no tokens in it. TRUNCATE gives it a new file; after a DELETE
the tokens would be in the old one until the next vacuum.
"""

import hashlib

from django.db import migrations


def hash_tokens(apps, schema_editor):
    """Copy the digest of each token, and empty the old table, if there is one."""
    with schema_editor.connection.cursor() as cursor:
        if "authtoken_token" not in schema_editor.connection.introspection.table_names(cursor):
            return
        cursor.execute("LOCK TABLE authtoken_token IN SHARE ROW EXCLUSIVE MODE")  # a token made from here on waits, and isn't lost
        cursor.execute("SELECT key, user_id, created FROM authtoken_token ORDER BY created")
        rows = [(hashlib.sha256(key.encode()).hexdigest(), user_id, created) for key, user_id, created in cursor.fetchall()]
        cursor.executemany("INSERT INTO accounts_apitoken (digest, user_id, created_at, by_sign_in) VALUES (%s, %s, %s, false)", rows)
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("TRUNCATE authtoken_token")


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_api_token")]

    # Back: digests can't be turned into tokens again. People make new ones.
    operations = [migrations.RunPython(hash_tokens, migrations.RunPython.noop)]
