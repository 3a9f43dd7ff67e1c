"""Whose an object is, by what the application itself says."""
