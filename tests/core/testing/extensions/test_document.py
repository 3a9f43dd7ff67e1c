"""The reader is strict: each mistake with its line and field, those of several phases at once."""

from pathlib import Path

import pytest

from gatecrash.core.testing.extension_source import LONGEST_TEXT
from gatecrash.core.testing.extensions.document import read
from gatecrash.core.testing.extensions.extension import Generating

META = "meta-info: {title: t, type: info}\n"
GENERATE = "generate: {payload: STR_MARKER}\n"
DETECT = "detect: {response: {body: STR_MARKER}}\n"
EXAMPLES = sorted((Path(__file__).resolve().parents[4] / "docs" / "extensions").glob("*.yaml"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_our_examples_are_without_a_mistake(path: Path):
    extension, mistakes = read(path.stem, path.read_text("utf-8"))
    assert mistakes == []
    assert extension is not None
    assert extension.told.description
    assert extension.told.remediation


def test_there_are_five_of_them():
    assert len(EXAMPLES) >= 5


def test_all_phases_are_read():
    text = """
meta-info:
  - title: A title
  - type: sqli
  - threat: 70
  - cwe: 89
  - tags: [a, b]
collect: {uniq: [GET_id_value, [path, "0"]]}
match:
  - method: GET|POST
  - GET_id_value: ^[0-9]+$
  - {point: [header, X-A], value: b}
  - response: {status: [200, 5xx], length: {at_least: 3}}
modify:
  - HEADER_X-B_value: c
  - {point: [get, other], value: d}
generate:
  into: [GET_id_value, POST_JSON_DOC_HASH_user_value]
  method: [prefix, random]
  payload: ["' CALC_MARKER", STR_MARKER, DNS_MARKER]
detect:
  - oob: [dns]
  - response: {headers: {X-C: STR_MARKER}, body: CALC_MARKER, time_difference: {at_least: 2.5, at_most: 9}}
  - response: {body: {html: {tag: STR_MARKER, attribute: on.*}}}
"""
    extension, mistakes = read("all", text)
    assert mistakes == []
    assert extension is not None
    assert extension.told.threat == 70
    assert extension.told.cwe == (89,)
    assert (extension.methods, len(extension.match), len(extension.before)) == ("GET|POST", 2, 1)
    assert extension.collect is not None
    assert len(extension.collect) == 2
    assert [change.header for change in extension.modify] == [("header", "X-B"), None]
    assert isinstance(extension.generate, Generating)
    assert len(extension.generate.into) == 2
    assert extension.callers == ("dns",)
    assert [each.tag for each in extension.detect] == [None, "STR_MARKER"]


@pytest.mark.parametrize(
    ("text", "line", "field", "told"),
    [
        ("a: [b", 1, "", "no YAML"),
        ("- a\n- b", 1, "", "set of phases"),
        ("", 1, "", "set of phases"),
        ("a\n---\nb: 1", 2, "", "no YAML"),
        ("x" * (LONGEST_TEXT + 1), 1, "", "KiB"),
        (GENERATE + DETECT, 1, "meta-info", "missing"),
        ("meta-info: {type: info}\n" + GENERATE + DETECT, 1, "meta-info.title", "missing"),
        ("meta-info:\n  title: t\n  type: none\n" + GENERATE + DETECT, 3, "meta-info.type", "'none'"),
        (
            "meta-info:\n  title: t\n  type: info\n  threat: 101\n" + GENERATE + DETECT,
            4,
            "meta-info.threat",
            "1 to 100",
        ),
        ("meta-info:\n  title: t\n  type: info\n  threat: 1.5\n" + GENERATE + DETECT, 4, "meta-info.threat", "whole"),
        ("meta-info:\n  title: t\n  title: u\n  type: info\n" + GENERATE + DETECT, 3, "meta-info.title", "twice"),
        (META + "gnerate: 1\n" + DETECT, 2, "gnerate", "no such phase"),
        (META + DETECT, 1, "generate", "one of"),
        (META + GENERATE, 1, "detect", "missing"),
        (META + "generate: {into: GET_q_value}\n" + DETECT, 2, "generate.payload", "missing"),
        (META + "generate:\n  payload: STR_MARKER\n  into: GET_q\n" + DETECT, 4, "generate.into", "no point"),
        (META + "generate:\n  payload: STR_MARKER\n  into: GET_(_value\n" + DETECT, 4, "generate.into", "no point"),
        (META + "generate:\n  payload: STR_MARKER\n  into: [[get, '(']]\n" + DETECT, 4, "generate.into", "no point"),
        (META + "generate: {payload: x, method: inside}\n" + DETECT, 2, "generate.method", "'inside'"),
        (META + GENERATE + "send: {url: /}\n" + DETECT, 3, "send", "stands alone"),
        (META + "send: {url: '//elsewhere.example'}\n" + DETECT, 2, "send.url", "no path"),
        (META + "send: {url: 'http://elsewhere.example/'}\n" + DETECT, 2, "send.url", "no path"),
        (META + "send: {url: '/a b'}\n" + DETECT, 2, "send.url", "no path"),
        (META + "send: {url: /, method: 'G T'}\n" + DETECT, 2, "send.method", "no method"),
        (META + "send: {url: /, headers: {'a b': c}}\n" + DETECT, 2, "send.headers", "no name of a header"),
        (META + 'send: {url: /, headers: {a: "b\\nc"}}\n' + DETECT, 2, "send.headers", "line break"),
        (META + "send: {body: x}\n" + DETECT, 2, "send.url", "missing"),
        (META + "generate: {payload: x}\n" + DETECT, 3, "detect", "STR_MARKER is looked for"),
        (META + GENERATE + "detect: {oob: [dns]}\n", 3, "detect.oob", "DNS_MARKER"),
        (META + GENERATE + "detect: {oob: [smtp]}\n", 3, "detect.oob", "'smtp'"),
        (META + GENERATE + "detect: {response: {}}\n", 3, "detect.response", "nothing"),
        (META + GENERATE + "detect: {response: {status: 999}}\n", 3, "detect.response", "999"),
        (META + GENERATE + "detect: {response: {body: '('}}\n", 3, "detect.response.body", "regular expression"),
        (META + GENERATE + "detect: {response: {body: '(a+)+'}}\n", 3, "detect.response.body", "too long"),
        (META + GENERATE + "detect: {response: {body: {html: {tga: a}}}}\n", 3, "detect.response.body.html.tga", "tag"),
        (META + GENERATE + "detect: {response: {time: 3}}\n", 3, "detect.response.time", "names with values"),
        (
            META + GENERATE + "detect: {response: {time: {at_least: x}}}\n",
            3,
            "detect.response.time.at_least",
            "no number",
        ),
        (
            META + GENERATE + "detect: {response: {status_difference: 7}}\n",
            3,
            "detect.response.status_difference",
            "true",
        ),
        (META + "match: {GET_q: x}\n" + GENERATE + DETECT, 2, "match.GET_q", "no point"),
        (META + "match: {point: [get, q]}\n" + GENERATE + DETECT, 2, "match", "`value`"),
        (META + "collect: {unique: []}\n" + GENERATE + DETECT, 2, "collect.unique", "uniq"),
    ],
)
def test_a_mistake_is_told_with_its_line_and_field(text, line, field, told):
    extension, mistakes = read("x", text)
    assert extension is None
    assert [(each.line, each.field) for each in mistakes] == [(line, field)], mistakes
    assert told in mistakes[0].message


def test_mistakes_of_several_phases_are_told_at_once_in_the_order_of_lines():
    text = "detect: {respons: 1}\nmeta-info: {title: t, type: x}\nnothing: 1\ngenerate: {}\n"
    _, mistakes = read("x", text)
    assert [each.line for each in mistakes] == [1, 2, 3, 4]


def test_a_bomb_of_aliases_costs_nothing():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    _, mistakes = read("x", "\n".join(lines) + "\n")
    assert mistakes
    assert read("x", "[" * 20_000)[0] is None
