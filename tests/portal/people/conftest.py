"""Alice owns the table, Bob plays with her, Charlie is a stranger."""

from tests.portal.tables.conftest import alice, bob, charlie, duel, fixed_secret, table

__all__ = ["alice", "bob", "charlie", "duel", "fixed_secret", "table"]
