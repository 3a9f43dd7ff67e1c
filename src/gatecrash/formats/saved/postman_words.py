"""Whom the requests of a Postman collection are for, as they are called and described there: `Admin only`, a folder `Admin`.

The words are read as those of an OpenAPI document are: a request's name is its summary, and its folders are its tags.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gatecrash.core.testing.known.declared import Meant
from gatecrash.formats.descriptions.document import as_object
from gatecrash.formats.descriptions.meant_for import Intentions


class Purposes:
    """Those of one collection. purposes.of(item, folders, "/users", "GET")"""

    def __init__(self, items: Iterable[tuple[Mapping[str, Any], Sequence[str]]]) -> None:
        """items: all requests, each with the folders that it stands in."""
        told = {str(place): {"get": _operation(item, folders)} for place, (item, folders) in enumerate(items)}
        self._intentions = Intentions({"paths": told})

    def of(self, item: Mapping[str, Any], folders: Sequence[str], path: str, method: str) -> Meant | None:
        """Who is meant by one request; None where nothing says so."""
        return self._intentions.of(path, {**_operation(item, folders), "method": method.lower()})


def _operation(item: Mapping[str, Any], folders: Sequence[str]) -> dict[str, Any]:
    request = as_object(item.get("request"))
    texts = [_text(each.get("description")) for each in (item, request)]
    return {
        "summary": str(item.get("name") or ""),
        "description": "\n".join(filter(None, dict.fromkeys(texts))),
        "tags": list(folders),
    }


def _text(description: Any) -> str:
    """A description, which stands in an object of its own where its form is told."""
    told = as_object(description).get("content") if isinstance(description, dict) else description
    return told if isinstance(told, str) else ""
