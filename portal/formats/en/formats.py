"""English dates name the month: 01/04/2027 is April to some readers and January to others."""

DATE_FORMAT = "j F Y"
SHORT_DATE_FORMAT = "j M Y"
DATETIME_FORMAT = "j F Y, H:i"
TIME_FORMAT = "H:i"
FIRST_DAY_OF_WEEK = 1
