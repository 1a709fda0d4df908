"""A rating knows whether lists show it: people with an open account who are not guests, and bots.

The database maintains it, whatever writes: when a rating is created, and when an account is claimed, closed or reopened. A new rating locks
the row of its person until its transaction ends, so neither side can miss what the other is about to write.
"""

from django.db import migrations, models

FORWARD = """
CREATE FUNCTION ratings_rating_is_listed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT is_active AND NOT is_guest INTO NEW.is_listed FROM accounts_user WHERE id = NEW.user_id FOR SHARE;
  RETURN NEW;
END $$;

CREATE TRIGGER is_listed BEFORE INSERT ON ratings_rating FOR EACH ROW WHEN (NEW.user_id IS NOT NULL)
EXECUTE FUNCTION ratings_rating_is_listed();

CREATE FUNCTION ratings_list_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE ratings_rating SET is_listed = NEW.is_active AND NOT NEW.is_guest WHERE user_id = NEW.id;
  RETURN NULL;
END $$;

CREATE TRIGGER list_person AFTER UPDATE OF is_active, is_guest ON accounts_user FOR EACH ROW
WHEN (OLD.is_active <> NEW.is_active OR OLD.is_guest <> NEW.is_guest)
EXECUTE FUNCTION ratings_list_person();

UPDATE ratings_rating r SET is_listed = u.is_active AND NOT u.is_guest FROM accounts_user u WHERE u.id = r.user_id;
"""

BACK = """
DROP TRIGGER list_person ON accounts_user;
DROP FUNCTION ratings_list_person();
DROP TRIGGER is_listed ON ratings_rating;
DROP FUNCTION ratings_rating_is_listed();
"""


class Migration(migrations.Migration):
    dependencies = [("ratings", "0003_ladders"), ("accounts", "0002_outgoing_mail")]

    operations = [
        migrations.AddField(model_name="rating", name="is_listed", field=models.BooleanField(default=True)),
        migrations.RunSQL(FORWARD, BACK),
        migrations.RemoveIndex(model_name="rating", name="rating_order"),
        migrations.AddIndex(
            model_name="rating",
            index=models.Index(fields=["ladder", "-order_value", "id"], include=["is_listed"], name="rating_order"),
        ),
    ]
