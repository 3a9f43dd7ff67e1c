"""Names that many schemas have, as first guesses at one that is not told: what is suggested for them leads on to the others.

They are common words of applications, and none of any application in particular: a guess need only be near.
"""

from collections.abc import Iterable, Iterator
from typing import Final


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


THINGS: Final = _words(
    "user account profile viewer customer member employee person team group organization company tenant role permission"
    " product item category order cart invoice payment transaction transfer card wallet coupon discount price"
    " post article page comment review rating message note task project ticket event booking reservation appointment"
    " file document image upload report setting config notification subscription session token key log audit node search"
    " status version health system"
)
"""What fields of queries are called after; of several, too."""
QUESTIONS: Final = _words(
    "systemStatus systemInfo serverInfo diagnostics debug readFile getFile downloadFile listFiles lookupHost pingHost"
    " checkHost fetchUrl previewUrl runCommand execute currentUser loggedInUser getUser getUsers listUsers findUser"
    " auditLogs activityLog exportData"
)
"""Queries that are called after what they do."""
CHANGES: Final = _words(
    "login signIn signUp register logout resetPassword changePassword updateProfile uploadFile sendMessage addComment"
    " placeOrder import export"
)
"""Mutations of whole applications, beside those that are called after a thing."""
FIELDS: Final = _words(
    "id name title email username password role status type description content text body url price amount total balance"
    " quantity createdAt updatedAt date owner author user users items comments orders phone address notes secret token active"
    " isAdmin public node edges"
)
"""What is answered with, and stands in inputs."""
ARGUMENTS: Final = _words(
    "id name email username password search query filter input data first offset page sort status type kind url path file"
    " content title text token userId"
)
VALUES: Final = _words(
    "ACTIVE INACTIVE OPEN CLOSED PENDING DONE DRAFT NEW PUBLISHED PUBLIC PRIVATE ADMIN USER ASC DESC LOW MEDIUM HIGH NAME"
    " DATE JSON CSV PDF"
)
"""Of enumerations."""
_DEEDS: Final = ("create", "add", "update", "edit", "delete", "remove", "set")


def of_queries(things: Iterable[str]) -> Iterator[str]:
    """What asks for these things: `user`, `users`, `userById`, `allUsers`, `myUsers`, `searchUsers`."""
    for thing in things:
        several = plural(thing)
        big = several[:1].upper() + several[1:]
        yield from (thing, several, f"{thing}ById", f"all{big}", f"my{big}", f"search{big}")


def of_mutations(things: Iterable[str]) -> Iterator[str]:
    """What changes them: `createUser`."""
    for thing in things:
        yield from (f"{deed}{thing[:1].upper()}{thing[1:]}" for deed in _DEEDS)


def plural(thing: str) -> str:
    """As English has it, nearly."""
    return thing[:-1] + "ies" if thing.endswith("y") else thing + ("es" if thing.endswith(("s", "ch", "x")) else "s")
