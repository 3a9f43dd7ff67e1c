"""The tree of exceptions: one root, whose fault it is by type, and the drawing at the head of the file is the tree."""

import inspect
import re

from gatecrash.core import errors


def defined() -> dict[str, type[BaseException]]:
    return dict(inspect.getmembers(errors, inspect.isclass))


def test_everything_raised_on_purpose_has_one_root() -> None:
    assert all(issubclass(one, errors.GatecrashError) for one in defined().values())
    assert not issubclass(errors.GatecrashError, (OSError, ValueError))


def test_the_drawing_is_the_tree() -> None:
    assert errors.__doc__ is not None
    parents: dict[int, str] = {}
    drawn = {}
    for line in errors.__doc__.splitlines():
        if match := re.match(r"([│├└─ ]*)([A-Z]\w+)", line):
            depth = len(match[1]) // 4
            if match[2] in defined():
                parents[depth] = match[2]
                drawn[match[2]] = parents.get(depth - 1) if depth else None
    assert drawn == {
        name: None if one is errors.GatecrashError else one.__bases__[0].__name__ for name, one in defined().items()
    }


def test_every_exception_says_what_it_means() -> None:
    assert [name for name, one in defined().items() if not (one.__doc__ or "").strip()] == []


def test_a_reason_has_no_number_of_the_system() -> None:
    assert errors.plain_reason(FileNotFoundError(2, "No such file or directory", "a")) == "No such file or directory"
    assert errors.plain_reason(RuntimeError("[Errno 111] Connection refused")) == "Connection refused"
    assert errors.plain_reason(RuntimeError()) == "RuntimeError"


def test_a_certificate_that_is_not_trusted_is_told_in_words() -> None:
    told = "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate (_ssl.c:1006)"
    assert (
        errors.plain_reason(RuntimeError(told)) == "its certificate is not trusted; name its authority in SSL_CERT_FILE"
    )
    expired = told.replace("self-signed certificate", "certificate has expired")
    assert errors.plain_reason(RuntimeError(expired), ", or wait") == (
        "its certificate has expired or is not valid yet; have it renewed, or wait"
    )
