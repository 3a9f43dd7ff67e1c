"""Who may have what: credentials and tokens, identities, and whose data an answer holds."""
