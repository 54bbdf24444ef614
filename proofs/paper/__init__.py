"""Every statement of the paper, one file each; the file's name is the statement's id."""
