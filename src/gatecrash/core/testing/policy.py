"""A test policy: which vulnerability types are looked for, at which points, at what cost."""

import msgspec

from gatecrash.core.testing.extension_source import Source
from gatecrash.core.testing.fuzzer import Fuzzer


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """What a run may look for.

    types: vulnerability types in the order they are tried. locations: first steps of the points that are used
    (`uri`, `path`, `action_name`, `action_ext`, `get`, `post`, `header`), and `name` for the names of parameters there.
    include, exclude: points whose elements are regular expressions; they do not limit `auth` and `idor`.
    methods_excluded: baselines with these methods are recorded and not tested. budget: test requests per baseline.
    fuzzer: what `anomaly` sends and how it judges. extensions: tests of the user's own. only_custom: nothing else is tried.
    logins: `info` tries wrong passwords: three for the recorded name, twenty for an invented one.
    one_family: of each class only the payloads that confirm most of it, where others would follow: neither waits nor stores.
    desc, tags: for people.
    """

    id: str
    name: str
    types: tuple[str, ...]
    locations: tuple[str, ...] = ("uri", "path", "get", "post")
    include: tuple[tuple[str, ...], ...] = ()
    exclude: tuple[tuple[str, ...], ...] = ()
    methods_excluded: tuple[str, ...] = ()
    budget: int | None = None
    desc: str = ""
    tags: tuple[str, ...] = ()
    fuzzer: Fuzzer = Fuzzer()
    extensions: tuple[Source, ...] = ()
    only_custom: bool = False
    logins: bool = False
    one_family: bool = False


def is_thorough(policy: Policy) -> bool:
    """Whether requests are to be spent on what is rare: where a policy looks into headers, too."""
    return "header" in policy.locations


DEFAULT = Policy(
    id="default",
    name="Default",
    types=("auth", "idor", "sqli", "nosqli", "rce", "ssti", "ptrav", "xxe", "xss", "ssrf", "redir"),
)
QUICK = Policy(id="quick", name="Quick", types=DEFAULT.types, one_family=True)
THOROUGH = Policy(
    id="thorough",
    name="Thorough",
    types=(
        *DEFAULT.types,
        "ldapi",
        "xpathi",
        "crlf",
        "mass_assignment",
        "csrf",
        "cors",
        "info",
        "deserialization",
        "graphql",
        "anomaly",
    ),
    locations=("uri", "path", "action_name", "action_ext", "get", "post", "header", "name"),
)
BUILT_IN = {policy.id: policy for policy in (DEFAULT, QUICK, THOROUGH)}

PUBLIC_AUTH = "auth of public requests"
"""In the place of `auth` where a request is for everybody: what is left of it looks at the answer alone."""

# All that a policy may name.
TYPES = THOROUGH.types
LOCATIONS = THOROUGH.locations
MOST_REQUESTS = 1_000_000
