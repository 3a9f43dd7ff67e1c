"""Which saved requests of a Postman collection are meant for everybody."""

import re
from collections.abc import Mapping
from typing import Any

from gatecrash.formats.descriptions.document import as_list, as_object
from gatecrash.formats.draft import Draft

_CREDENTIAL = re.compile(r"^authorization$|(?<!csrf)(?<!xsrf)-token$|api-?key$|session|jwt", re.IGNORECASE)


def says_for_all(draft: Draft, auth: Any, item: Mapping[str, Any]) -> bool:
    """Whether it says itself, or its folder does, that it has no authorization, and brings none in its headers."""
    own = as_object(as_object(item["request"]).get("auth") or auth)
    return own.get("type") == "noauth" and not draft.wants and draft.request.first(b"Authorization") is None


def brings_by_hand(item: Mapping[str, Any]) -> bool:
    """Whether a header of a saved request holds a credential by its name and by a variable, as people write them themselves: in
    a collection that has such, what has none is meant for everybody.
    """
    headers = [as_object(one) for one in as_list(as_object(item["request"]).get("header"))]
    pairs = ((str(one.get("key") or ""), str(one.get("value") or "")) for one in headers)
    return any(_CREDENTIAL.search(name) and "{{" in value for name, value in pairs)
