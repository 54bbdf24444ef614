"""The statements of the paper, one file each."""
