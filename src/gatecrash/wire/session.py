"""Hello and heartbeat: how a node registers, hears what to do, and says how far it is.

    node                                    control plane
    Hello            POST /v1/node/hello    → Welcome
    Heartbeat        POST /v1/node/heartbeat → Orders       every 2 s, every 0.5 s while it has a run

Orders are the wanted state, never a list of steps: the node compares and acts, so a lost or repeated answer does no
harm. A node that has not received Orders for 10 seconds stops sending test requests until it does.
"""

import msgspec

from gatecrash.core.auth.sessions import LearnedCookie
from gatecrash.core.inventory.documents import DocumentPaths, HostTemplate
from gatecrash.core.testing.policy import Policy
from gatecrash.core.testing.profiles.profile import AuthProfile

# What one heartbeat tells of sessions at most; the rest waits for the next.
MOST_LEARNED_TOLD = 200


class Hello(msgspec.Struct, frozen=True, array_like=True):
    """A node says who it is; repeated at every start.

    build_id: the pipeline's build, where there is one: it splits one token into several nodes (decisions 7).
    workers, processes: baselines that it tests at once, and in how many processes. again: this start has had a session
    before, which is over; where another start of the node is at work, it waits until that one is silent.
    kind: "native" or "web-server" (contract 9.2). spool: name of its spool, random, new when the spool was lost.
    """

    name: str
    kind: str
    version: str
    spool: str
    build_id: str = ""
    workers: int = 10
    proxy_address: str = ""
    processes: int = 1
    again: bool = False


class Config(msgspec.Struct, frozen=True, array_like=True):
    """What detection needs to know of the client; sent whole when `version` is not what the node has.

    parameters: the client's custom authentication parameters, each a point's steps.
    marker_keys: keys (by run identifier) whose signed marker leaves a request out of inventory and counts.
    pins: templates that the user fixed; where one matches, it wins over all else. splits: templates whose last parameter
    the user wants taken apart: the names there are shown. documents: uploaded OpenAPI documents; after the pins they win.
    sessions: what the client's nodes together learned of session cookies (names only).
    """

    version: int
    parameters: tuple[tuple[str, ...], ...] = ()
    marker_keys: dict[str, bytes] = {}
    pins: tuple[HostTemplate, ...] = ()
    splits: tuple[HostTemplate, ...] = ()
    documents: tuple[DocumentPaths, ...] = ()
    sessions: tuple[LearnedCookie, ...] = ()


class Welcome(msgspec.Struct, frozen=True, array_like=True):
    """The control plane takes the node. session: names this start of the node; an older session's messages are refused."""

    node_id: str
    client_id: str
    session: str
    config: Config
    heartbeat_seconds: float = 2.0
    running_heartbeat_seconds: float = 0.5


class Start(msgspec.Struct, frozen=True, array_like=True):
    """The address that a record is made from: of a site, whose pages are read, or of a description.

    most: pages that are read by each caller. over: its user has ended it, and what was read by then is handed over.
    """

    url: str
    most: int
    over: bool = False


class StartTold(msgspec.Struct, frozen=True, array_like=True):
    """How far a node is with an address. read: pages that were answered. ended: all that was found is handed over.

    trouble: why nothing could be read, in a sentence; "" where something was. notes: sentences for whoever tests the record.
    """

    read: int
    ended: bool = False
    trouble: str = ""
    notes: tuple[str, ...] = ()


class RunProgress(msgspec.Struct, frozen=True, array_like=True):
    """How far the node is with one run, under one generation of its lease. All numbers are totals: repeating is harmless.

    Told for each run of the last orders, for each run with baselines in the spool (also after a restart: until the node
    says `recording` false and `unsent_baselines` 0 of a stopped run, its record is not ready), and once more for a run
    that the orders no longer hold, so that its last sent requests are counted.

    sent: test requests sent since this generation began. recent: (UNIX second on the node's clock, sent in that second),
    the last 15 seconds. remaining: (baseline identifier, test requests still queued) of the baselines it holds.
    recording: it takes baselines for this run. unsent_baselines: recorded, not yet acknowledged by the control plane.
    start: of a record that is made from an address, how far that is.
    """

    run_id: str
    generation: int
    sent: int = 0
    recent: tuple[tuple[int, int], ...] = ()
    remaining: tuple[tuple[str, int], ...] = ()
    recording: bool = False
    unsent_baselines: int = 0
    start: StartTold | None = None


class Heartbeat(msgspec.Struct, frozen=True, array_like=True):
    """The node's sign of life. now: its clock, UNIX seconds.

    learned: states of session cookies that changed on this node, at most MOST_LEARNED_TOLD; told again until Orders came.
    rps_per_host: the most requests to one host that any second that is not over may hold of this node's; 0 where it sends
    none, None where nothing limits it.
    """

    node_id: str
    session: str
    now: float
    config_version: int
    runs: tuple[RunProgress, ...] = ()
    learned: tuple[LearnedCookie, ...] = ()
    rps_per_host: int | None = None


class RunOrder(msgspec.Struct, frozen=True, array_like=True, kw_only=True):
    """The wanted state of one run on this node.

    run_id: the run's, or the record's own (`rec_…`) where a record is made without a run: it is recorded, never tested.
    generation: the lease; every later message about the run carries it. recording: take baselines now.
    sending: test the run's baselines now (false while paused or cloning). targets outside `allowed_hosts` are never sent to;
    empty means loopback only. target_url: send to this origin instead of the recorded one.
    marker_key: signs the marker on every request that the run sends.
    profile: how the run signs in; its secrets are in it, so the order is never logged. each_identical: whether every one of
    identical baselines is tested, as it was recorded. start: where the record of this order is read from: it takes nothing from
    elsewhere, and `sending` says whether it may be read now. credential_headers: headers of the application's own that are known
    to let in, as an earlier lease has found by asking.
    """

    run_id: str
    generation: int
    record_id: str
    recording: bool
    sending: bool
    policy: Policy
    rps: int | None = None
    rps_per_baseline: int | None = None
    stop_on_first_fail: bool = False
    target_url: str | None = None
    marker_key: bytes = b""
    allowed_hosts: str = ""
    profile: AuthProfile | None = None
    each_identical: bool = False
    start: Start | None = None
    credential_headers: tuple[str, ...] = ()


class Orders(msgspec.Struct, frozen=True, array_like=True):
    """What the node is to do: exactly these runs, and no other. config: only when it is newer than the node's.

    rps_per_host: test requests a second to any one host, over all its runs: its part of what the client allows.
    """

    now: float
    runs: tuple[RunOrder, ...] = ()
    config: Config | None = None
    rps_per_host: int | None = None
