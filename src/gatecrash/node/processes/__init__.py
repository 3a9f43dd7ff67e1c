"""A node that tests in several processes, under limits that all of them share."""
