"""Command lines that a real shell reads, with the value quoted or not."""

import re
import shlex
import subprocess

from gatecrash.core.message import Response
from tests.range.place import FORM, JSON, QUERY, Given, answer, flaw, text, twin

WAYS = (QUERY, JSON)


def run(command: str) -> str:
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, timeout=10, check=False)
    return done.stdout + done.stderr


@flaw("rce", ways=(QUERY, FORM, JSON))
def bare(given: Given) -> Response:
    return text(run(f"echo up {given.q}"))


@flaw("rce", ways=WAYS)
def single(given: Given) -> Response:
    return text(run(f"echo 'up {given.q} now'"))


@flaw("rce", ways=WAYS)
def double(given: Given) -> Response:
    return answer({"told": run(f'echo "up {given.q} now"')})


@flaw("rce", value="10.0.0.1", name="host", ways=WAYS)
def substituted(given: Given) -> Response:
    return text(run(f"echo $(echo {given.values['host']})"))


@flaw("rce", value="tea.zip", name="file", ways=(QUERY,))
def filtered_in_quotes(given: Given) -> Response:
    """Refuses the signs that people think of."""
    name = str(given.values["file"])
    return text("bad characters", 400) if re.search(r"[;|&`]", name) else text(run(f"echo 'up {name} now'"))


@flaw("rce", value="tea.example", name="host", ways=(QUERY,))
def parted_nowhere_in_quotes(given: Given) -> Response:
    """Takes out what parts commands, lines and blanks among it."""
    return text(run(f"echo '{re.sub(r'[;|&<> `]|[^ -~]', '', str(given.values['host']))}' resolves"))


@twin("rce", value="tea.example", name="host", ways=(QUERY,))
def parted_nowhere_and_quoted(given: Given) -> Response:
    return text(run(f"echo {shlex.quote(re.sub(r'[;|&<> `]|[^ -~]', '', str(given.values['host'])))} resolves"))


@twin("rce", value="tea.example", name="host", ways=(QUERY,))
def without_single_quotes(given: Given) -> Response:
    return text(run(f"echo '{str(given.values['host']).replace(chr(39), '')}' resolves"))


@twin("rce", value="tea.zip", name="file", ways=(QUERY,))
def filtered_and_quoted(given: Given) -> Response:
    name = str(given.values["file"])
    return text("bad characters", 400) if re.search(r"[;|&`]", name) else text(run(f"echo {shlex.quote(name)}"))


@twin("rce", value="tea.zip", name="file", ways=(QUERY,))
def lines_told_apart(given: Given) -> Response:
    """Shows each line by itself, and runs none."""
    return answer({"lines": str(given.values["file"]).splitlines()})


RUBY = (b"Server", b"WEBrick/1.8.1 (Ruby/3.1.2/2022-04-12)")


@flaw("rce", value="2", name="count", ways=(QUERY,))
def checked_line_by_line(given: Given) -> Response:
    """As Ruby reads `^` and `$`."""
    count = str(given.values["count"])
    return text(run(f"echo {count}") if re.search(r"^\d+$", count, re.MULTILINE) else "no number", 200, RUBY)


@twin("rce", value="2", name="count", ways=(QUERY,))
def checked_line_by_line_and_quoted(given: Given) -> Response:
    count = str(given.values["count"])
    known = re.search(r"^\d+$", count, re.MULTILINE)
    return text(run(f"echo {shlex.quote(count)}") if known else "no number", 200, RUBY)


@twin("rce", value="2", name="count", ways=(QUERY,))
def checked_as_a_whole(given: Given) -> Response:
    count = str(given.values["count"])
    return text(run(f"echo {count}") if re.fullmatch(r"\d+", count) else "no number", 200, RUBY)


@flaw("rce", ways=(QUERY,), slow=True)
def blind(given: Given) -> Response:
    run(f"true {given.q}")
    return text("done")


@flaw("rce", ways=WAYS, slow=True)
def limited(given: Given) -> Response:
    """Takes 40 signs, and says so."""
    return text("at most 40 characters", 400) if len(given.q) > 40 else text(run(f"echo 'up {given.q} now'"))


@flaw("rce", value="tea.example", name="host", ways=(QUERY,), slow=True)
def cut_short(given: Given) -> Response:
    """As a column of 50 signs keeps it."""
    run(f'true "{str(given.values["host"])[:50]}"')
    return text("done")


@twin("rce", ways=WAYS)
def limited_and_quoted(given: Given) -> Response:
    return text("at most 40 characters", 400) if len(given.q) > 40 else text(run(f"echo {shlex.quote(given.q)}"))


@twin("rce", value="tea.example", name="host", ways=(QUERY, JSON))
def cut_short_and_quoted(given: Given) -> Response:
    return text(run(f"echo {shlex.quote(str(given.values['host'])[:50])}"))


@flaw("rce", value="notes", ways=WAYS)
def listed(given: Given) -> Response:
    """Tells whether there is such a file, and it is a command line that does."""
    return text(run(f"ls {given.q}"))


@flaw("rce", value="notes", name="dir", ways=WAYS, also=("ptrav",))
def option(given: Given) -> Response:
    """Options of sort write files and start programs."""
    return text(run(f"sort {shlex.quote(str(given.values['dir']))}"))


@flaw("rce", value="notes", name="dir", ways=(QUERY,))
def option_behind_a_folder(given: Given) -> Response:
    words = f"sort /nowhere/{given.values['dir']}".replace("\0", "").split()
    done = subprocess.run(words, capture_output=True, text=True, timeout=10, check=False)
    return text(done.stdout + done.stderr)


@flaw("rce", value="notes", name="dir", ways=(QUERY,), also=("ptrav",))
def split(given: Given) -> Response:
    words = f"ls {given.values['dir']}".replace("\0", "").split()
    done = subprocess.run(words, capture_output=True, text=True, timeout=10, check=False)
    return text(done.stdout + done.stderr)


@twin("rce", value="notes", name="dir", ways=WAYS, also=("ptrav",))
def harmless_option(given: Given) -> Response:
    return text(run(f"ls -d {shlex.quote(str(given.values['dir']))}"))


@twin("rce", value="notes", name="dir", ways=WAYS, also=("ptrav",))
def no_option(given: Given) -> Response:
    return text(run(f"sort -- {shlex.quote(str(given.values['dir']))}"))


@twin("rce", value="notes", name="dir", ways=(QUERY,))
def manual_of_options(given: Given) -> Response:
    """Looks for words in what programs say of themselves."""
    found = [
        line for line in run("sort --version; sort --help").splitlines() if str(given.values["dir"]).strip("-=") in line
    ]
    return text("\n".join(found) or "nothing")


@twin("rce", ways=(QUERY, FORM, JSON))
def quoted(given: Given) -> Response:
    return text(run(f"echo up {shlex.quote(given.q)}"))


@twin("rce", ways=WAYS)
def no_shell(given: Given) -> Response:
    given_out = subprocess.run(
        ["/bin/echo", "up", given.q.replace("\0", "")], capture_output=True, text=True, check=False
    )
    return text(given_out.stdout)


@twin("rce", ways=WAYS)
def validated(given: Given) -> Response:
    return text(run(f"echo {given.q}")) if re.fullmatch(r"[\w.-]+", given.q) else text("no such name", 400)


@twin("rce", ways=WAYS)
def shells_words(given: Given) -> Response:
    return answer({"error": f"sh: 1: {given.q}: not found"})


@twin("rce", ways=WAYS)
def breaks_over_signs(given: Given) -> Response:
    return text("internal error", 500) if re.search(r"[;|&$`'\"]", given.q) else text("fine")
