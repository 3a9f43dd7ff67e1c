"""Who may do more than others: roles, functions and sections that are for some alone."""
