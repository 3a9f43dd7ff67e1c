"""What is said of each kind of leak, wherever it shows: its title, its weakness, and what can be done with it."""

from gatecrash.core.testing.oracles.leaks.leaks import CONTACTS, DEBUG, DEPLOYED, LISTING, METRICS, SECRET, TRACE, Leak

CWE_OF = {
    TRACE: (209,),
    DEBUG: (215,),
    SECRET: (200,),
    LISTING: (548,),
    DEPLOYED: (538,),
    METRICS: (497,),
    CONTACTS: (200, 213),
}
# By what can be done with it.
THREAT_OF = {TRACE: 25, DEBUG: 45, SECRET: 70, LISTING: 30, DEPLOYED: 65, METRICS: 20, CONTACTS: 35}
# By kind of leak; the errors of one host are worded in one place, so that these two tell of one cause wherever they show.
OF_ERRORS = ("Stack traces are shown", "Debug pages are shown")
TITLES = {
    TRACE: OF_ERRORS[0],
    DEBUG: OF_ERRORS[1],
    SECRET: "A secret is given away",
    LISTING: "A directory is listed",
    METRICS: "Metrics are shown to everybody",
    DEPLOYED: "A file of the deployment is handed out",
    CONTACTS: "More is told of authors than their names",
}
PASSWORD = Leak(SECRET, "an account's password or its hash")


def title_of(leak: Leak) -> str:
    """What a finding of it is called."""
    return f"{TITLES[leak.kind]} ({leak.what})"
