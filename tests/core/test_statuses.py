"""The numbers are those of the standard's registry, as Python's own library has it."""

from http import HTTPStatus

from gatecrash.core import statuses


def test_each_code_is_what_the_registry_calls_so() -> None:
    for name in ("OK", "NOT_MODIFIED", "UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND"):
        assert getattr(statuses, name) == HTTPStatus[name]


def test_each_class_begins_where_the_one_before_it_ends() -> None:
    bounds = (statuses.FIRST_REDIRECT, statuses.FIRST_ERROR, statuses.FIRST_SERVER_ERROR)
    first = [min(code for code in HTTPStatus if code >= bound) for bound in bounds]
    last = [max(code for code in HTTPStatus if code < bound) for bound in bounds]
    assert [code.value for code in first] == list(bounds)
    assert all(ended.value // 100 < began.value // 100 for ended, began in zip(last, first, strict=True))
