"""Segments, action and the whole target."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.errors import UnwritableValue
from gatecrash.core.points.codec import LIMITS, Codec, Part, splice
from gatecrash.core.points.formats.path import ACTION, PATH, URI


def parts(codec: Codec, data: bytes) -> dict[str, Part]:
    return {"/".join(part.steps): part for part in codec.parts(data, LIMITS, 32)}


@pytest.mark.parametrize(
    ("target", "segments"),
    [
        (b"/", [b""]),
        (b"/a/b", [b"a", b"b"]),
        (b"//a%2Fb/?x/y", [b"", b"a/b", b""]),
        (b"/a;v=1/%zz", [b"a;v=1", b"%zz"]),
        (b"*", []),
        (b"http://h/a", []),
    ],
)
def test_segments_are_divided_by_raw_slashes_before_the_query(target: bytes, segments: list[bytes]) -> None:
    assert [part.value for part in PATH.parts(target, LIMITS, 32) if len(part.steps) == 2] == segments


@pytest.mark.parametrize(
    ("target", "action"),
    [
        (b"/index.php?a.b", {"action_name": b"index", "action_ext": b"php"}),
        (b"/a.b/f.tar.gz", {"action_name": b"f.tar", "action_ext": b"gz"}),
        (b"/.htaccess", {"action_name": b".htaccess"}),
        (b"/users", {"action_name": b"users"}),
        (b"/x.", {"action_name": b"x", "action_ext": b""}),
        (b"/a/", {}),
        (b"*", {}),
    ],
)
def test_the_last_segment_is_the_action(target: bytes, action: dict[str, bytes]) -> None:
    assert {name: part.value for name, part in parts(ACTION, target).items()} == action


@given(st.sampled_from([b"/a/b.c?x=/y.z", b"/.d", b"/plain", b"/a.tar.gz"]), st.binary(max_size=12))
def test_what_is_written_is_read_and_the_rest_stays(target: bytes, value: bytes) -> None:
    for codec in (PATH, ACTION):
        before = parts(codec, target)
        for name, part in before.items():
            if codec is ACTION and not value and name == "action_name":
                with pytest.raises(UnwritableValue):
                    codec.encode(target, part, value)
                continue
            changed = splice(target, part.start, part.end, codec.encode(target, part, value))
            expected = {key: other.value for key, other in before.items()} | {name: value}
            # What is written may itself hold parameters.
            after = {key: each.value for key, each in parts(codec, changed).items() if not key.startswith(f"{name}/")}
            assert after == expected


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (b"/goods;color=red;size=%20m/x?a;b=c", {"path/0/matrix/color": b"red", "path/0/matrix/size": b" m"}),
        (b"/name=tea/max=3", {"path/0/matrix/name": b"tea", "path/1/matrix/max": b"3"}),
        (b"/a;v=1;v=2", {"path/0/matrix/v/array/0": b"1", "path/0/matrix/v/array/1": b"2"}),
        (b"/dGVhcw==/a;b/;=c/x==y", {}),
    ],
)
def test_parameters_of_a_segment_are_places_of_their_own(target: bytes, expected: dict[str, bytes]) -> None:
    assert {key: part.value for key, part in parts(PATH, target).items() if "matrix" in key} == expected


@given(st.binary(max_size=12))
def test_a_parameter_ends_nowhere_else_than_it_did(value: bytes) -> None:
    target = b"/goods;color=red;size=m/x"
    place = parts(PATH, target)["path/0/matrix/color"]
    changed = splice(target, place.start, place.end, PATH.encode(target, place, value))
    after = parts(PATH, changed)
    assert after["path/0/matrix/size"].value == b"m"
    assert after["path/1"].value == b"x"
    assert not value or after["path/0/matrix/color"].value == value


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (b"/odata/Orders(7)/Items?a=Orders(8)", {"path/1/key": b"7"}),
        (b"/Customers('O''Neil%20B')", {"path/0/key": b"O''Neil B"}),
        (b"/Lines(Order=7,Place='a,b')", {"path/0/key/Order": b"7", "path/0/key/Place": b"a,b"}),
        (b"/f(1,2)/g()/Mercury_(planet)/h(a=1,2)/notes(1).txt/sum((1))", {}),
    ],
)
def test_keys_in_parentheses_are_places_of_their_own(target: bytes, expected: dict[str, bytes]) -> None:
    assert {key: part.value for key, part in parts(PATH, target).items() if "/key" in key} == expected


@given(
    st.sampled_from([b"/Orders(7)/x", b"/Customers('ann')/x", b"/Lines(Order=7,Place='a')/x"]), st.binary(max_size=12)
)
def test_a_key_ends_nowhere_else_than_it_did(target: bytes, value: bytes) -> None:
    before = parts(PATH, target)
    for name in [each for each in before if "/key" in each]:
        place = before[name]
        changed = splice(target, place.start, place.end, PATH.encode(target, place, value))
        after = parts(PATH, changed)
        others = {key: each.value for key, each in before.items() if key not in (name, "path/0")}
        assert not value or {key: each.value for key, each in after.items() if key not in (name, "path/0")} == others
        assert not value or after[name].value == value


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (b"/v1/visits/7:cancel?a=8:cancel", {"path/2/key": b"7"}),
        (b"/v1/a%20b:undoIt/x", {"path/1/key": b"a b"}),
        (b"/proxy/build.local:8080/index", {"path/1/host": b"build.local"}),
        (b"/:cancel/7:/7:Cancel/a:b:cancel/7:x/x:1/x:123456", {}),
    ],
)
def test_what_a_colon_ends_is_a_place_of_its_own(target: bytes, expected: dict[str, bytes]) -> None:
    assert {key: part.value for key, part in parts(PATH, target).items() if key.count("/") > 1} == expected


@given(st.sampled_from([b"/visits/7:cancel/x", b"/proxy/build.local:8080/x"]), st.binary(min_size=1, max_size=12))
def test_what_a_colon_ends_ends_nowhere_else_than_it_did(target: bytes, value: bytes) -> None:
    before = parts(PATH, target)
    (name,) = [each for each in before if each.count("/") > 1]
    place = before[name]
    after = parts(PATH, splice(target, place.start, place.end, PATH.encode(target, place, value)))
    changed = {key: each.value for key, each in before.items() if key != "path/1"} | {name: value}
    assert {key: each.value for key, each in after.items() if key != "path/1"} == changed
    assert PATH.remove(target, place) is None


def test_a_key_cannot_be_left_out() -> None:
    target = b"/Orders(7)"
    assert PATH.remove(target, parts(PATH, target)["path/0/key"]) is None


def test_a_parameter_goes_with_its_semicolon() -> None:
    target = b"/goods;color=red;size=m/x"
    assert PATH.remove(target, parts(PATH, target)["path/0/matrix/color"]) == b"/goods;size=m/x"


def test_the_target_as_a_whole_is_itself() -> None:
    part = URI.parts(b"/a%20b?c", LIMITS, 32)[0]
    assert part.value == b"/a%20b?c"
    assert URI.encode(b"", part, b"/../\xff#x") == b"/../\xff#x"
    for value in (b"", b"/a b", b"/\r\n", b"/\x00"):
        with pytest.raises(UnwritableValue):
            URI.encode(b"", part, value)
