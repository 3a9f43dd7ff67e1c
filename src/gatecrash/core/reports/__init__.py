"""What findings look like outside: commands that reproduce them, and reports."""
