"""The service's error answers (decisions 1) in plain words, field by field, each with the way out."""

import json
from collections.abc import Mapping
from typing import Any

FIELD_WORDS = {
    "required": "is missing",
    "invalid_type": "has the wrong type",
    "out_of_range": "is out of range",
    "invalid_value": "cannot be used",
    "unknown_field": "is not known to the service",
    "not_found": "does not exist",
    "invalid_point": (
        "is no place in a request, or one where nothing authenticates (COOKIE as a whole, HOST, CONTENT-*, "
        "USER-AGENT); write it like header:X-A, cookie:sid, query:key, form:key, json:key"
    ),
    "too_long": "is too long",
    "not_ready_for_cloning": "is still being recorded; stop the recording first: gatecrash run stop RUN",
    "empty_test_record": "holds no baseline request; record some, or name another record",
    "not_allowed_with_test_record_id": "cannot be given together with a record to copy",
    "already_exists": "exists already",
    "action_not_allowed": "is not allowed in the run's state; gatecrash run show RUN lists what is",
}

WAYS_OUT = {
    "unauthorized": "Check the token: --token-file, GATECRASH_TOKEN or config.toml. `gatecrash token create` makes a new one.",
    "forbidden": "Ask an administrator for a token of another role, where yours may not do this.",
    "not_found": "Check the identifier; another client's things look as if they did not exist.",
    "method_not_allowed": "The service at this address is of another version, or is no Gatecrash.",
    "payload_too_large": "Send less: an API body holds at most 1 MiB, an imported file 512 MiB.",
    "rate_limited": "Wait a little and try again.",
    "internal": "This is the service's fault; its log says more.",
}


def explain(status: int, body: Mapping[str, Any]) -> list[str]:
    """The lines that tell what was refused and why. body: the envelope's."""
    code = body.get("error")
    if isinstance(code, str):
        lines = [str(body.get("message") or code), WAYS_OUT.get(code, "")]
    else:
        lines = [_field(name, fault) for name, fault in body.items()]
    return [f"The service refused ({status}):", *(f"  {line}" for line in lines if line)]


def _field(name: str, fault: object) -> str:
    if not isinstance(fault, Mapping):
        return f"{name}: {fault}"
    code = str(fault.get("error", "refused"))
    words = FIELD_WORDS.get(code, code.replace("_", " "))
    reason = fault.get("message") or fault.get("reason")
    if code == "action_not_allowed" and name != "action" and reason:
        words = f"cannot be used so now: {reason}"
    elif code == "invalid_value" and not str(fault.get("value", "-")).strip():
        words = "is empty"
    elif code != "action_not_allowed" and reason:
        words = f"{words}: {str(reason).rstrip('.')}"
    value = fault.get("value")
    given = "" if value is None else f" (given: {value if value and isinstance(value, str) else json.dumps(value)})"
    return f"{name}: {words}{given}{_hint(fault)}"


def _hint(fault: Mapping[str, Any]) -> str:
    if "choices" in fault and isinstance(fault["choices"], list):
        if not fault["choices"]:
            return "; there is nothing to choose from"
        return "; choose one of " + ", ".join(str(choice) for choice in fault["choices"])
    low, high = fault.get("min"), fault.get("max")
    if low is not None and high is not None:
        return f"; {low} to {high} is allowed"
    if high is not None:
        return f"; at most {high}"
    return "" if low is None else f"; at least {low}"
