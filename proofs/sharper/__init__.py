"""The companion's own statements, one file each."""
