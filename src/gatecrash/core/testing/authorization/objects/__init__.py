"""Which objects requests name and answers show, and what makes, changes and deletes them."""
