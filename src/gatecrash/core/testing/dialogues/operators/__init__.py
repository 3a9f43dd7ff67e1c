"""Operators of document stores in the place of a value: how they are written, asked, and what an answer tells of them."""
