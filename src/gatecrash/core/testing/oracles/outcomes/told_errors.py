"""Errors that an endpoint tells under a good status, as GraphQL and JSON-RPC do, also as results of a type of their own.

References: GraphQL specification, section 7.1 (Response Format); JSON-RPC 2.0, section 5.1 (Error object); the XML-RPC
specification, "Fault example"; SOAP 1.1, sections 4.4 and 6.2; SOAP 1.2, sections 5.4 and 5.4.6.
"""

import re
from html import unescape
from typing import Any

import orjson

_BEGINNING = 2000
_FAULT = re.compile(
    r"<methodResponse>\s*+<fault>|<(?:[\w.-]{1,40}:)?Body(?:\s[^<>]{0,500})?>\s*+<(?:[\w.-]{1,40}:)?Fault\b"
)

# Both have prefixes, as the envelope's own; what stands behind a dot says more (`Client.Authentication`).
_CODE = re.compile(
    r"<(?:[\w.-]{1,40}:)?(?:faultcode|Value)(?:\s[^<>]{0,500})?>\s*+(?:[\w.-]{1,40}:)?(Client|Sender)(?![\w-])"
)
_REASON = re.compile(r"<(?:[\w.-]{1,40}:)?(?:faultstring|Text)(?:\s[^<>]{0,500})?>([^<>]{1,500})<")


def blames_the_sender(text: str) -> bool:
    """Whether an answer is a fault of SOAP that says that the message was at fault, and not the service: its status is 500 all
    the same.
    """
    return _is_fault(text) and _CODE.search(text[:_BEGINNING]) is not None


def reason_of_fault(text: str) -> str:
    """What a fault of SOAP says for people; empty for anything else."""
    found = _REASON.search(text[:_BEGINNING]) if _is_fault(text) else None
    return unescape(found[1]).strip() if found is not None else ""


def tells_errors(text: str) -> bool:
    """Whether an answer is an object with a list of errors, each with a message, or a call's that failed: an error with its code
    and message in the place of a result, or a fault.
    """
    if text.startswith("<"):
        return _is_fault(text)
    if not text.startswith("{") or '"error' not in text:
        return False
    try:
        said = orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    return _lists_errors(said.get("errors")) or _failed(said)


def gives_nothing(text: str) -> bool:
    """Whether an answer is GraphQL's and holds no data: none at all beside its errors, or null for each field that was
    asked for; or that of a call that failed.
    """
    if text.startswith("<"):
        return _is_fault(text)
    if not text.startswith("{") or ('"data"' not in text and '"error' not in text):
        return False
    try:
        said = orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    if _failed(said):
        return True
    data = said.get("data")
    if isinstance(data, dict):
        return bool(data) and all(value is None for value in data.values())
    return data is None and _lists_errors(said.get("errors"))


def results_in_errors(text: str) -> bool:
    """Whether an answer is GraphQL's and each field that was asked for resulted in an error of a type of its own: an
    object with a message, and a type that is called an error or the error's code.
    """
    if not text.startswith("{") or '"message"' not in text:
        return False
    try:
        said = orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    data = said.get("data")
    return isinstance(data, dict) and bool(data) and all(map(_is_error, data.values()))


def _is_fault(text: str) -> bool:
    """Whether a document is the fault of a call, which XML-RPC tells under a 200 and some SOAP services do."""
    beginning = text[:_BEGINNING]
    return ("methodResponse" in beginning or "Envelope" in beginning) and _FAULT.search(beginning) is not None


def _is_error(result: object) -> bool:
    if not isinstance(result, dict) or not isinstance(result.get("message"), str):
        return False
    code = result.get("errorCode")
    called = str(result.get("__typename", "")).endswith(("Error", "Exception"))
    return called or (isinstance(code, str) and bool(code))


def _lists_errors(errors: object) -> bool:
    return (
        isinstance(errors, list) and bool(errors) and all(isinstance(one, dict) and "message" in one for one in errors)
    )


def _failed(said: dict[str, Any]) -> bool:
    error = said.get("error")
    is_call = "jsonrpc" in said or "id" in said
    told = isinstance(error, dict) and isinstance(error.get("code"), int) and isinstance(error.get("message"), str)
    return is_call and told and said.get("result") is None
