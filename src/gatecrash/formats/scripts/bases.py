"""What an application in the browser puts before the addresses that it asks for: `axios.create({baseURL: '/api'})`.

bases_in("axios.create({baseURL: '/api/v2'})", "http://a.example/")       ["/api/v2"]
bases_in("const a='/api';make({baseURL:`${a}/v2`})", "http://a.example/") ["/api/v2"]

A base is a path, or an address at the page's own origin, that the script calls so: base, prefix, root, endpoint, API.
Its pieces lie far from each other in a bundle, so which call goes through which client is not told; what is asked for
in vain is asked for again below a base (`node/scan/crawl_bases`).
"""

import re
from itertools import islice
from urllib.parse import urljoin, urlsplit

from gatecrash.core.words.names import words_in
from gatecrash.formats.scripts.literals import script_of

_MOST, _MOST_READ = 6, 500
_NAMED = re.compile(r"""(?<![\w$])(?P<name>[A-Za-z_$][\w$]*+)["']?\s*+[:=](?![=>])\s*+""")
_PATH = re.compile(r"(?:https?:/)?/[\w./:~-]*+")
_BASE = frozenset({"base", "prefix", "root", "api", "endpoint", "backend"})


def bases_in(code: str, page: str) -> list[str]:
    """Paths without a slash at their end, each once. page: the address of the page that runs the script."""
    own, script, found = urlsplit(page), script_of(code), list[str]()
    named = (each for each in _NAMED.finditer(code) if _BASE & set(words_in(each["name"])))
    for each in islice(named, _MOST_READ):
        value = script.written_out(each.end())
        if value is None or not _PATH.fullmatch(value):
            continue
        try:
            address = urlsplit(urljoin(page, value))
        except ValueError:
            continue
        path = address.path.rstrip("/")
        if (address.scheme, address.netloc) == (own.scheme, own.netloc) and path and "//" not in path:
            found.append(path)
    return list(dict.fromkeys(found))[:_MOST]
