"""Errors and answers that show the inside, and pages that only speak of it."""

import json
import traceback

from gatecrash.core.message import Response
from tests.range.place import JSON, QUERY, Given, answer, flaw, miss, page, text, twin

BOTH = (QUERY, JSON)


@flaw("info", value="5", ways=BOTH)
def trace(given: Given) -> Response:
    try:
        return answer({"half": int(given.q) // 2, "at": [1, 2, 3][int(given.q) - 5]})
    except (ValueError, IndexError):
        return text(traceback.format_exc(), 500)


@flaw("info", value="5", ways=BOTH)
def trace_in_json(given: Given) -> Response:
    try:
        return answer({"half": int(given.q) // 2})
    except ValueError:
        return answer({"error": "ValueError", "trace": traceback.format_exc()}, 400)


@flaw("info", value="5", ways=BOTH, replayed=True)
def java(given: Given) -> Response:
    if given.q.isdigit() and len(given.q) < 9:
        return answer({"id": given.q})
    trace = "java.lang.NumberFormatException: For input\n\tat java.base/java.lang.Long.parseLong(Long.java:692)\n"
    return answer({"status": 500, "trace": trace}, 500)


@flaw("info", value="5", ways=BOTH, replayed=True)
def frames_as_a_list(given: Given) -> Response:
    if given.q.isdigit() and len(given.q) < 9:
        return answer({"id": given.q})
    frames = [{"file": f"/srv/shop/src/{name}.php", "line": 12, "function": name} for name in ("item", "route")]
    return answer({"message": "Not a number", "exception": "TypeError", "trace": frames}, 500)


@twin("info", value="5", ways=BOTH)
def one_problem(given: Given) -> Response:
    """Tells where a caller's own file is wrong."""
    if given.q.isdigit() and len(given.q) < 9:
        return answer({"id": given.q})
    return answer({"problems": [{"file": "/upload/orders.py", "line": 1, "told": "no number"}]}, 422)


@flaw("info", value="5", ways=BOTH, replayed=True)
def php_warning(given: Given) -> Response:
    if given.q.isdigit() and len(given.q) < 9:
        return page("fine")
    return page("<b>Warning</b>: Undefined array key in <b>/var/www/html/item.php</b> on line <b>12</b><br>fine")


@flaw("info", ways=BOTH)
def key_in_answer(given: Given) -> Response:
    return answer({"key": "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEowIBAAKCAQEA" * 4 + "\n"})


@flaw("info", ways=BOTH)
def database_address(given: Given) -> Response:
    return answer({"settings": {"DATABASE_URL": "postgres://shop:kh83hfk2@db.internal:5432/shop"}})


@flaw("info", ways=BOTH)
def secret_settings(given: Given) -> Response:
    return answer(
        {"version": "1.4", "debug": True, "jwtSecret": "kh83hfk2", "smtp": {"host": "mail", "password": "tea pot"}}
    )


@flaw("info", ways=BOTH)
def passwords(given: Given) -> Response:
    return answer({"users": [{"id": 1, "username": "ann", "password": "sesame1"}, {"id": 2, "username": "ben"}]})


@flaw("info", ways=BOTH)
def hashes(given: Given) -> Response:
    return answer(
        [
            {
                "id": 1,
                "email": "ann@example.com",
                "digest": "$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW",
            }
        ]
    )


@twin("info", ways=BOTH)
def passwords_masked(given: Given) -> Response:
    return answer({"users": [{"id": 1, "username": "ann", "password": "********"}]})


@twin("info", ways=BOTH)
def form_described(given: Given) -> Response:
    return answer({"fields": {"name": "text", "password": "required"}, "errors": {"id": 3, "password": "is too short"}})


@twin("info", value="5", ways=BOTH)
def short_error(given: Given) -> Response:
    return answer({"half": int(given.q)}) if given.q.isdigit() else answer({"error": "ValueError: not a number"}, 500)


@twin("info", ways=BOTH)
def page_about_traces(given: Given) -> Response:
    return page('<h1>How to read one</h1><pre>Traceback (most recent call last):\n  File "a.py", line 3, in f</pre>')


@twin("info", ways=BOTH)
def example_key(given: Given) -> Response:
    return answer(
        {
            "help": "set the key to AKIAIOSFODNN7EXAMPLE",
            "url": "postgres://user:***@localhost/db",
            "cache": "redis://app:kh83hfk2@cache.example.com:6379",
        }
    )


@twin("info", ways=BOTH)
def masked_settings(given: Given) -> Response:
    return answer(
        {"jwt_secret": "********", "database": {"host": "db1", "password": "<hidden>"}, "secret_length": "32"}
    )


@twin("info", ways=BOTH)
def words_for_settings(given: Given) -> Response:
    return answer(
        {"labels": {"smtp_password": "Mail-Kennwort", "db_password": "Datenbank-Kennwort", "jwt_secret": "JWT"}}
    )


@twin("info", ways=BOTH)
def public_key(given: Given) -> Response:
    return text("-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\n-----END PUBLIC KEY-----")


@twin("info", value="5", ways=BOTH)
def numbered_error(given: Given) -> Response:
    return (
        answer({"ok": True}) if given.q.isdigit() else answer({"error": "internal", "incident": json.dumps(4711)}, 500)
    )


@miss("info", ways=(QUERY,))
def secret_without_a_form(given: Given) -> Response:
    return answer({"partner_word": "kh83hfk2"})
