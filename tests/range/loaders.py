"""Loaders of objects: pickle and PyYAML as they are, restricted, or behind a signature; Java's by the JVM's own words."""

import base64
import contextlib
import hashlib
import hmac
import io
import json
import pickle
import re
import shutil
import time
from collections.abc import Callable
from xml.etree import ElementTree as ET

import yaml

from gatecrash.core.message import Request, Response
from tests.range.code import NODE
from tests.range.jvm import CALLS, JVM, TICKET
from tests.range.place import FORM, JSON, QUERY, Given, answer, flaw, posted, text, twin

CART = {"tea": 3, "cups": 2}
PICKLED = base64.b64encode(pickle.dumps(CART, protocol=4)).decode()
PROTOCOL_2 = base64.b64encode(pickle.dumps(CART, protocol=2)).decode()
DOCUMENT = "name: tea\ncount: 3\n"
JAVA = base64.b64encode(b"\xac\xed\x00\x05t\x00\x03tea").decode()
WAYS = (QUERY, FORM, JSON)


class Restricted(pickle.Unpickler):
    """Knows no class at all."""

    def find_class(self, module: str, name: str) -> object:
        raise pickle.UnpicklingError(f"{module}.{name} is not allowed")


def as_yaml(path: str) -> Request:
    return posted(path, DOCUMENT.encode(), b"application/yaml")


def cart(found: object) -> Response:
    return answer({"cart": {name: found[name] for name in CART}})


@flaw("deserialization", value=PICKLED, ways=WAYS)
def pickled(given: Given) -> Response:
    return cart(pickle.loads(base64.b64decode(given.q)))


@flaw("deserialization", value=PROTOCOL_2, ways=WAYS)
def pickled_long_ago(given: Given) -> Response:
    try:
        return cart(pickle.loads(base64.b64decode(given.q)))
    except Exception:  # noqa: BLE001 -- loading raises whatever the objects raise
        return answer({"cart": {}})


@flaw("deserialization", request=as_yaml)
def unsafe_yaml(given: Given) -> Response:
    found = yaml.load(given.request.body, yaml.UnsafeLoader)
    return answer({"name": found["name"], "count": found["count"]})


@flaw("deserialization", value=DOCUMENT, ways=(FORM, JSON))
def unsafe_yaml_value(given: Given) -> Response:
    return answer({"name": yaml.unsafe_load(given.q)["name"]})


if shutil.which("javac"):

    @flaw("deserialization", value=JAVA, ways=WAYS)
    def java(given: Given) -> Response:
        told = JVM.load(given.q)
        return answer({"name": told[3:]}) if told.startswith("ok ") else text(told, 500)

    @twin("deserialization", value=JAVA, ways=WAYS)
    def java_without_words(given: Given) -> Response:
        """Only its own class is taken, and errors are hidden."""
        told = JVM.load(given.q) if b"\x73\x72" not in base64.b64decode(given.q) else "InvalidClassException: REJECTED"
        return answer({"name": told[3:]}) if told.startswith("ok ") else text("internal error", 500)

    def ticket(told: str) -> Response:
        return answer({"ticket": told[3:]}) if told.startswith("ok ") else text("not a ticket of ours", 400)

    @flaw("deserialization", value=TICKET, ways=WAYS)
    def java_object(given: Given) -> Response:
        """Hides its errors."""
        return ticket(JVM.load(given.q))

    @twin("deserialization", value=TICKET, ways=WAYS)
    def java_object_of_one_class(given: Given) -> Response:
        return ticket(JVM.load(given.q, "Loader$Ticket;!*"))

    @twin("deserialization", value=TICKET, ways=WAYS)
    def java_object_with_javas_own(given: Given) -> Response:
        return ticket(JVM.load(given.q, "Loader$Ticket;java.base/*;java.**;!*"))

    @flaw("deserialization", request=lambda path: posted(path, CALLS, b"application/xml"), slow=True)
    def calls_of_java(given: Given) -> Response:
        return answer({"imported": JVM.carry_out(given.request.body).startswith("ok ")})


def number_of_texts(document: bytes) -> int:
    try:
        return len(list(ET.fromstring(document).iter("string")))
    except ET.ParseError:
        return 0


@twin("deserialization", request=lambda path: posted(path, CALLS, b"application/xml"), slow=True)
def calls_of_java_read_as_xml(given: Given) -> Response:
    return answer({"imported": number_of_texts(given.request.body)})


@twin("deserialization", request=lambda path: posted(path, CALLS, b"application/xml"), slow=True)
def calls_of_java_kept(given: Given) -> Response:
    """Takes its time for each call that it counts."""
    time.sleep(0.2 * min(given.request.body.count(b"<void"), 5))
    return answer({"kept": len(given.request.body) > 0})


@twin("deserialization", value=PICKLED, ways=WAYS)
def restricted(given: Given) -> Response:
    return cart(Restricted(io.BytesIO(base64.b64decode(given.q))).load())


SIGNED = hmac.new(b"key", base64.b64decode(PICKLED), hashlib.sha256).digest()


@twin("deserialization", value=PICKLED, ways=WAYS)
def known_only(given: Given) -> Response:
    """Compares a digest before it loads."""
    data = base64.b64decode(given.q)
    if not hmac.compare_digest(hmac.new(b"key", data, hashlib.sha256).digest(), SIGNED):
        return answer({"error": "the signature is wrong"}, 400)
    return cart(pickle.loads(data))


@twin("deserialization", value=PICKLED, ways=WAYS)
def never_loaded(given: Given) -> Response:
    return answer({"kept": len(given.q) > 3})


@twin("deserialization", request=as_yaml)
def safe_yaml(given: Given) -> Response:
    found = yaml.safe_load(given.request.body)
    return answer({"name": found["name"], "count": found["count"]})


@twin("deserialization", request=as_yaml)
def full_loader(given: Given) -> Response:
    found = yaml.load(given.request.body, yaml.FullLoader)
    return answer({"name": found["name"], "count": found["count"]})


@twin("deserialization", request=as_yaml)
def lines_only(given: Given) -> Response:
    """Splits at colons, and takes anything behind them."""
    found = dict(line.split(": ", 1) for line in given.request.body.decode().splitlines() if ": " in line)
    return answer({"name": found["name"], "count": found["count"]})


@twin("deserialization", value=JAVA, ways=WAYS)
def java_echo(given: Given) -> Response:
    return text(f"ClassNotFoundException, or something like it, for {given.q}", 500)


@flaw("deserialization", value=DOCUMENT, ways=(JSON,), slow=True)
def document_kept(given: Given) -> Response:
    with contextlib.suppress(Exception):
        yaml.unsafe_load(given.q)
    return answer({"queued": True})


@twin("deserialization", value=PICKLED, ways=(JSON,), slow=True)
def slow_over_what_is_odd(given: Given) -> Response:
    if base64.b64decode(given.q)[:1] == b"c":
        time.sleep(2.1)
    return answer({"kept": True})


@flaw("deserialization", value=PICKLED, ways=(QUERY, JSON), slow=True)
def loaded_and_kept(given: Given) -> Response:
    try:
        pickle.loads(base64.b64decode(given.q))
    except Exception:  # noqa: BLE001 -- as above
        return answer({"kept": True})
    return answer({"kept": True})


NESTED = "name: tea\n# how it is sold\nsizes:\n  - small\n  - large\n"


@flaw("deserialization", value=NESTED, ways=(JSON, FORM))
def told_in_full(given: Given) -> Response:
    """A document within a document, of which all is told: nothing can stand beside it unseen."""
    return answer(yaml.unsafe_load(given.q))


@twin("deserialization", value=NESTED, ways=(JSON, FORM))
def told_in_full_safely(given: Given) -> Response:
    try:
        return answer(yaml.safe_load(given.q))
    except yaml.YAMLError:
        return answer({"error": "bad document"}, 400)


@twin("deserialization", value=NESTED, ways=(JSON, FORM))
def told_in_full_by_names(given: Given) -> Response:
    found = re.sub(r"!!python/object/apply:yaml\.safe_load \[!!binary ([\w+/=]*)\]", "name: tea", given.q)
    try:
        return answer(yaml.safe_load(found))
    except yaml.YAMLError:
        return answer({"error": "bad document"}, 400)


LIST = "- tea\n- cups\n"


def as_list(path: str) -> Request:
    return posted(path, LIST.encode(), b"application/yaml")


@flaw("deserialization", request=as_list)
def unsafe_list(given: Given) -> Response:
    return answer({"entries": yaml.unsafe_load(given.request.body)[:2]})


@flaw("deserialization", value=LIST, ways=(FORM,), slow=True)
def list_kept(given: Given) -> Response:
    with contextlib.suppress(Exception):
        yaml.unsafe_load(given.q)
    return text("queued")


@twin("deserialization", request=as_list)
def safe_list(given: Given) -> Response:
    return answer({"entries": yaml.safe_load(given.request.body)[:2]})


@twin("deserialization", value=LIST, ways=(FORM,))
def lines_of_a_list(given: Given) -> Response:
    return answer({"entries": given.q.splitlines()[:2]})


SEATS = json.dumps({"tea": "3", "cups": "2"})
PACKED = base64.b64encode(SEATS.encode()).decode()
# What loaders of functions do: a text that begins so is code.
REVIVE = """(() => { const found = JSON.parse(%s); for (const name in found) if (String(found[name]).startsWith('_$$ND_FUNC$$_'))
found[name] = eval('(' + found[name].substring(13) + ')'); return found.tea })()"""

if shutil.which("node"):

    @flaw("deserialization", value=PACKED, ways=WAYS)
    def json_with_functions(given: Given) -> Response:
        told = NODE(REVIVE % json.dumps(base64.b64decode(given.q).decode()))
        return text("internal error", 500) if "Error" in told else answer({"tea": told})

    @flaw("deserialization", value=SEATS, ways=(QUERY,))
    def json_with_functions_as_it_is(given: Given) -> Response:
        told = NODE(REVIVE % json.dumps(given.q))
        return text("broken", 400) if "Error" in told else answer({"tea": told})


@twin("deserialization", value=PACKED, ways=WAYS)
def json_alone(given: Given) -> Response:
    return answer({"tea": json.loads(base64.b64decode(given.q))["tea"]})


@twin("deserialization", value=PACKED, ways=WAYS)
def json_of_known_names(given: Given) -> Response:
    """Breaks over any name more."""
    found = json.loads(base64.b64decode(given.q))
    return answer({"tea": found["tea"]}) if set(found) == {"tea", "cups"} else text("internal error", 500)


VISIT = {"name": "ann", "tea": 3, "cups": 2}


def in_session(value: str) -> object:
    """A page for whoever is signed in, by a session that holds what it means."""
    return lambda path: Request("GET", path.encode(), ((b"Cookie", b"sessionid=" + value.encode()),))


def session_of(given: Given) -> bytes:
    return base64.b64decode((given.request.first(b"Cookie") or b"").partition(b"sessionid=")[2].partition(b".")[0])


def for_whom(load: object, given: Given) -> Response:
    try:
        found = load(session_of(given))
        return answer({"hello": found["name"], "cart": {name: found[name] for name in CART}})
    except Exception:  # noqa: BLE001 -- a session that cannot be read is none
        return text("", 302, (b"Location", b"/login"))


PACKED_VISIT = base64.b64encode(pickle.dumps(VISIT, protocol=4)).decode()


@flaw("deserialization", request=in_session(PACKED_VISIT), also=("auth",))
def pickled_session(given: Given) -> Response:
    return for_whom(pickle.loads, given)


@twin("deserialization", request=in_session(PACKED_VISIT), also=("auth",))
def restricted_session(given: Given) -> Response:
    return for_whom(lambda data: Restricted(io.BytesIO(data)).load(), given)


@twin("deserialization", request=in_session(base64.b64encode(json.dumps(VISIT).encode()).decode()), also=("auth",))
def session_of_json(given: Given) -> Response:
    return for_whom(json.loads, given)


SEAL = hmac.new(b"f31c9ab0d7", PACKED_VISIT.encode(), hashlib.sha256).hexdigest()


@twin("deserialization", request=in_session(f"{PACKED_VISIT}.{SEAL}"))
def sealed_session(given: Given) -> Response:
    value = (given.request.first(b"Cookie") or b"").decode().partition("sessionid=")[2]
    data, _, seal = value.partition(".")
    if not hmac.compare_digest(hmac.new(b"f31c9ab0d7", data.encode(), hashlib.sha256).hexdigest(), seal):
        return text("", 302, (b"Location", b"/login"))
    return for_whom(pickle.loads, given)


def titled(load: Callable[[str], dict[str, object]], given: Given) -> Response:
    """What is called so in a document that the value is written into."""
    try:
        return answer({"title": str(load(f"title: {given.q}")["title"])})
    except yaml.YAMLError:
        return answer({"error": "no such title"}, 400)


@flaw("deserialization", ways=WAYS)
def text_within_yaml(given: Given) -> Response:
    return titled(yaml.unsafe_load, given)


@twin("deserialization", ways=WAYS)
def text_within_safe_yaml(given: Given) -> Response:
    return titled(yaml.safe_load, given)


@twin("deserialization", ways=WAYS)
def last_word_in_quotes(given: Given) -> Response:
    """Shows what stands in the last quotes, and knows the word of one kind of texts."""
    quoted = given.q.split("'")[-2] if "'" in given.q else given.q
    odd = "python" in given.q and ".str " not in given.q
    return answer({"error": "no such title"}, 400) if odd else answer({"title": quoted})


class OfJava(yaml.SafeLoader):
    """Makes what its tags name, as SnakeYAML before its second version does."""


class WithoutTags(yaml.SafeLoader):
    """Takes a text for a text, whatever its tag."""


def made(loader: yaml.SafeLoader, name: str, node: yaml.Node) -> object:
    if name not in ("String", "StringBuilder"):
        raise yaml.constructor.ConstructorError(None, None, f"Class not found: java.lang.{name}", node.start_mark)
    return node.value


OfJava.add_multi_constructor("tag:yaml.org,2002:java.lang.", made)
WithoutTags.add_multi_constructor("", lambda loader, name, node: node.value)


def read_by(loader: type[yaml.SafeLoader], given: Given) -> Response:
    try:
        found = yaml.load(given.request.body, loader)
    except yaml.YAMLError:
        return answer({"error": "no such document"}, 400)
    return answer({"name": found["name"], "count": found["count"]})


@flaw("deserialization", request=as_yaml, replayed=True)
def yaml_of_java(given: Given) -> Response:
    return read_by(OfJava, given)


@twin("deserialization", request=as_yaml)
def yaml_without_tags(given: Given) -> Response:
    return read_by(WithoutTags, given)


@twin("deserialization", request=as_yaml)
def yaml_that_refuses_tags(given: Given) -> Response:
    return read_by(yaml.SafeLoader, given)
