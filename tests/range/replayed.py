"""Engines that do not run here, as their answers were seen: SQL Server, Oracle, MySQL, Windows, .NET and Ruby.

Each knows of its engine only what decides an answer here: whether quotes close, what a doubled sign is, which words it has.
"""

import base64
import re

from gatecrash.core.message import Response
from tests.range.place import FORM, JSON, QUERY, Given, answer, flaw, page, text, twin

WAYS = (QUERY, FORM, JSON)
IIS = (b"Server", b"Microsoft-IIS/10.0")
WIN_INI = "; for 16-bit app support\r\n[fonts]\r\n[extensions]\r\n[mci extensions]\r\n[files]\r\n"


def open_quotes(value: str) -> bool:
    """Whether a text in single quotes does not end where the value does."""
    return value.replace("''", "").count("'") % 2 == 1


@flaw("sqli", ways=WAYS, replayed=True)
def sql_server(given: Given) -> Response:
    if open_quotes(given.q):
        message = f"Unclosed quotation mark after the character string '{given.q[-20:]}'."
        return text(f"System.Data.SqlClient.SqlException (0x80131904): {message}", 500)
    return answer({"rows": [1, 2, 3] if given.q == "tea" else []})


@flaw("sqli", ways=WAYS, replayed=True)
def oracle(given: Given) -> Response:
    if open_quotes(given.q):
        return answer({"error": "ORA-01756: quoted string not properly terminated"}, 500)
    return answer({"rows": [1, 2, 3] if given.q == "tea" else []})


@flaw("sqli", ways=WAYS, replayed=True)
def mysql(given: Given) -> Response:
    if open_quotes(given.q):
        told = "You have an error in your SQL syntax; check the manual that corresponds to your MariaDB server version"
        return page(f"{told} for the right syntax to use near '{given.q[-10:]}' at line 1", 500)
    return page("<li>tea</li>" if given.q == "tea" else "nothing")


@flaw("ptrav", value="tea.txt", ways=(QUERY,), replayed=True)
def windows_file(given: Given) -> Response:
    path = given.q.replace("/", "\\").lower()
    if path.endswith("\\windows\\win.ini") and path.startswith(("..\\", "c:\\windows\\win")):
        return text(WIN_INI, 200, IIS)
    return text("Tea.", 200, IIS) if path == "tea.txt" else text("Could not find file", 404, IIS)


@twin("ptrav", value="tea.txt", ways=WAYS)
def windows_file_by_name(given: Given) -> Response:
    """Takes the last part of a path, whatever stands before it."""
    name = re.split(r"[\\/]", given.q)[-1].lower()
    return text("Tea.", 200, IIS) if name == "tea.txt" else text(f"Could not find file C:\\web\\{name}", 404, IIS)


COMPUTING = re.compile(r"set /a (\d+)\*(\d+)")


@flaw("rce", value="example.org", ways=WAYS, replayed=True)
def windows_command(given: Given) -> Response:
    pieces = re.split(r"&+|\|+", given.q)
    computed = [COMPUTING.fullmatch(piece.strip().strip('"')) for piece in pieces[1:]]
    shown = [str(int(found[1]) * int(found[2])) for found in computed if found]
    return text("\r\n".join(["Pinging " + pieces[0], *shown]), 200, IIS)


@twin("rce", value="example.org", ways=WAYS)
def windows_echo(given: Given) -> Response:
    return text("Pinging " + given.q, 200, IIS)


NET = base64.b64encode(b"\x00\x01\x00\x00\x00\xff\xff\xff\xff\x01\x00\x00\x00\x00\x00\x00\x00\x06\x01tea").decode()
RUBY = base64.b64encode(b"\x04\x08\x49\x22\x08tea\x06:\x06ET").decode()


def decoded(value: str) -> bytes:
    return base64.b64decode(value)


@flaw("deserialization", value=NET, ways=WAYS, replayed=True)
def net_stream(given: Given) -> Response:
    found = re.search(rb"\x0c\x02\x00\x00\x00.([a-zA-Z0-9]+), Version", decoded(given.q))
    if found:
        message = f"Unable to find assembly '{found[1].decode()}, Version=1.0.0.0'."
        return text(f"System.Runtime.Serialization.SerializationException: {message}", 500)
    return answer({"name": "tea"})


@flaw("deserialization", value=RUBY, ways=WAYS, replayed=True)
def ruby_stream(given: Given) -> Response:
    found = re.match(rb"\x04\x08o:.([A-Z]\w+)", decoded(given.q))
    if found:
        return text(f"ArgumentError (undefined class/module {found[1].decode()})", 500)
    return answer({"name": "tea"})


@twin("deserialization", value=NET, ways=WAYS)
def net_refused(given: Given) -> Response:
    if decoded(given.q) != decoded(NET):
        return text("System.Runtime.Serialization.SerializationException: the signature is wrong.", 500)
    return answer({"name": "tea"})


@twin("sqli", ways=WAYS)
def quotes_counted(given: Given) -> Response:
    """Complains of quotes as an engine does, and of doubled ones as well: a form's own check."""
    if "'" in given.q:
        return answer({"error": "quoted string not properly terminated"}, 400)
    return answer({"rows": [1, 2, 3] if given.q == "tea" else []})


TAGS = re.compile(r"\[%.*?%\]")
TAG = re.compile(r"\[%\s*(\d+)\*(\d+)\s*%\]")


@flaw("ssti", ways=WAYS, replayed=True)
def template_toolkit(given: Given) -> Response:
    """Perl's Template Toolkit: its tags alone are read, and what is no expression in them breaks the page."""
    made = TAG.sub(lambda found: str(int(found[1]) * int(found[2])), given.q)
    return text("file error", 500) if "[%" in made else text(f"Hello {made}")


@twin("ssti", ways=WAYS)
def tags_taken_out(given: Given) -> Response:
    return text("Hello " + TAGS.sub("", given.q))


@twin("ssti", ways=WAYS)
def tags_handed_over(given: Given) -> Response:
    """The greeting is an argument of the template; only what stands in it as a placeholder is filled."""
    return text("Hello [% name %]".replace("[% name %]", given.q))


WEBRICK = (b"Server", b"WEBrick/1.8.1 (Ruby/3.1.2/2022-04-12)")
REPORTS = {"daily": "Three plots were watered", "weekly": "Twelve plots were watered"}
OF_ALL_OBJECTS = ("binding", "caller_locations", "local_variables", "global_variables", "__method__", "hash", "inspect")


def report(name: str, known: tuple[str, ...] = ()) -> Response:
    told = REPORTS.get(name) or (f"[:{len(name)}]" if name in known else "")
    return text(told or "undefined method", 200 if told else 500, WEBRICK)


@flaw("rce", value="daily", name="action", ways=(QUERY, FORM), replayed=True)
def sent_as_a_message(given: Given) -> Response:
    """Ruby's `send` calls whatever it is told."""
    return report(str(given.values["action"]), OF_ALL_OBJECTS)


@twin("rce", value="daily", name="action", ways=(QUERY, FORM))
def sent_to_public_methods(given: Given) -> Response:
    return report(str(given.values["action"]), OF_ALL_OBJECTS[5:])


@twin("rce", value="daily", name="action", ways=(QUERY, FORM))
def sent_by_a_list(given: Given) -> Response:
    return report(str(given.values["action"]))
