"""Tokens and session values: parsed, forged, guessed, and the keys and words that sign them."""
