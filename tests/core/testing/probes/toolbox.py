"""A toolbox whose tools run in a real shell, carelessly or with care. `sleep` tells the toolbox's own clock and returns."""

import json
import re
import shlex
import subprocess
from pathlib import Path
from random import Random
from urllib.parse import parse_qsl

from gatecrash.core.message import Request, Response

# The value's places in a command line. What is printed is shown.
SHOWN = {
    "/bare": "echo looking up @",
    "/first": "echo @ looked up",
    "/single": "echo 'looking up @ now'",
    "/double": 'echo "looking up @ now"',
    "/substituted": "echo looking $(echo up @)",
    "/backticks": "echo looking `echo up @`",
    "/failing": "ls /nowhere/@",
}
HIDDEN = {"/blind/bare": "true @", "/blind/single": "true '@' x", "/blind/double": 'true "@" x'}
# A `grep` that is given no file waits for lines that nobody writes.
LOOKED_FOR = {"/grep/bare": "grep -q @ precious", "/grep/single": "grep -q '@' precious"}
GREP = 'grep() { [ $# -gt 2 ] || : > "$CLOCK.waits"; }\n'
# Refused characters before the value is used bare.
REFUSING = {"/no-semicolon": r";", "/no-signs": r"[;|&`]", "/only-lines": r"[;|&`$]", "/no-blank": r"[ ;&]"}


class Toolbox:
    """One toolbox in an empty folder. elapsed: seconds that the last answer took by its own clock."""

    def __init__(self, folder: Path, seed: int = 7) -> None:
        self.folder, self.random, self.elapsed = folder, Random(seed), 0.0
        (folder / "precious").write_text("kept")

    def __call__(self, request: Request) -> Response:
        given = dict(parse_qsl((request.query or b"").decode(), keep_blank_values=True))
        if request.body:
            given |= json.loads(request.body)
        value, path = str(given.get("q", given.get("host", given.get("dir", "")))), request.path.decode()
        self.elapsed = self.random.uniform(0.01, 0.15)
        if path in SHOWN:
            return text(self.run(SHOWN[path], value))
        if path in HIDDEN:
            self.run(HIDDEN[path], value)
            return text("done")
        if path in LOOKED_FOR:
            return self.looked_for(LOOKED_FOR[path], value)
        if path in REFUSING:
            return text("no", 400) if re.search(REFUSING[path], value) else text(self.run("echo up @", value))
        handler = getattr(self, path.strip("/").replace("-", "_"), None)
        return handler(value) if handler else text("no such tool", 404)

    def run(self, command: str, value: str) -> str:
        """What a shell prints for the command; its `sleep` moves the clock."""
        clock = self.folder / "clock"
        clock.write_text("")
        script = 'sleep() { echo "$1" >> "$CLOCK"; }\n' + command.replace("@", value)
        done = subprocess.run(
            ["/bin/sh", "-c", script],
            cwd=self.folder,
            env={"CLOCK": str(clock), "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        self.elapsed += sum(float(line) for line in clock.read_text().split())
        return done.stdout + done.stderr

    def looked_for(self, command: str, value: str) -> Response:
        waits = self.folder / "clock.waits"
        self.run(GREP + command, value)
        if waits.exists():
            waits.unlink()
            raise TimeoutError
        return text("done")

    def jittery_blind(self, value: str) -> Response:
        self.run("true @", value)
        self.elapsed += self.random.uniform(0, 0.3)
        return text("done")

    def slow_blind(self, value: str) -> Response:
        self.run("true @", value)
        self.elapsed += 3.0
        return text("done")

    def at_most_64(self, value: str) -> Response:
        return text("up to 64 characters", 422) if len(value) > 64 else text(self.run("echo 'up @ now'", value))

    def cut_at_50(self, value: str) -> Response:
        self.run('true "@"', value[:50])
        return text("done")

    # Sound

    def at_most_64_quoted(self, value: str) -> Response:
        return text("up to 64 characters", 422) if len(value) > 64 else self.quoted(value)

    def cut_at_50_quoted(self, value: str) -> Response:
        return self.quoted(value[:50])

    def quoted(self, value: str) -> Response:
        return text(self.run("echo looking up @", shlex.quote(value)))

    def option(self, value: str) -> Response:
        return text(self.run("sort @ 2>&1", shlex.quote(value)))

    def harmless_option(self, value: str) -> Response:
        return text(self.run("ls -d @ 2>&1", shlex.quote(value)))

    def no_option(self, value: str) -> Response:
        return text(self.run("sort -- @ 2>&1", shlex.quote(value)))

    def validated(self, value: str) -> Response:
        return text(self.run("echo @", value)) if re.fullmatch(r"[\w.-]+", value) else text("no such name", 400)

    def echo(self, value: str) -> Response:
        return answer({"error": f"sh: {value}: not found"})

    def calculator(self, value: str) -> Response:
        """Computes every product in what it is given, shell or no shell."""
        return text(
            re.sub(r"\$?\\?\(*(\d+)\*(\d+)\\?\)*\\?\)?", lambda found: str(int(found[1]) * int(found[2])), value)
        )

    def slow(self, value: str) -> Response:
        self.elapsed = 4.0 + self.random.random()
        return text("slow")

    def jittery(self, value: str) -> Response:
        self.elapsed = self.random.expovariate(0.7)
        return text("sometimes slow")

    def slow_when_long(self, value: str) -> Response:
        self.elapsed = 0.1 * len(value)
        return text("the longer, the slower")

    def slow_when_odd(self, value: str) -> Response:
        self.elapsed = 2.5 if re.search(r"[;|$]", value) else 0.1
        return text("inspected")

    def firewall(self, value: str) -> Response:
        return text("Forbidden", 403) if re.search(r"[;|&$`\n]", value) else self.quoted(value)

    def breaks(self, value: str) -> Response:
        return text("internal", 500) if re.search(r"[^\w.]", value) else self.quoted(value)

    def soft(self, value: str) -> Response:
        return text(f"Nothing found for {value}")

    def moving(self, value: str) -> Response:
        return text("\n".join(str(self.random.randrange(10**8, 10**9)) for _ in range(50)))

    def static(self, value: str) -> Response:
        return text("Tools.")

    def windows(self, value: str) -> Response:
        """As cmd.exe answers: what `set /a` computes, without a line's end."""
        commands = value.split("rem ")[0].split("&")[1:]
        products = [re.fullmatch(r"set /a (\d+)\*(\d+)", each) for each in commands]
        shown = "".join(str(int(found[1]) * int(found[2])) for found in products if found)
        return Response(200, ((b"Server", b"Microsoft-IIS/10.0"),), b"Pinging" + shown.encode())


def text(content: str, status: int = 200) -> Response:
    return Response(status, ((b"Content-Type", b"text/plain"),), content.encode())


def answer(document: object) -> Response:
    return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(document).encode())
