"""Kinds of clients, by their User-Agent: a small vocabulary of our own, so that nothing a client wrote leaves the node.

A product's token stands where RFC 9110 section 10.1.5 puts it; browsers name each other (every one says Mozilla), so
the order of the table matters: what imitates comes before what is imitated.
"""

import re

OTHER = "other"
NONE = "none"
_LONGEST = 512
_MOST_REMEMBERED = 4096

# Robots announce themselves in these words; people's browsers have none of them.
_BOT = re.compile(
    rb"bot\b|bot[/;) -]|crawl|spider|slurp|scan|monitor|uptime|pingdom|health|probe|facebookexternalhit|nagios",
    re.IGNORECASE,
)
_TABLE: tuple[tuple[str, bytes], ...] = (
    ("kubernetes", b"kube-probe/"),
    ("gatecrash", b"gatecrash/"),
    ("headless", b"headlesschrome/"),
    ("headless", b"phantomjs/"),
    ("postman", b"postmanruntime/"),
    ("insomnia", b"insomnia/"),
    ("curl", b"curl/"),
    ("wget", b"wget/"),
    ("httpie", b"httpie/"),
    ("python-requests", b"python-requests/"),
    ("python", b"python-httpx/"),
    ("python", b"aiohttp/"),
    ("python", b"python-urllib"),
    ("python", b"urllib3/"),
    ("python", b"python/"),
    ("okhttp", b"okhttp/"),
    ("java", b"apache-httpclient/"),
    ("java", b"java-http-client/"),
    ("java", b"java/"),
    ("java", b"jersey/"),
    ("java", b"reactornetty/"),
    ("grpc", b"grpc-"),
    ("go", b"go-http-client/"),
    ("go", b"go-resty/"),
    ("node", b"node-fetch"),
    ("node", b"axios/"),
    ("node", b"undici"),
    ("node", b"got ("),
    ("node", b"node.js"),
    ("node", b"node"),
    ("dotnet", b".net"),
    ("dotnet", b"restsharp/"),
    ("ruby", b"ruby"),
    ("ruby", b"faraday"),
    ("php", b"guzzlehttp/"),
    ("php", b"php"),
    ("perl", b"libwww-perl/"),
    ("ios", b"cfnetwork/"),
    ("ios", b"alamofire/"),
    ("android", b"dalvik/"),
    ("edge", b" edg/"),
    ("edge", b" edga/"),
    ("edge", b" edgios/"),
    ("opera", b" opr/"),
    ("firefox", b"firefox/"),
    ("firefox", b"fxios/"),
    ("chrome", b"chrome/"),
    ("chrome", b"crios/"),
    ("safari", b"safari/"),
)
FAMILIES: tuple[str, ...] = (*dict.fromkeys(family for family, _ in _TABLE), "bot", OTHER, NONE)
_remembered: dict[bytes, str] = {}


def family_of(agent: bytes | None) -> str:
    """The family of a User-Agent's value: one of FAMILIES; `none` where the header is absent or empty."""
    if not agent:
        return NONE
    family = _remembered.get(agent)
    if family is None:
        family = _judged(agent[:_LONGEST])
        # Clients write what they like there, so not every value can be remembered.
        if len(_remembered) < _MOST_REMEMBERED and len(agent) <= _LONGEST:
            _remembered[agent] = family
    return family


def _judged(agent: bytes) -> str:
    lowered = agent.strip().lower()
    if not lowered:
        return NONE
    if lowered.startswith(b"kube-probe/"):
        return "kubernetes"
    if _BOT.search(lowered):
        return "bot"
    return next((family for family, token in _TABLE if token in lowered), OTHER)
