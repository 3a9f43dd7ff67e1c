"""Who asks: identities, their credentials and accounts, and what an application tells them about themselves."""
