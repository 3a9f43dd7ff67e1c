"""The signs between which people write templates, in a value that a client sends by itself."""

_SIGNS = (
    *(("{{", "}}"), ("[[", "]]"), ("<%", "%>"), ("${", "}"), ("#{", "}")),
    *(("{%", "%}"), ("{%", "%]"), ("[%", "%}"), ("[%", "%]")),
)


def is_like_a_template(text: str) -> bool:
    """Whether something stands between such signs as people write templates with."""
    return any(opened in text and text.rfind(closed) > text.find(opened) + len(opened) for opened, closed in _SIGNS)
