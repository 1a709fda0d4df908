"""What people show of themselves, and how they find each other: above tables and chats, below the pages of the site."""
