"""Points as they are typed and shown: the contract's shapes (2.3) under names that are quick to type."""

import json
from typing import Any

import click

SHORT = {
    "header": ["header"],
    "cookie": ["header", "COOKIE", "cookie"],
    "query": ["get"],
    "form": ["post", "form_urlencoded"],
    "json": ["post", "json_doc", "json_obj"],
}


def parse_point(written: str) -> list[Any]:
    """The point in the nested form of the contract, from its short form or from JSON.

    Whether it is a good one is the service's to say; only what cannot be read is refused here.
    """
    if written.lstrip().startswith("["):
        try:
            value = json.loads(written)
        except ValueError as error:
            raise click.BadParameter(f"{written!r} is not JSON: {error}", param_hint="POINT") from error
        return value if value and isinstance(value[0], list) else [value]
    kind, colon, name = written.partition(":")
    if not colon or kind not in SHORT:
        raise click.BadParameter(
            f"{written!r} is no point; write {', '.join(f'{kind}:NAME' for kind in SHORT)}, or JSON like "
            '\'["header", "X-A"]\'.',
            param_hint="POINT",
        )
    return [[*SHORT[kind], name]]


def place(point: object) -> str:
    """A point of the API in the short form where there is one, else its steps with slashes between."""
    steps = point[0] if isinstance(point, list) and point and isinstance(point[0], list) else point
    if not isinstance(steps, list) or not steps:
        return "-"
    for kind, prefix in SHORT.items():
        if steps[:-1] == prefix:
            return f"{kind}:{steps[-1]}"
    return "/".join(str(step) for step in steps)
