"""What a description calls optional and the target refuses is tested apart from the request that works without."""

import msgspec

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.places.left_out import LeftOut, left_out, with_left_out
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes import auth, ptrav

TOKEN = Point.of("header", "AUTHORIZATION")
COVER = Request("GET", b"/books/1/cover?tone=grey", ((b"Host", b"a"), (b"Authorization", b"Bearer 3f9a0c77de114b02")))
BASELINE = Baseline("bl_1", Exchange(COVER, Response(200, body=b"a cover")))
REFUSED = LeftOut(b"tone=grey&size=example", Response(404, body=b"no such size"))


def test_each_is_the_baseline_with_that_parameter_and_the_answer_to_it():
    (fuller,) = with_left_out(BASELINE, [REFUSED])
    assert (fuller.id, fuller.request.target) == ("bl_1", b"/books/1/cover?tone=grey&size=example")
    assert (fuller.request.headers, fuller.response) == (COVER.headers, REFUSED.response)


def test_an_argument_of_graphql_stands_in_the_body():
    document = b'{"query": "query A($a: Int, $b: Int) { all(a: $a, b: $b) { id } }", "variables": {"a": 1%s}}'
    bare = Request("POST", b"/graphql", ((b"Cookie", b"sid=1"), (b"Content-Length", b"1")), document % b"")
    with_it = msgspec.structs.replace(bare, headers=(), body=document % b', "b": 2')
    refused = left_out(with_it, Response(200, body=b'{"errors": []}'))
    (fuller,) = with_left_out(Baseline("bl_1", Exchange(bare, Response(200))), [refused])
    assert fuller.request.body == with_it.body
    assert fuller.request.first(b"Content-Length") == str(len(with_it.body)).encode()
    assert fuller.request.first(b"Cookie") == b"sid=1"


def test_only_its_parameter_is_a_new_place_and_what_is_learned_there_is_kept_apart():
    checks = plan(BASELINE, DEFAULT, [TOKEN], (auth.PROBE, ptrav.PROBE), left_out=[REFUSED])
    places = [(check.probe.type, tuple(check.point), check.baseline.response.status) for check in checks]
    assert [each for each in places if each[2] == 404] == [("ptrav", ("get", "size"), 404)]
    assert ("ptrav", ("get", "tone"), 200) in places
    (apart,) = (check for check in checks if check.baseline.response.status == 404)
    assert all(check.memory is not apart.memory for check in checks if check is not apart)
    assert len({id(check.memory) for check in checks}) == 2


def test_a_policy_that_leaves_a_point_out_leaves_it_out_there_too():
    policy = msgspec.structs.replace(DEFAULT, exclude=(("get", "size"),), locations=("get",))
    assert [tuple(each.point) for each in plan(BASELINE, policy, [], (ptrav.PROBE,), left_out=[REFUSED])] == [
        ("get", "tone")
    ]
