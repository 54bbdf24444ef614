"""The companion's own statements, one file each; the file's name is the statement's id."""
