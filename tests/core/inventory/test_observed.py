"""What a finite capture says of its endpoints."""

from gatecrash.core.auth.scheme import AuthType
from gatecrash.core.inventory.endpoint import EndpointKey
from gatecrash.core.inventory.notes import NoteKind
from gatecrash.core.inventory.observed import requests_before, settled, summarise
from gatecrash.core.inventory.tally import EndpointHour, NoteTally, ParameterTally, WithoutTally
from gatecrash.core.point import Point

KEY = EndpointKey("rest", "GET", "a.example", "/x")
HEADER = Point.of("header", "AUTHORIZATION")


def hour(
    number: int,
    *,
    requests: int = 1,
    authenticated: int = 0,
    refused: int | None = 0,
    key: EndpointKey = KEY,
    tallies: tuple[ParameterTally, ...] = (),
) -> EndpointHour:
    return EndpointHour(number, key, requests, authenticated, refused, number * 3600, number * 3600, tallies)


def test_hours_of_one_endpoint_add_up() -> None:
    tally = ParameterTally(AuthType.BEARER, HEADER, 2, 1)
    (observed,) = summarise(
        [
            hour(500, requests=3, authenticated=1, refused=2, tallies=(tally,)),
            hour(501, requests=1, authenticated=1, refused=None, tallies=(tally,)),
        ]
    )
    assert (observed.requests, observed.authenticated, observed.refused, observed.coverage) == (4, 2, 2, 50.0)
    assert [(one.seen, one.valid, one.coverage) for one in observed.parameters] == [(4, 2, 50.0)]


def test_without_any_answer_the_refused_are_not_known() -> None:
    assert summarise([hour(500, refused=None)])[0].refused is None


def test_an_hour_before_the_window_counts_for_nothing() -> None:
    hours = [hour(500), hour(500 - 167), hour(500 - 168)]
    assert summarise(hours)[0].requests == 2
    assert requests_before(hours) == 1


def test_requests_without_a_time_count_beside_those_that_have_one() -> None:
    hours = [hour(0, requests=4), hour(500_000)]
    assert summarise(hours)[0].requests == 5
    assert requests_before(hours) == 0
    assert summarise([hour(0)])[0].requests == 1


def test_a_parameter_is_unproven_as_it_last_was() -> None:
    cookie = Point.of("header", "COOKIE", "cookie", "PHPSESSID")
    proven, visitor, empty = (ParameterTally(AuthType.COOKIE, cookie, 1, *rest) for rest in ((1,), (0, True), (0,)))
    for order, expected in (((proven, visitor), True), ((visitor, proven), False), ((visitor, empty), True)):
        hours = [hour(500 + index, tallies=(tally,)) for index, tally in enumerate(order)]
        assert summarise(hours)[0].parameters[0].unproven is expected


def test_an_invalid_value_gives_its_endpoint_no_type() -> None:
    (observed,) = summarise([hour(1, tallies=(ParameterTally(AuthType.BASIC, HEADER, 1, 0),))])
    assert observed.types == ()
    assert observed.parameters[0].type is AuthType.BASIC


def test_endpoints_are_ordered_by_host_path_and_method() -> None:
    keys = [
        EndpointKey("rest", method, host, path)
        for host, path, method in (("b", "/", "GET"), ("a", "/z", "PUT"), ("a", "/z", "GET"), ("a", "/a", "PUT"))
    ]
    assert [str(one.key) for one in summarise([hour(1, key=key) for key in keys])] == [
        "PUT a /a",
        "GET a /z",
        "PUT a /z",
        "GET b /",
    ]


def test_who_is_without_and_what_is_weak_is_summed_over_the_hours():
    point = Point.of("get", "api_key")
    hours = [
        EndpointHour(
            hour=hour,
            key=KEY,
            requests=5,
            authenticated=1,
            refused=0,
            first_seen=hour * 3600,
            last_seen=hour * 3600 + 9,
            without=(
                WithoutTally("curl", 2, 1, hour * 3600, hour * 3600),
                WithoutTally("chrome", 4, 3, hour * 3600, hour * 3600 + 9),
            ),
            notes=(NoteTally(NoteKind.CREDENTIAL_IN_QUERY, point, 1, hour * 3600, hour * 3600),),
        )
        for hour in (10, 11)
    ]
    (one,) = summarise(hours)
    assert one.without == (WithoutTally("chrome", 4, 6, 36000, 39609), WithoutTally("curl", 2, 2, 36000, 39600))
    assert one.notes == (NoteTally(NoteKind.CREDENTIAL_IN_QUERY, point, 2, 36000, 39600),)


def test_siblings_of_a_file_merge_as_in_the_service() -> None:
    """Thirty that are alike are one endpoint; an open one beside them keeps its name, and so do twenty-nine."""
    hours = [
        hour(500 + number % 2, key=EndpointKey("rest", "GET", "a", f"/cities/{number}x"), requests=2, authenticated=2)
        for number in range(30)
    ]
    debug = hour(500, key=EndpointKey("rest", "GET", "a", "/cities/debug"))
    found = {one.key.path: (one.requests, one.authenticated) for one in settled([*hours, debug])}
    assert found == {"/cities/{city_id}": (60, 60), "/cities/debug": (1, 0)}
    assert len(settled(hours[:29])) == 29
