"""A node that is ordered to run with a profile: the order travels whole, the session lives, and no log line tells a secret."""

import asyncio
import logging
import math
from contextlib import AsyncExitStack
from typing import Any

import msgspec
import pytest
from tests.e2e.sessions.guarded_shop import GuardedShop
from tests.e2e.sessions.scanning import POLICY, STALE
from tests.e2e.sessions.test_revoked import HALF_WAY, PROFILE, Revoked
from tests.node.loop import run, until

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.core.testing.profiles.profile_document import read_profile
from gatecrash.core.testing.verdict import Outcome
from gatecrash.fakes.control_plane import TOKEN, ControlPlane
from gatecrash.node.session import Lifeline, Session
from gatecrash.node.test.bounds import Bounds
from gatecrash.node.test.runner import Runner
from gatecrash.node.uplink import HELLO, Uplink
from gatecrash.wire.session import Hello, RunOrder, Welcome

SOME = 20


async def run_on_node(
    shop: GuardedShop, profile: dict[str, Any] | None, then: AuthProfile | None = None
) -> tuple[ControlPlane, RunOrder]:
    """What came of the shop's record on a node. then: the profile of the order once some requests were asked."""
    order = RunOrder(
        run_id="tr_1", generation=1, record_id="r", recording=False, sending=True, policy=POLICY, marker_key=b"k" * 32,
        profile=read_profile(profile, "prof_1") if profile else None,
    )  # fmt: skip
    order = msgspec.msgpack.decode(msgspec.msgpack.encode(order), type=RunOrder)
    async with ControlPlane() as control, AsyncExitStack() as stack:
        control.orders = [order]
        exchanges = shop.record(STALE)
        control.baselines["tr_1"] = {f"bl_{place}": Baseline(f"bl_{place}", one) for place, one in enumerate(exchanges)}
        uplink, session, lifeline = Uplink(control.api, TOKEN), Session(), Lifeline(math.inf)
        stack.push_async_callback(uplink.close)
        session.set(await uplink.call(HELLO, Hello("n", "native", "1", "sp"), Welcome))
        lifeline.heard(asyncio.get_running_loop().time())
        recogniser = compile_recogniser()
        runner = Runner(uplink, session, lifeline, lambda: recogniser, Bounds(workers=4))
        outbox = asyncio.ensure_future(runner.outbox.send_always(uplink, session))
        stack.callback(outbox.cancel)
        stack.push_async_callback(runner.close)
        runner.obey([order])
        if then is not None:
            await until(lambda: len(shop.asked) > SOME)
            order = msgspec.structs.replace(order, profile=then)
            control.orders = [order]
            runner.obey([order])
        await until(lambda: len(control.finals) == len(exchanges))
        progress = runner.progress(order, recording=False, unsent=0)
        assert progress.sent == len(shop.asked), "logins and control requests are counted"
        return control, order


@run
async def test_a_run_with_a_profile_outlives_its_session(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    guard = Revoked(after=HALF_WAY, again=True)
    profile = {**PROFILE, "login": [{"path": "/login", "form": {"user": "alice", "password": "hunter2"}}]}
    async with GuardedShop(guard) as shop:
        control, order = await run_on_node(shop, profile)
    finals = control.finals.values()
    assert guard.logins == 2
    assert {final.status for final in finals} == {"passed", "failed"}
    found = {verdict.type for final in finals for verdict in final.verdicts if verdict.outcome is Outcome.VULNERABLE}
    assert found == {"xss", "redir"}
    assert all(0 < final.authenticated[0] <= final.authenticated[1] for final in finals)
    told = caplog.text + repr(order) + "".join(repr(vars(record)) for record in caplog.records)
    assert not any(secret in told for secret in ("hunter2", *guard.sessions, "none-of-your-business"))


@run
async def test_without_one_every_baseline_says_so() -> None:
    async with GuardedShop(Revoked(after=HALF_WAY, again=True)) as shop:
        control, _ = await run_on_node(shop, None)
    assert {(final.status, final.reason) for final in control.finals.values()} == {("error", "auth_failed")}
    assert all(final.authenticated[0] == 0 for final in control.finals.values())


@run
async def test_users_who_are_known_only_later_take_the_run_over_and_every_baseline_ends() -> None:
    guard = Revoked(after=10**6, again=True)
    then = read_profile({**PROFILE, "check": {"path": "/me", "status": 200}}, "prof_1")
    async with GuardedShop(guard) as shop:
        guard.sessions.add(STALE[0][1].decode().removeprefix("Bearer "))
        control, _ = await run_on_node(shop, None, then)
    assert guard.logins == 1, "from then on it signs in"
    assert {final.status for final in control.finals.values()} == {"passed", "failed"}
    found = {
        verdict.type
        for final in control.finals.values()
        for verdict in final.verdicts
        if verdict.outcome is Outcome.VULNERABLE
    }
    assert found == {"xss", "redir"}
