"""Deserialisation of untrusted objects: a loader that makes objects of any class is handed what a caller sent.

What it finds
    Values that are a Python pickle, YAML (Python's, Ruby's, JavaScript's, Java's), PHP's serialised form, a Java or
    .NET stream or Ruby's, a document of Java's XMLDecoder, or an object of JSON whose texts may be functions
    (node-serialize) or calls (jsonpickle), in base64, in hexadecimal digits or as they are, and that are loaded by a
    loader which looks up the classes and functions they name. Cookies and tokens that let in are values as others. Any
    text that the server writes into a document of YAML, and loads as Python's.

Why it matters
    Such a value is a program: with the right classes on board, loading it runs commands.

How it decides
    Python and YAML: the value with a call of a known, harmless function beside it (`len`) must be answered as the
    baseline, with a function that does not exist otherwise, in ten rounds; the same with the name alone broken must not
    be answered as the first. Where that tells nothing, a call that waits is put in its place, and an exact
    randomisation test tells whether the answers follow it (`oracles/timing.py`). A loader that is restricted, and a
    value that is signed, refuse both. Of a text in a document of YAML it is the value itself, made by a call; and so,
    too, the whole document, of which all may be told.
    JSON: the same with a member that is called while it is loaded. Ruby: with an object of the class that has nothing,
    and of none.
    PHP: an object in the place of the first element, which stands behind it once more and is kept, changes nothing where its
    class does not exist, and breaks where its class refuses to be made so. Loaders that make no objects take both. Where what
    cannot be read is answered as the baseline, a broken one of the class that refuses must not be answered as the whole.
    Java: an object with a field more, or a list or a map with an object more behind its own: where it is made, nothing
    changes, and where that object refuses to be made so, the answer breaks.
    A document of XMLDecoder is given a call that waits.
    Java, .NET, Ruby: a stream of a class with a fresh name is answered with the complaint that this very class is
    missing, twice; the name stands nowhere in the request as it was written, because the stream is in base64 or binary.
    Java looks a class up before its filter judges it, so one that is there must not be refused by a filter.

Known misses
    .NET where errors are not shown, and Java where the value is a text, an array or an enum; Ruby too where the value
    is neither a list, a hash nor an object. JSON with class names (Jackson, fastjson, Json.NET). PHP's values that are
    loaded and not used in any answer. Signed values whose key is known.

Standards and references
    CWE-502; OWASP Top 10:2021 A08 Software and Data Integrity Failures; OWASP API Security Top 10:2019 API8 Injection.
"""

import re
from collections.abc import Callable, Generator

from gatecrash.core.testing.asking import concluding, sample_baseline, sample_beside
from gatecrash.core.testing.dialogues.boolean_based import FALSE, FALSE_DECOY, TRUE, tells_apart
from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply
from gatecrash.core.testing.dialogues.time_based import waits
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.payloads.deserialization import (
    DOTNET,
    JAVA,
    NODE,
    PHP,
    PYTHON,
    RUBY,
    WITHIN_YAML,
    XML_DECODER,
    YAML,
    Holding,
    coded,
    dotnet,
    holding,
    java,
    jsonpickle,
    node,
    php,
    python,
    python_waiting,
    ruby,
    ruby_pair,
    within_yaml,
    yaml,
    yaml_loaded,
    yaml_of_java,
    yaml_of_javascript,
    yaml_of_ruby,
    yaml_waiting,
)
from gatecrash.core.testing.payloads.java_objects import java_field, java_known, xml_decoder_waiting
from gatecrash.core.testing.places.segments import holds_a_value
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, Proof, Verdict, inconclusive

TYPE = "deserialization"
CWE = (502,)
# Running commands needs the right classes; with Python, YAML and functions they are always there.
THREAT_OF = {
    PYTHON: 95,
    YAML: 95,
    WITHIN_YAML: 95,
    NODE: 95,
    XML_DECODER: 95,
    PHP: 80,
    JAVA: 80,
    DOTNET: 80,
    RUBY: 80,
}
_LONGEST = 100_000
_PAIRED: dict[str, tuple[Callable[..., bytes], ...]] = {
    PYTHON: (python,),
    YAML: (yaml, yaml_loaded, yaml_of_ruby, yaml_of_javascript, yaml_of_java),
    PHP: (php,),
    NODE: (node, jsonpickle),
    RUBY: (ruby_pair,),
    JAVA: (java_field,),
    WITHIN_YAML: (within_yaml,),
}
_WAITING: dict[str, Callable[..., bytes]] = {
    PYTHON: python_waiting,
    YAML: yaml_waiting,
    XML_DECODER: xml_decoder_waiting,
}
_STREAMS: dict[str, Callable[[str], bytes]] = {JAVA: java, DOTNET: dotnet, RUBY: ruby}
_MISSING = {
    JAVA: "ClassNotFoundException[^\\n]{{0,40}}x\\.{mark}",
    DOTNET: "(?:Unable to find assembly|Could not load file or assembly)[^\\n]{{0,20}}{mark}",
    RUBY: "undefined class/module X{mark}",
}

# ObjectInputFilter, of a class that a list leaves out.
_FILTERED = re.compile(r"filter status: REJECTED|\bInvalidClassException\b")

_Deciding = Generator[TestRequest, Answer, Verdict | None]


def _held(situation: Situation) -> Holding | None:
    """What the value holds by its look; of any other text whether it stands in a document is asked for."""
    held = holding(situation.value)
    if held is not None or not holds_a_value(situation) or situation.point[0] not in ("post", "get"):
        return held
    return Holding(WITHIN_YAML, situation.value, coded=False)


def _dialogue(situation: Situation) -> Dialogue:
    held = _held(situation)
    within = held is not None and held.kind == WITHIN_YAML
    samples = yield from (sample_beside if within else sample_baseline)(situation)
    if not samples or held is None:
        return inconclusive(
            TYPE, situation.point, Inconclusive.NO_CONTROL, "no whole answer to the baseline was recorded"
        )
    inquiry = Inquiry(situation, samples)
    verdict = (yield from _by_errors(inquiry, held)) if held.kind in _STREAMS else None
    for make in _loaders(situation, held):
        verdict = verdict or (yield from _by_pairs(inquiry, held, make))
    if verdict is None and held.kind in _WAITING:
        verdict = yield from _by_time(inquiry, held)
    return verdict or (yield from inquiry.nothing_found(TYPE))


def _send(inquiry: Inquiry, data: bytes, held: Holding, purpose: str) -> Asking:
    payload = coded(data, held).decode("utf-8", "surrogateescape")
    return (yield from inquiry.send(payload, purpose=purpose))


def _loaders(situation: Situation, held: Holding) -> tuple[Callable[..., bytes], ...]:
    """The loaders that may read such a value. node-serialize takes texts only, and a whole body is read by the framework."""
    loaders = _PAIRED.get(held.kind, ())
    if held.kind == JAVA and java_field(held.data, "x", known=True) == held.data:
        return ()  # a stream of another shape
    whole = len(situation.point) == 1 or (held.coded and not held.escaped)
    return (jsonpickle,) if held.kind == NODE and whole else loaders


def _by_pairs(inquiry: Inquiry, held: Holding, make: Callable[..., bytes]) -> _Deciding:

    def question(kind: str, purpose: str) -> Asking:
        data = make(held.data, inquiry.mark(), known=kind == TRUE)
        if kind not in (TRUE, FALSE):
            data = _broken(make(held.data, inquiry.mark(), known=kind != FALSE_DECOY), held.kind)
        return (yield from _send(inquiry, data, held, purpose))

    # PHP's loader gives nothing where it cannot read: many take what stands there at first, and that was recorded.
    apart = yield from tells_apart(inquiry, question, either_decoy=held.kind == PHP)
    if apart is None:
        return None
    return inquiry.vulnerable(
        ENTRY, THREAT_OF[held.kind], apart.told(held.kind), f"objects of any class are made: {held.kind}"
    )


def _by_time(inquiry: Inquiry, held: Holding) -> _Deciding:
    """A call that waits, beside the value: for what is loaded and shows nowhere."""
    make = _WAITING[held.kind]

    def waiting(units: int, decoy: bool) -> str:
        payload = coded(make(held.data, inquiry.mark(), units, decoy=decoy), held)
        return payload.decode("utf-8", "surrogateescape")

    waited = yield from waits(inquiry, waiting)
    if waited is None:
        return None
    detail = f"functions are called while it is loaded: {held.kind}"
    return inquiry.vulnerable(ENTRY, THREAT_OF[held.kind], waited.told(), detail)


def _broken(data: bytes, kind: str) -> bytes:
    """The known one with its grammar broken, as any parser of the form sees it."""
    if kind == PYTHON:
        return data.replace(b"tR0", b"ttR", 1)
    if kind == NODE:
        return data.replace(b"function(){", b"function({", 1).replace(b'reduce":', b'reduce"', 1)
    if kind in (RUBY, JAVA):
        return data[:-1]
    if kind == WITHIN_YAML or (kind == YAML and data.startswith(b"!!")):
        return data.replace(b"!!", b"!<", 1)
    return data.replace(b" !", b" !<", 1) if kind == YAML else data.replace(b":0:{}", b":0;{}", 1)


def _by_errors(inquiry: Inquiry, held: Holding) -> _Deciding:
    """A class with a fresh name is missed by its name, twice; a broken stream is complained of otherwise."""
    replies: list[Reply] = []
    for purpose in ("test", "confirm"):
        mark = inquiry.mark(8)
        reply = yield from _send(inquiry, _STREAMS[held.kind](mark), held, purpose)
        if reply is None or not re.search(_MISSING[held.kind].format(mark=mark), reply.text):
            return None
        replies.append(reply)
    mark = inquiry.mark(8)
    control = yield from _send(inquiry, mark.encode(), held, "control")
    if control is None or re.search(_MISSING[held.kind].format(mark=mark), control.text):
        return None
    if held.kind == JAVA:
        known = yield from _send(inquiry, java_known(inquiry.mark()), held, "control")
        if known is None or _FILTERED.search(known.text):
            return None
    proof = Proof(
        test=replies[-1].exchange,
        control=control.exchange,
        verified_by=(
            f"A stream of an object whose class has a name drawn at random is answered with the complaint that this very "
            f"class is missing, twice: the loader ({held.kind}) looks for whatever class it is told. The same name outside "
            f"of a stream is not answered so."
        ),
    )
    detail = f"classes are looked up by name: {held.kind}"
    return inquiry.vulnerable(ENTRY, THREAT_OF[held.kind], proof, detail)


def applies(situation: Situation) -> bool:
    """Values that by their look are serialised objects, a body as a whole among them."""
    point = situation.point
    if point[0] in ("uri", "action_name", "action_ext") or len(situation.value) > _LONGEST:
        return False
    held = _held(situation)
    if held is None:
        return False
    # A header of two words with a colon is no document; who writes lines into one encodes it.
    return held.kind != YAML or point[0] in ("post", "get") or b"\n" in situation.value.strip()


def forecast(situation: Situation) -> int:
    """Requests for a sound point: the samples, and one payload."""
    held = _held(situation)
    if held is not None and held.kind == WITHIN_YAML:
        return 2 if is_safe(situation.baseline.request) else 1
    waiting = held is not None and held.kind in _WAITING
    paired = held is not None and held.kind == JAVA and java_field(held.data, "x", known=True) != held.data
    return (3 if situation.baseline.request.method.upper() in ("GET", "HEAD") else 1) + waiting + paired


ENTRY = Entry(
    type=TYPE,
    title="Deserialisation of untrusted objects",
    cwe=CWE,
    owasp=("A08:2021",),
    owasp_api=("API8:2019",),
    why="A value that names classes is a program: loading it with the right classes on board runs commands on the server.",
    remediation=(
        "Take data formats that make no objects: JSON, or YAML with the safe loader. Where objects must travel, sign them "
        "with a key that only the server has and check it first, and let the loader know a fixed list of classes."
    ),
)
PROBE = Probe(
    type=TYPE, entry=ENTRY, in_credentials=True, applies=applies, forecast=forecast, run=concluding(TYPE, _dialogue)
)
