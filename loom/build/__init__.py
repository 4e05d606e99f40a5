"""Building: what is out of date is made again, on several cores, and the folder is replaced."""
