"""Which further scripts a script loads, as bundlers write it: nothing is run.

imported_by("import('./a-1f.js')")      ["./a-1f.js"]: addresses as seen from the script itself
workers_of("new Worker('w.js')")        ["w.js"]: addresses as seen from the page that runs it
chunks_of(code, "/static/js/main.js")   the pieces that webpack's runtime puts together from a folder, a number and a hash
"""

import re
from urllib.parse import urljoin

_MOST = 300
# ECMA-262, 16.2.2 (import declarations, also without blanks) and 13.3.10 (import calls).
_IMPORT = re.compile(
    r"""(?<![\w$.])(?:import|from)\s*+\(?\s*+(["'`])(?P<address>(?:\.{1,2}/|/)[\w@./~-]++(?<=\.js|mjs))\1"""
)
# HTML, 10.3.1: what workers import is seen from themselves, and so is what a bundler writes as `new URL('./w.js', import.meta.url)`.
_IN_WORKERS = re.compile(
    r"""(?<![\w$.])(?:importScripts\s*+\(|new\s++(?:Shared)?Worker\s*+\(\s*+new\s++URL\s*+\()\s*+(["'`])(?P<address>[\w@./~?=&%-]++)\1"""
)
# HTML, 10.2.6.3, and Service Workers, 3.4.3: what a page starts is seen from the page.
_WORKER = re.compile(
    r"""(?:(?<![\w$.])new\s++(?:Shared)?Worker|\bserviceWorker\s*+\.\s*+register)\s*+\(\s*+(["'`])(?P<address>[\w@./~?=&%-]++)\1"""
)
# The end of `"static/js/" + ({7: "admin"}[e] || e) + "." + {7: "1f3a"}[e] + ".chunk.js"`; the folder and the names may be absent.
_HASHED = re.compile(
    r'"(?P<between>[.~-])"\s*+\+\s*+(?P<hashes>\{[^{}]*+\})\s*+\[\w++\]\s*+\+\s*+"(?P<end>[\w.-]++(?<=\.js))"'
)
_PAIR = re.compile(r'(?<![\w.~-])"?(?P<key>[\w.~-]++)"?\s*+:\s*+"(?P<value>[\w.~-]++)"')
_NEAR = 20_000


def imported_by(code: str) -> list[str]:
    """Static imports and import calls with an address that is written out; names of packages are none."""
    found = (each["address"] for pattern in (_IMPORT, _IN_WORKERS) for each in pattern.finditer(code))
    return list(dict.fromkeys(found))[:_MOST]


def workers_of(code: str) -> list[str]:
    """Scripts that run beside the page, and ask its server as it does."""
    return list(dict.fromkeys(each["address"] for each in _WORKER.finditer(code)))[:_MOST]


def chunks_of(code: str, script: str) -> list[str]:
    """Their addresses. script: the path of the script that loads them, below which folder they are seen from."""
    found = []
    for each in _HASHED.finditer(code):
        folder, names = _before(code[max(0, each.start() - _NEAR) : each.start()])
        head, sign, _ = script.partition(f"/{folder}") if folder else ("", "", "")
        base = f"{head}/" if sign else urljoin(script, ".")
        for key, value in _pairs(each["hashes"]).items():
            found.append(f"{base}{folder}{names.get(key, key)}{each['between']}{value}{each['end']}")
    return list(dict.fromkeys(found))[:_MOST]


def _before(code: str) -> tuple[str, dict[str, str]]:
    """The folder and the names that end here, behind which a sign and the hashes stand."""
    joined = code.rstrip(" ").removesuffix("+").rstrip(" ")
    begin = joined.rfind("({") if joined.endswith(")") else joined.rfind("+") + 1
    if begin < 0 or not (joined.endswith(")") or joined[begin:].strip().isidentifier()):
        return "", {}
    ahead = joined[:begin].rstrip(" +")
    folder = ahead[:-1].rpartition('"')[2] if ahead.endswith('"') else ""
    return folder, _pairs(joined[begin:]) if joined.endswith(")") else {}


def _pairs(text: str) -> dict[str, str]:
    return {found["key"]: found["value"] for found in _PAIR.finditer(text)}
