"""A number with its noun, in what people read: `1 request`, `3 requests`, `2 vulnerabilities`."""


def plural(number: int, one: str, many: str | None = None) -> str:
    """The number with what it counts. many: the noun for several, where it is not `one` with an s."""
    return f"{number} {one if number == 1 else many or one + 's'}"
