"""What a value holds, and payloads that real loaders read as they are meant."""

import base64
import json
import pickle
import shutil

import pytest
import yaml as pyyaml
from tests.absent import require
from tests.range.loaders import DOCUMENT, JVM

from gatecrash.core.testing.payloads.deserialization import (
    DOTNET,
    JAVA,
    NODE,
    PHP,
    PYTHON,
    RUBY,
    YAML,
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

VALUES = {PYTHON: pickle.dumps({"a": 1}), JAVA: java("zz"), DOTNET: dotnet("zz"), RUBY: ruby("zz")}


@pytest.mark.parametrize("kind", list(VALUES))
def test_streams_are_known_as_they_are_and_in_base64(kind):
    plain, packed = holding(VALUES[kind]), holding(base64.b64encode(VALUES[kind]))
    assert (plain.kind, plain.coded, packed.kind, packed.coded) == (kind, False, kind, True)
    assert coded(packed.data, packed) == base64.b64encode(VALUES[kind])
    digits = VALUES[kind].hex().encode()
    assert (holding(digits).kind, coded(VALUES[kind], holding(digits))) == (kind, digits)


def test_text_forms_are_known():
    assert holding(b'a:1:{s:1:"k";i:3;}').kind == PHP
    assert holding(b"name: tea\ncount: 3\n").kind == YAML


@pytest.mark.parametrize(
    "document",
    [
        *(b"a: 1\nb:\n  - c\n", b"---\na:\n  b: 1\n\n# said\nc:\n- d", b"- a: 1\n  b: 2\n", b"- a: 1\r\n  b: 2\r\n"),
        *(b"- a: 1\n  b: 2\n  c:\n    - d\n- a: 3\n  b: 4\n", b"---\n- a:\n    - b\n  c: 1"),
    ],
)
def test_a_document_within_a_document_is_known(document):
    assert holding(document).kind == YAML


def test_prose_with_a_colon_in_its_first_line_is_no_document():
    assert holding(b"Dear all: hello\nwe meet at noon\n") is None
    assert holding(b"- bring tea\n  and cups\n") is None


def test_what_python_puts_into_quotes_in_a_cookie_is_known_and_put_back_so():
    value = b'"' + base64.b64encode(VALUES[PYTHON]) + b'"'
    found = holding(value)
    assert (found.kind, found.data, coded(found.data, found)) == (PYTHON, VALUES[PYTHON], value)
    assert holding(b'"tea and cups"') is None


@pytest.mark.parametrize("document", [b"name: tea\nsizes:\n  - small\n", b"- name: tea\n  price: 3\n"])
def test_a_whole_document_made_by_a_call_is_the_document(document):
    data = document
    assert pyyaml.unsafe_load(yaml_loaded(data, "zz", known=True)) == pyyaml.safe_load(data)
    assert yaml_loaded(data, "zz", known=True) != yaml_loaded(data, "yy", known=True), "each is sent for the first time"
    with pytest.raises(pyyaml.constructor.ConstructorError):
        pyyaml.unsafe_load(yaml_loaded(data, "zz", known=False))
    with pytest.raises(pyyaml.constructor.ConstructorError):
        pyyaml.safe_load(yaml_loaded(data, "zz", known=True))


@pytest.mark.parametrize(
    "value",
    [b"tea", b"5", b"hello: there you", b"", b"aGVsbG8gd29ybGQ=", b"[1]", b"10:30", b"deadbeef0102", b"DEADBEEF"],
)
def test_ordinary_values_are_none(value):
    found = holding(value)
    assert found is None or found.kind == YAML


@pytest.mark.parametrize("protocol", range(2, 6))
def test_a_pickle_is_loaded_behind_a_known_function_only(protocol):
    data = pickle.dumps({"tea": [1, 2]}, protocol=protocol)
    assert pickle.loads(python(data, "zz", known=True)) == {"tea": [1, 2]}
    with pytest.raises(AttributeError):
        pickle.loads(python(data, "zz", known=False))


def test_a_call_that_waits_is_made_once_and_a_decoy_never(monkeypatch):
    asked = []
    monkeypatch.setattr("time.sleep", asked.append)
    data = pickle.dumps({"tea": 3})
    assert pickle.loads(python_waiting(data, "zz", 2, decoy=False)) == {"tea": 3}
    assert pyyaml.unsafe_load(yaml_waiting(DOCUMENT.encode(), "zz", 3, decoy=False))["name"] == "tea"
    assert asked == [2, 3]
    with pytest.raises(AttributeError):
        pickle.loads(python_waiting(data, "zz", 2, decoy=True))
    with pytest.raises(pyyaml.YAMLError):
        pyyaml.unsafe_load(yaml_waiting(DOCUMENT.encode(), "zz", 2, decoy=True))
    assert asked == [2, 3]


def test_a_document_keeps_its_names():
    found = pyyaml.unsafe_load(yaml(DOCUMENT.encode(), "zz", known=True))
    assert (found["name"], found["count"], found["xzz"]) == ("tea", 3, 2)
    for known in (True, False):
        with pytest.raises(pyyaml.YAMLError):
            pyyaml.safe_load(yaml(DOCUMENT.encode(), "zz", known=known))


def test_php_counts_the_added_element_which_the_one_behind_it_replaces_in_a_list():
    data = b'a:1:{s:1:"k";i:3;}'
    assert php(data, "zz", known=False) == b'a:2:{s:1:"k";O:12:"DateTimeZone":0:{}s:1:"k";i:3;}'
    assert b'O:12:"DateTimeZonf"' in php(data, "zz", known=True)
    assert php(b"a:0:{}", "zz", known=False) == b'a:1:{s:2:"zz";O:12:"DateTimeZone":0:{}}'


def test_an_object_of_php_gets_one_property_more():
    data = b'O:4:"Cart":1:{s:1:"k";i:3;}'
    assert php(data, "zz", known=False) == b'O:4:"Cart":2:{s:1:"k";i:3;s:2:"zz";O:12:"DateTimeZone":0:{}}'


def test_a_list_in_yaml_gets_one_entry_more():
    found = pyyaml.unsafe_load(yaml(b"- tea\n- cups\n", "zz", known=True))
    assert found == ["tea", "cups", 2]
    assert holding(b"- tea\n- cups").kind == YAML
    assert holding(b"- tea") is None


def test_objects_of_json_are_known_in_base64_and_percent_escapes_and_stay_json():
    plain, packed = holding(b'{"a": 1}'), holding(b"eyJhIjogMX0%3D")
    assert (plain.kind, packed.kind, packed.data, packed.escaped) == (NODE, NODE, b'{"a": 1}', True)
    assert coded(packed.data, packed) == b"eyJhIjogMX0%3D"
    assert json.loads(node(plain.data, "zzbc", known=True)) == {
        "xzzbc": "_$$ND_FUNC$$_function(){return isNaN('zzbc')}()",
        "a": 1,
    }
    assert holding(b'["a"]') is None


def test_a_jvm_misses_the_class_by_its_name():
    require(shutil.which("javac"), "Java is absent")
    assert JVM.load(base64.b64encode(java("zzbcd")).decode()) == "java.lang.ClassNotFoundException: x.zzbcd"


HASH = b'\x04\b{\aI"\ntheme\x06:\x06ETI"\tdark\x06;\x00TI"\tsize\x06;\x00Ti\x11'


def test_a_hash_of_ruby_gets_one_entry_behind_all_that_its_references_count():
    """What was written stays byte for byte where it was, but for the count; Ruby 3.1 reads both with its class and none without."""
    added = ruby_pair(HASH, "zzbc", known=True)
    assert added == HASH[:3] + b"\b" + HASH[4:] + b'"\x09zzbco:\x0bObject\x00'
    assert ruby_pair(HASH, "zzbc", known=False).endswith(b"o:\x0aXzzbc\x00")
    assert ruby_pair(b"\x04\b[\x06i\x06", "zz", known=True) == b"\x04\b[\x07i\x06o:\x0bObject\x00"


def test_an_object_of_ruby_gets_one_variable_behind_all_that_it_has():
    """As Ruby 3.1 wrote it, and reads it again with the class that is there; without the other."""
    seed = b'\x04\bo:\tSeed\a:\n@kindI"\tleek\x06:\x06ET:\v@gramsi\n'
    added = ruby_pair(seed, "zzbc", known=True)
    assert added == seed[:9] + b"\b" + seed[10:] + b":\x0a@zzbco:\x0bObject\x00"
    assert ruby_pair(seed, "zzbc", known=False).endswith(b":\x0a@zzbco:\x0aXzzbc\x00")


def test_streams_of_ruby_with_no_entries_stay_as_they_are():
    for data in (b'\x04\bI"\x08tea\x06:\x06ET', b"\x04\b[\x00", b"\x04\bo:\tSeed\x00", b"\x04\bo:\x09No\x07"):
        assert ruby_pair(data, "zz", known=True) == data


def test_a_document_of_ruby_names_its_first_entry_twice():
    """The later is kept, by Psych and by PyYAML alike; a safe loader refuses the class, known or not."""
    for known in (True, False):
        written = yaml_of_ruby(DOCUMENT.encode(), "zz", known=known)
        assert written.endswith(DOCUMENT.encode())
        with pytest.raises(pyyaml.YAMLError):
            pyyaml.safe_load(written)
    node = pyyaml.compose(yaml_of_ruby(b"name: tea\ncount: 3\n", "zz", known=True))
    assert [key.value for key, _ in node.value] == ["name", "name", "count"]
    assert node.value[0][1].tag == "!ruby/object:Object"


@pytest.mark.parametrize(
    ("document", "value"),
    [(b"name: tea\ncount: 3\n", "tea"), (b"- tea\n- cups\n", "tea"), (b"---\ncount: 3\n", "zz")],
)
def test_a_document_of_java_tags_its_first_text_and_keeps_it(document, value):
    for known, class_ in ((True, "String"), (False, "Xzz")):
        nodes = pyyaml.compose(yaml_of_java(document, "zz", known=known)).value
        tagged = [each for entry in nodes for each in (entry if isinstance(entry, tuple) else (entry,))]
        (made,) = [each for each in tagged if each.tag.startswith("tag:yaml.org,2002:java")]
        assert made.tag == f"tag:yaml.org,2002:java.lang.{class_}"
        assert made.value == value


def test_a_document_of_javascript_holds_a_function_that_nobody_calls():
    node = pyyaml.compose(yaml_of_javascript(DOCUMENT.encode(), "zz", known=True))
    assert (node.value[-1][1].tag, node.value[-1][1].value) == ("tag:yaml.org,2002:js/function", "function(){}")


def test_a_call_of_jsonpickle_is_plain_json_to_all_others():
    known = json.loads(jsonpickle(b'{"a": 1}', "zzbc", known=True))
    assert known == {"xzzbc": {"py/reduce": [{"py/type": "builtins.len"}, {"py/tuple": ["zzbc"]}]}, "a": 1}


@pytest.mark.parametrize("value", ["ada@x.example", "it's", "", "Zoë"])
def test_a_text_within_yaml_is_itself_made_by_a_call_and_never_the_same_text_twice(value):
    one, other = (within_yaml(value.encode(), mark, known=True).decode() for mark in ("qwpfgj", "zxcvbd"))
    assert one != other, "what one test had kept would answer to the next"
    for document in (f"name: {one}", f"{{a: 1, name: {other}}}"):
        assert pyyaml.unsafe_load(document)["name"] == value
    with pytest.raises(pyyaml.constructor.ConstructorError):
        pyyaml.unsafe_load("name: " + within_yaml(value.encode(), "qwpfgj", known=False).decode())
