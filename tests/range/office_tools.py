"""An office's other features: a board, a profile, tools that start programs, mails by template, reports by name."""

import atexit
import html
import json
import re
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

import jinja2

from gatecrash.core.message import Request, Response
from tests.range.asked import asking, at, sending, submitting
from tests.range.place import Given, answer, flaw, miss, page, text, twin

# What is written, and shown elsewhere


BOARD: dict[str, list[str]] = {"raw": [], "escaped": []}


@flaw("xss", request=submitting(author="ann", entry="tea is ready"))
def board(given: Given) -> Response:
    if given.request.method == "POST":
        BOARD["raw"].append(str(given.values.get("entry", "")))
        return text("", 302, (b"Location", b"/office-tools/board"))
    return page("".join(f"<li>{each}</li>" for each in BOARD["raw"][-200:]))


@twin("xss", request=submitting(author="ann", entry="tea is ready"))
def board_escaped(given: Given) -> Response:
    if given.request.method == "POST":
        BOARD["escaped"].append(str(given.values.get("entry", "")))
        return text("", 302, (b"Location", b"/office-tools/board-escaped"))
    return page("".join(f"<li>{html.escape(each)}</li>" for each in BOARD["escaped"][-200:]))


KEPT: dict[str, str] = {"signature": "ann", "motto": "fine"}


@twin("xss", request=lambda path: Request("GET", path.encode()), also=("xss",))
def profile(given: Given) -> Response:
    """Where the signature is shown, and the motto, escaped."""
    return page(f"<h1>{KEPT['signature']}</h1><p>{html.escape(KEPT['motto'])}</p>")


@flaw("xss", request=sending(signature="ann"))
def profile_save(given: Given) -> Response:
    KEPT["signature"] = str(given.values["signature"])
    return answer({"saved": True})


@twin("xss", request=sending(motto="fine"))
def profile_motto(given: Given) -> Response:
    KEPT["motto"] = str(given.values["motto"])
    return answer({"saved": True})


@flaw("xss", request=asking(name="ann"))
def json_as_page(given: Given) -> Response:
    body = json.dumps({"hello": given.values["name"]}).encode()
    return Response(200, ((b"Content-Type", b"text/html; charset=utf-8"),), body)


@twin("xss", request=asking(name="ann"))
def json_escaped_as_page(given: Given) -> Response:
    body = json.dumps({"hello": html.escape(str(given.values["name"]))}).encode()
    return Response(200, ((b"Content-Type", b"text/html; charset=utf-8"),), body)


# Tools


def shell(command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, timeout=15, check=False)


@flaw("rce", request=sending(host="127.0.0.1", count=1))
def ping(given: Given) -> Response:
    done = shell(f"echo ping -c 1 {given.values['host']} 2>&1")
    return answer({"output": done.stdout, "code": done.returncode})


@flaw("rce", request=submitting(domain="example.com"))
def lookup(given: Given) -> Response:
    done = shell(f'echo "name {given.values["domain"]}" | grep -i name')
    return page(f"<pre>{html.escape(done.stdout)}</pre>")


@flaw("rce", request=sending(file="photo.png", width=200, height=100), slow=True)
def convert(given: Given) -> Response:
    done = shell(f"true '{given.values['file']}' -resize 200x100 out.png")
    return answer({"converted": done.returncode == 0})


@flaw("rce", request=sending(file="photo.png", width=200), slow=True)
def convert_width(given: Given) -> Response:
    shell(f"true photo.png -resize {given.values['width']}x100 out.png")
    return answer({"job": "started"}, 202)


@twin("rce", request=sending(host="127.0.0.1", count=1))
def ping_quoted(given: Given) -> Response:
    done = shell(f"echo ping -c 1 -- {shlex.quote(str(given.values['host']))}")
    return answer({"output": done.stdout, "code": done.returncode})


@twin("rce", request=submitting(domain="example.com"))
def lookup_strict(given: Given) -> Response:
    if not re.fullmatch(r"[a-z0-9.-]+", str(given.values["domain"])):
        return page("<p>Invalid domain</p>")
    return page(f"<pre>{html.escape(shell('echo name ' + str(given.values['domain'])).stdout)}</pre>")


@flaw("rce", request=sending(a=5, b=3, operator="+"))
def calculator(given: Given) -> Response:
    return answer({"result": eval(f"{given.values['a']} {given.values['operator']} {given.values['b']}")})


@flaw("rce", request=sending(expression="5 + 3"))
def computed(given: Given) -> Response:
    try:
        return answer({"result": eval(str(given.values["expression"]))})
    except Exception as error:  # noqa: BLE001 -- whatever it raises
        return answer({"error": str(error)}, 400)


MAIL = jinja2.Environment(autoescape=False)


@flaw("ssti", request=sending(name="ann", template="Dear {{ name }}, welcome."))
def mail_preview(given: Given) -> Response:
    try:
        return answer({"preview": MAIL.from_string(str(given.values["template"])).render(name="ann")})
    except jinja2.TemplateError as error:
        return answer({"error": f"template: {error}"}, 400)


@flaw("ssti", request=submitting(name="ann"), also=("xss",))
def greeting(given: Given) -> Response:
    return page(MAIL.from_string(f"<h1>Welcome {given.values['name']}!</h1>").render())


@twin("ssti", request=sending(name="ann", template="Dear {name}, welcome."))
def mail_of_names(given: Given) -> Response:
    return answer({"preview": str(given.values["template"]).replace("{name}", "ann")})


@twin("ssti", request=submitting(name="ann"))
def greeting_bound(given: Given) -> Response:
    return page(jinja2.Environment(autoescape=True).from_string("<h1>Hi {{ n }}</h1>").render(n=given.values["name"]))


SHELF = Path(tempfile.mkdtemp(prefix="range-office-"))
atexit.register(shutil.rmtree, SHELF, ignore_errors=True)
(SHELF / "reports").mkdir()
(SHELF / "reports" / "june.txt").write_text("Rooms were used.")


@flaw("ptrav", request=asking(name="june.txt"))
def report(given: Given) -> Response:
    path = SHELF / "reports" / str(given.values["name"])
    return text(path.read_text()) if path.is_file() else text("No such report", 404)


@flaw("ptrav", request=at("june.txt"))
def report_by_path(given: Given) -> Response:
    path = Path(f"{SHELF}/reports/{given.q}")
    return text(path.read_text()) if path.is_file() else text("No such report", 404)


@flaw("ptrav", request=sending(report={"name": "june.txt"}))
def report_by_body(given: Given) -> Response:
    inner = given.values["report"]
    path = SHELF / "reports" / str(inner["name"]) if isinstance(inner, dict) else SHELF
    return answer({"content": path.read_text()}) if path.is_file() else answer({"error": "no such report"}, 404)


@twin("ptrav", request=asking(name="june.txt"))
def report_inside(given: Given) -> Response:
    base = (SHELF / "reports").resolve()
    path = (base / str(given.values["name"]).replace("\0", "")).resolve()
    return text(path.read_text()) if path.is_relative_to(base) and path.is_file() else text("No such report", 404)


@twin("ptrav", request=at("june.txt"))
def report_listed(given: Given) -> Response:
    return text("Rooms were used.") if given.q == "june.txt" else text("No such report", 404)


@miss("ptrav", request=asking(name="june"))
def report_with_extension(given: Given) -> Response:
    path = SHELF / "reports" / (str(given.values["name"]).replace("\0", "") + ".txt")
    return text(path.read_text()) if path.is_file() else text("No such report", 404)
