"""Hidden fields say whose page it is."""

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.callers.hidden_names import hidden_names
from gatecrash.core.testing.authorization.callers.oneself import self_values

HTML = ((b"Content-Type", b"text/html; charset=utf-8"),)


def page(fields: str, headers: tuple[tuple[bytes, bytes], ...] = HTML) -> Response:
    return Response(
        200, headers, f'<form method="post" action="/profile">{fields}<button>Save</button></form>'.encode()
    )


@pytest.mark.parametrize("name", ["member_id", "userId", "user-id", "socio_id", "customer_no", "accountNumber"])
def test_a_hidden_field_for_users_names_who_reads_the_page(name):
    field = f'<input TYPE="hidden" name="{name}" value="A7">'
    assert hidden_names(page(field + field)) == {"a7"}
    assert "a7" in self_values(page(field))


@pytest.mark.parametrize(
    "fields",
    [
        '<input type="hidden" name="csrf_token" value="8f3a">',
        '<input type="hidden" name="id" value="7">',
        '<input type="hidden" name="member_id" value="">',
        '<input type="text" name="member_id" value="7">',
        '<input type="hidden" name="member_id" value="7"><input type="hidden" name="member_id" value="8">',
        '<p>type="hidden" name="member_id" value="7"</p>',
        f'<input type="hidden" name="member_id" value="{"7" * 80}">',
    ],
    ids=["a guard", "of anything", "empty", "filled in by hand", "of several", "no field", "too long"],
)
def test_nothing_else_does(fields):
    assert not hidden_names(page(fields))


def test_only_pages_have_such_fields():
    field = '<input type="hidden" name="member_id" value="7">'
    assert not hidden_names(page(field, ((b"Content-Type", b"text/plain"),)))
