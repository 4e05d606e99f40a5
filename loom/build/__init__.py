"""Incremental builds: what is out of date is made again, in several processes, and the folder is replaced."""
