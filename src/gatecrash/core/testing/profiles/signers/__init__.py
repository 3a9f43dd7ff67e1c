"""Signed schemes, one a file: each signs a request again after it was changed. Time and nonces are passed in."""
