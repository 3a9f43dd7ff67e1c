"""The text of an API token: 256 random bits behind a prefix that secret scanners can look for."""

import hashlib
import secrets

PREFIX = "gck_"
MAX_LENGTH = 256
MIN_LENGTH = 24


def new() -> str:
    """A fresh token."""
    return PREFIX + secrets.token_urlsafe(32)


def digest(token: str) -> str:
    """What is stored. Tokens are random, so a fast hash is enough (decisions 2)."""
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest()
