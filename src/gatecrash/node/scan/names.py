"""Names of members and parameters as they are compared."""


def plain(name: str) -> str:
    """A name without case and signs: `user_id`, `userId` and `User-ID` are one."""
    return "".join(sign for sign in name.lower() if sign.isalnum())
