"""SOAP: one path, and the action that the message asks for.

The action is SOAPAction (SOAP 1.1 section 6.1.1), else the parameter `action` of application/soap+xml (RFC 3902), else
the first element in the body of the envelope, by its local name. Of an address the last part is the operation's name.
Nothing is parsed as XML: no entity is opened and no document type read, so no message can make this slow.
"""

import re

from gatecrash.core.inventory.endpoint import Protocol
from gatecrash.core.inventory.protocols.call import Call, Speaker, is_name

_TYPES = frozenset({b"text/xml", b"application/xml", b"application/soap+xml"})
_ACTION = re.compile(rb"""(?:^|[;\s])action\s*=\s*(?:"([^"]*)"|([^;\s"]+))""", re.IGNORECASE)
_MOST_TAGS = 200
_OTHER = "(other)"


def operations(call: Call) -> tuple[str, ...] | None:
    """The action called; nothing where the message is no envelope and names no action."""
    if call.content_type not in _TYPES:
        return None
    first = first_element(call.body)
    is_soap = first is not None or call.soap_action is not None or call.content_type == b"application/soap+xml"
    if not is_soap:
        return None
    name = _last_part(call.soap_action or b"") or _last_part(_parameter(call.content_parameters)) or first or _OTHER
    return (name,)


def _parameter(parameters: bytes) -> bytes:
    found = _ACTION.search(parameters)
    return (found[1] or found[2] or b"") if found else b""


def _last_part(action: bytes) -> str:
    """The name at the end of an action's address, as in `urn:tea#Brew` and `http://tea.example/Brew`; "" without one."""
    text = action.strip().strip(b'"').decode("latin-1").rstrip("/")
    name = re.split(r"[/#:]", text)[-1]
    return name if is_name(name) else ""


def first_element(body: bytes) -> str | None:
    """The local name of the first element in the envelope's body, "" where the body is empty; None without an envelope."""
    path: list[bytes] = []
    for closes, name in _tags(body):
        local = name.rpartition(b":")[2]
        if not path and local != b"Envelope":
            return None
        if path and path[-1] == b"Body":
            text = local.decode("latin-1")
            return text if not closes and is_name(text) else ""
        # A header's blocks lie between the envelope and its body: only these two are followed.
        if local in (b"Envelope", b"Body") and not closes:
            path.append(local)
    return None if not path else ""


def _tags(body: bytes) -> list[tuple[bool, bytes]]:
    """The first tags: whether each closes, and its name; comments and instructions left out."""
    tags: list[tuple[bool, bytes]] = []
    position = 0
    while len(tags) < _MOST_TAGS:
        position = body.find(b"<", position) + 1
        if not position:
            break
        if body.startswith(b"!--", position):
            end = body.find(b"-->", position)
        elif body[position : position + 1] in (b"?", b"!"):
            end = body.find(b">", position)
        else:
            end = body.find(b">", position)
            closes = body.startswith(b"/", position)
            words = body[position + closes : end if end >= 0 else None].split(None, 1)
            tags.append((closes, words[0].rstrip(b"/") if words else b""))
        if end < 0:
            break
        position = end
    return tags


SPEAKER = Speaker(Protocol.SOAP, operations)
