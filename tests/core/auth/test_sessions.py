"""Session cookies as dialogues: framework names, visitors, logins, learned names, bounds."""

import gc

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.auth.session_host import FORM, RANDOM, RECOGNISER, Host

from gatecrash.core.auth.sessions import MOST_LEARNED, LearnedCookie, Sessions, State
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point


def test_a_frameworks_session_counts_until_something_speaks_against_it():
    assert Host().get("PHPSESSID=abc123") == ["PHPSESSID valid"]


def test_handed_to_a_visitor_it_is_unproven_from_then_on():
    host = Host()
    assert host.get("", "PHPSESSID=abc123; path=/") == []
    assert host.get("PHPSESSID=abc123") == ["PHPSESSID unproven"]
    assert host.get("PHPSESSID=fromelsewhere") == ["PHPSESSID unproven"]


def test_another_host_is_another_matter():
    host = Host()
    host.get("", "PHPSESSID=abc123")
    assert Host("api.example", host.sessions).get("PHPSESSID=abc123") == ["PHPSESSID valid"]


def test_a_cookie_with_a_domain_is_known_on_all_hosts_below_it():
    login = Host("auth.shop.example")
    api, stranger = Host("api.shop.example:8443", login.sessions), Host("api.example", login.sessions)
    assert api.get(f"tea={RANDOM}") == []
    login.login("", f"tea={RANDOM}; Domain=.shop.example; HttpOnly")
    assert api.get(f"tea={RANDOM}") == ["tea valid"]
    assert stranger.get(f"tea={RANDOM}") == []


def test_a_visitor_of_one_host_is_a_visitor_on_the_others_of_its_domain():
    page = Host("www.shop.example")
    login, api = Host("shop.example", page.sessions), Host("api.shop.example", page.sessions)
    page.get("", "PHPSESSID=visitor1; Domain=shop.example")
    assert api.get("PHPSESSID=visitor1") == ["PHPSESSID unproven"]
    login.login("PHPSESSID=visitor1", "PHPSESSID=user1; Domain=shop.example")
    page.get("", "PHPSESSID=visitor2; Domain=shop.example")
    assert api.get("PHPSESSID=user1") == page.get("PHPSESSID=user1") == ["PHPSESSID valid"]
    assert api.get("PHPSESSID=visitor2") == ["PHPSESSID unproven"]


def test_a_host_may_not_speak_for_others():
    host = Host("shop.example")
    host.login("", f"tea={RANDOM}; Domain=bank.example; HttpOnly", f"cup={RANDOM}; Domain=example; HttpOnly")
    assert Host("bank.example", host.sessions).get(f"tea={RANDOM}; cup={RANDOM}") == []


def test_a_learned_name_holds_at_every_port_and_a_frameworks_does_not():
    page = Host("localhost:3000")
    api = Host("localhost:8080", page.sessions)
    page.get("", "PHPSESSID=visitor1")
    page.login("", f"tea={RANDOM}; HttpOnly")
    assert api.get(f"tea={RANDOM}") == ["tea valid"]
    assert api.get("PHPSESSID=abc123") == ["PHPSESSID valid"]


def test_a_login_that_rotates_it_proves_it_and_visitors_stay_visitors():
    host = Host()
    host.get("", "PHPSESSID=visitor1")
    host.get("", "PHPSESSID=visitor2")
    assert host.login("PHPSESSID=visitor1", "PHPSESSID=user1; HttpOnly") == ["PHPSESSID unproven"]
    assert host.get("PHPSESSID=user1") == ["PHPSESSID valid"]
    assert host.get("PHPSESSID=visitor2") == ["PHPSESSID unproven"]
    host.get("", "PHPSESSID=visitor3")
    assert host.get("PHPSESSID=visitor3") == ["PHPSESSID unproven"]
    assert host.get("PHPSESSID=user1") == ["PHPSESSID valid"]


def test_a_login_that_issues_the_visitors_value_once_more_makes_it_a_users():
    host = Host()
    host.get("", "PHPSESSID=same")
    host.login("PHPSESSID=same", "PHPSESSID=same")
    assert host.get("PHPSESSID=same") == ["PHPSESSID valid"]


def test_a_login_that_leads_on_and_keeps_the_visitors_value_makes_that_one_a_users_to_tests_alone():
    host = Host()
    host.get("", "PHPSESSID=abc123")
    host.get("", "PHPSESSID=def456")
    host.login("PHPSESSID=abc123", to=b"/index.php")
    assert host.get("PHPSESSID=abc123") == ["PHPSESSID unproven"]
    assert host.tested("PHPSESSID=abc123") == ["PHPSESSID"]
    assert host.tested("PHPSESSID=def456") == host.tested("PHPSESSID=fromelsewhere") == []
    host.script_login("PHPSESSID=def456", b'{"ok": true}')
    assert host.tested("PHPSESSID=def456") == ["PHPSESSID"], "so does one that tells a script that it is done"


def test_among_proven_sessions_such_a_value_is_still_not_counted():
    host = Host()
    host.get("", "PHPSESSID=abc123")
    host.login("", "PHPSESSID=user1; HttpOnly")
    host.login("PHPSESSID=abc123", to=b"/index.php")
    assert host.get("PHPSESSID=abc123") == ["PHPSESSID unproven"]
    assert host.tested("PHPSESSID=abc123") == ["PHPSESSID"]


def test_so_it_is_with_a_name_that_no_table_lists():
    host = Host()
    host.get("", f"shopper={RANDOM}; HttpOnly")
    host.get("", f"shopper={RANDOM[::-1]}; HttpOnly")
    host.login(f"shopper={RANDOM}", to=b"/index.php")
    assert host.get(f"shopper={RANDOM}") == host.get(f"shopper={RANDOM[::-1]}") == []
    assert host.tested(f"shopper={RANDOM}") == ["shopper"]
    host.login(f"shopper={RANDOM[::-1]}", to=b"/home", form=f"&stamp={RANDOM[::-1]}")
    assert host.tested(f"shopper={RANDOM[::-1]}") == [], "what the form brings along is a guard"


@pytest.mark.parametrize("to", [b"", b"/login", b"login?error=1", b"https://shop.example/login", b"/account/sign-in"])
def test_a_login_that_leads_back_keeps_a_visitor_a_visitor(to: bytes):
    host = Host()
    host.get("", "PHPSESSID=abc123")
    host.login("PHPSESSID=abc123", to=to)
    assert host.get("PHPSESSID=abc123") == ["PHPSESSID unproven"]
    assert host.tested("PHPSESSID=abc123") == []


def test_a_refused_login_proves_nothing_and_hands_out_nothing():
    host = Host()
    host.login("", "PHPSESSID=abc123", status=401)
    assert host.get("PHPSESSID=abc123") == ["PHPSESSID valid"]
    host.get("", "PHPSESSID=visitor")
    host.login("", "PHPSESSID=abc123", status=403)
    assert host.get("PHPSESSID=abc123") == ["PHPSESSID unproven"]


def test_a_session_that_is_renewed_for_its_user_is_not_handed_to_a_visitor():
    host = Host()
    assert host.get("connect.sid=s%3Aold", "connect.sid=s%3Anew; HttpOnly") == ["connect.sid valid"]
    assert host.get("connect.sid=s%3Anew") == ["connect.sid valid"]


def test_a_key_is_a_credential_though_no_login():
    host = Host()
    host.get("", "PHPSESSID=abc123", headers=((b"X-API-Key", b"9f8e7d6c5b4a"),))
    assert host.get("PHPSESSID=abc123") == ["PHPSESSID valid"]


def test_authorization_is_a_login():
    host = Host()
    host.get("", "PHPSESSID=visitor")
    host.get("", "PHPSESSID=user", headers=((b"Authorization", b"Basic dXNlcjpwYXNz"),))
    assert host.get("PHPSESSID=user") == ["PHPSESSID valid"]


@pytest.mark.parametrize("target", ["/callback?code=x&state=y", f"/login/link?token={RANDOM}"])
def test_so_is_an_identity_providers_callback_and_a_link_that_signs_in(target):
    (host := Host()).get("", "PHPSESSID=visitor")
    host._say(Request("GET", target.encode()), ("PHPSESSID=user",), 302, b"/account")
    assert host.get("PHPSESSID=user") == ["PHPSESSID valid"]


def test_a_deletion_hands_out_nothing():
    host = Host()
    host.get("", "PHPSESSID=deleted; expires=Thu, 01-Jan-1970 00:00:01 GMT")
    assert host.get("PHPSESSID=abc123") == ["PHPSESSID valid"]


def test_a_name_with_a_pattern_is_followed_by_its_listed_name():
    host = Host()
    host.get("", "_tea_session=visitor")
    assert host.get("_tea_session=visitor") == ["_<APP>_session unproven"]
    host.login("", "_tea_session=user")
    assert host.get("_tea_session=user") == ["_<APP>_session valid"]


@pytest.mark.parametrize("value", ["1", "seen", "2026-11-24", "1795000000123", "dismissed%20today"])
@pytest.mark.parametrize("name", ["promo_session", "_tea_session", "_page_key"])
def test_a_name_with_a_pattern_counts_only_with_a_value_that_looks_random(name, value):
    host = Host()
    (found,) = host.get(f"{name}={value}")
    assert found.endswith(" unproven")
    (found,) = host.get(f"{name}={RANDOM}")
    assert found.endswith(" valid")


def test_a_state_beside_a_session_of_the_same_pattern_takes_nothing_from_it():
    assert Host().get(f"promo_session=seen; tea_session={RANDOM}") == ["<APP>_session valid"]


def test_tests_take_a_weak_value_in_a_name_with_a_pattern_for_a_credential():
    assert Host().tested("tea_session=ann") == ["<APP>_session"]


def test_default_and_custom_cookies_always_count():
    host = Host()
    host.get("", "access_token=abcdef123456")
    assert host.get("access_token=abcdef123456") == ["access_token valid"]


def test_any_other_cookie_counts_only_when_a_login_issued_it_http_only_and_random():
    host = Host()
    assert host.get(f"tea={RANDOM}") == []
    host.login("", f"tea={RANDOM}; HttpOnly", f"seen={RANDOM}", "mood=good; HttpOnly")
    assert host.get(f"tea={RANDOM}; seen={RANDOM}; mood=good") == ["tea valid"]
    assert Host("other.example", host.sessions).get(f"tea={RANDOM}") == []


def test_a_learned_cookies_placeholder_is_not_valid():
    host = Host()
    host.login("", f"tea={RANDOM}; HttpOnly")
    assert host.get("tea=null") == ["tea invalid"]


def test_what_visitors_got_under_a_learned_name_does_not_count():
    host = Host()
    host.get("", f"tea={RANDOM}; HttpOnly")
    host.login(f"tea={RANDOM}", f"tea={RANDOM[::-1]}; HttpOnly")
    assert host.get(f"tea={RANDOM}") == ["tea unproven"]
    assert host.get(f"tea={RANDOM[::-1]}") == ["tea valid"]


@pytest.mark.parametrize("name", ["AWSALB", "__cf_bm", "_ga_X", "OptanonConsent", "csrftoken", "X-XSRF"])
def test_ignored_cookies_are_never_learned(name):
    host = Host()
    host.login("", f"{name}={RANDOM}; HttpOnly")
    assert host.get(f"{name}={RANDOM}") == []


def test_no_more_than_fifty_names_a_host_are_learned():
    host = Host()
    for number in range(MOST_LEARNED + 20):
        host.login("", f"tea{number}={RANDOM}; HttpOnly")
    assert len(host.get("; ".join(f"tea{number}={RANDOM}" for number in range(MOST_LEARNED + 20)))) == MOST_LEARNED


def test_hosts_are_bounded_and_the_one_seen_longest_ago_goes():
    sessions = Sessions(most_hosts=2)
    for name in ("a", "b", "a", "c"):
        Host(name, sessions).get("", "PHPSESSID=visitor")
    assert [learned.host for learned in sessions.snapshot()] == ["a", "c"]


def test_what_one_node_learned_another_takes_over():
    first, second = Host(), Host()
    first.get("", "PHPSESSID=visitor")
    first.login("", f"tea={RANDOM}; HttpOnly")
    assert first.sessions.snapshot() == (
        LearnedCookie("shop.example", "PHPSESSID", State.UNPROVEN),
        LearnedCookie("shop.example", "tea", State.PROVEN),
    )
    second.sessions.adopt(first.sessions.snapshot())
    assert second.get(f"PHPSESSID=x1; tea={RANDOM}") == ["PHPSESSID unproven", "tea valid"]
    second.sessions.adopt([LearnedCookie("shop.example", "PHPSESSID", State.PROVEN)])
    second.sessions.adopt(first.sessions.snapshot())
    assert second.get("PHPSESSID=x1") == ["PHPSESSID valid"]


def test_adopting_the_same_again_changes_nothing():
    host = Host()
    host.get("", "PHPSESSID=visitor")
    before = host.sessions.snapshot()
    host.sessions.adopt(before)
    host.get("", "PHPSESSID=visitor2")
    assert host.sessions.snapshot() == before


def test_news_is_what_this_node_learned_until_it_was_told():
    host, other = Host(), Host()
    host.get("", "PHPSESSID=visitor")
    first = host.sessions.news(10)
    assert first == host.sessions.news(10) == (LearnedCookie("shop.example", "PHPSESSID", State.UNPROVEN),)
    host.login("", "PHPSESSID=user")
    host.sessions.told(first)
    proven = LearnedCookie("shop.example", "PHPSESSID", State.PROVEN)
    assert host.sessions.news(10) == (proven,)
    assert host.sessions.news(0) == ()
    host.sessions.told((proven,))
    assert host.sessions.news(10) == ()
    other.sessions.adopt((proven,))
    assert other.sessions.news(10) == ()


def test_what_is_shared_holds_no_value():
    host = Host()
    host.get("", "PHPSESSID=visitor-secret")
    host.login("", f"tea={RANDOM}; HttpOnly")
    assert "secret" not in repr(host.sessions.snapshot())
    assert RANDOM not in repr(host.sessions.snapshot())


def test_no_value_stays_in_what_is_learned():
    """Values are remembered by a keyed hash: nothing that it reaches holds the bytes."""
    host = Host()
    host.get("", "PHPSESSID=visitor-secret", f"tea={RANDOM}; HttpOnly")
    host.login("PHPSESSID=visitor-secret", "PHPSESSID=user-secret", f"tea={RANDOM[::-1]}; HttpOnly")
    host.get(f"PHPSESSID=user-secret; tea={RANDOM}")
    reached, todo = set(), [host.sessions]
    while todo:
        thing = todo.pop()
        if id(thing) in reached or isinstance(thing, type):
            continue
        reached.add(id(thing))
        assert not (
            isinstance(thing, (bytes, str)) and any(part in repr(thing) for part in ("secret", RANDOM, RANDOM[::-1]))
        )
        if type(thing).__module__.startswith("gatecrash") or isinstance(thing, (dict, list, tuple, set)):
            todo.extend(gc.get_referents(thing))


names = st.sampled_from([b"PHPSESSID", b"tea", b"__Host-tea", b"\xff", b"", b"a b", b"x" * 300])
cookies = st.one_of(st.binary(max_size=60), st.tuples(names, st.binary(max_size=40)).map(b"=".join))


@given(
    st.lists(
        st.tuples(cookies, st.one_of(cookies, cookies.map(lambda raw: raw + b"; HttpOnly")), st.booleans()), max_size=8
    )
)
def test_nothing_that_either_side_sends_makes_it_raise(said):
    sessions = Sessions()
    for cookie, issues, login in said:
        body = (b"POST", (FORM,), b"password=x") if login else (b"GET", (), b"")
        request = Request(body[0].decode(), b"/", ((b"Cookie", cookie), *body[1]), body[2])
        exchange = Exchange(request, Response(200, ((b"Set-Cookie", issues),)))
        for one in sessions.follow("h", exchange, RECOGNISER.recognise(request)):
            assert not (one.valid and one.unproven)
            assert Point.parse(one.point) == one.point


def test_a_name_with_an_identifier_in_it_is_not_learned():
    host = Host()
    host.login("", f"tea_of_user_48151623={RANDOM}; HttpOnly", f"tea2={RANDOM}; HttpOnly")
    assert [cookie.name for cookie in host.sessions.snapshot()] == ["tea2"]


def test_the_hash_of_an_installation_at_the_end_of_a_name_is_no_identifier():
    md5, sha1, half = "9d4bb4a09f511681369671a08beff228", "59ba36addc2b2f9401580f014c7f58ea4e30989d", "7f3e91d2a4b84410"
    host = Host()
    host.login(
        "", *(f"{name}={RANDOM}; HttpOnly" for name in (f"WK{md5}", md5, f"stay_{sha1}", f"pot_20481_{md5}", half))
    )
    assert [cookie.name for cookie in host.sessions.snapshot()] == [f"WK{md5}", md5, f"stay_{sha1}"]


def test_the_number_of_the_host_or_of_its_port_in_a_name_is_no_identifier():
    names = "teahouse_127-0-0-1_18443", "teahouse_127-0-0-1_18444", "tea_51623"
    host = Host("127.0.0.1:18443")
    host.login("", *(f"{name}={RANDOM}; HttpOnly" for name in names))
    assert [cookie.name for cookie in host.sessions.snapshot()] == ["teahouse_127-0-0-1_18443"]


JWT = "eyJhbGciOiJIUzI1NiJ9.eyJpZCI6Mn0.c2lnbmF0dXJlc2lnbmF0dXJl"


def test_a_token_that_a_login_issues_in_a_cookie_is_tested_and_not_counted_where_scripts_may_read_it():
    host = Host()
    host.login("", f"token={JWT}; path=/", "theme=dark")
    assert host.get(f"token={JWT}; theme=dark") == []
    assert host.tested(f"token={JWT}; theme=dark") == ["token"]
    host.login("", f"token={RANDOM}; HttpOnly")
    assert host.get(f"token={RANDOM}") == ["token valid"]


def test_what_tests_take_for_a_credential_is_shared_between_nodes():
    host = Host()
    host.login("", f"token={JWT}; path=/")
    other = Host()
    other.sessions.adopt(host.sessions.news(9))
    assert other.get(f"token={JWT}") == []
    assert other.tested(f"token={JWT}") == ["token"]
    assert other.sessions.snapshot() == host.sessions.snapshot()


def test_a_cookie_that_holds_the_bearers_token_is_tested_from_then_on():
    host = Host()
    assert host.get(f"token={JWT}") == []
    bearer = (b"Authorization", f"Bearer {JWT}".encode())
    assert host.get(f"token={JWT}; lang=en", headers=(bearer,)) == ["AUTHORIZATION valid"]
    assert host.get(f"token={JWT}; lang=en") == []
    assert host.tested(f"token={JWT}; lang=en") == ["token"]


def test_a_cookie_beside_another_bearer_is_no_credential():
    host = Host()
    bearer = (b"Authorization", f"Bearer {JWT}x".encode())
    assert host.get(f"token={JWT}", headers=(bearer,)) == ["AUTHORIZATION valid"]
    assert host.tested(f"token={JWT}") == []


def test_what_a_host_refuses_visitors_without_is_tested_whoever_was_handed_it_and_whatever_it_is_called():
    host, named = Host(), "app_8f3c01d27b44"
    host.get("", f"wiki={RANDOM}; HttpOnly")
    sent = f"wiki={RANDOM}; {named}=3a91; theme=dark"
    assert host.tested(sent) == []
    host.sessions.let_in(host.name, "wiki")
    host.sessions.let_in(host.name, named)
    assert sorted(host.tested(sent)) == [named, "wiki"]
    assert sorted(host.get(sent)) == [f"{named} valid", "wiki unproven"], (
        "what is counted knows visitors' values all the same"
    )
