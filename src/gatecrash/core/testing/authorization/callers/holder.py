"""Who the sender of a baseline is: from his credentials, and from what the record shows about him."""

from collections.abc import Iterable
from typing import Final

from gatecrash.core.testing.authorization.callers.oneself import PRESENT, TENANT, TOGETHER, known_values
from gatecrash.core.testing.authorization.objects.named import named_fields, named_objects
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.testing.probe import Situation

_LEAST_WORD: Final = 3


def holder_values(situation: Situation) -> frozenset[str]:
    """What says who the sender is, in lower case: claims of his token, his name in Basic, the login that let him in, and
    what the application told him about himself. What another identity is called, too, tells nobody apart.
    """
    known = known_values(situation.baseline.request, situation.credentials)
    if not situation.identities:
        return known
    own, *others = situation.identities
    told = {value for value in own.known if not any(value in other.known for other in others)}
    return known | told


def values_of(other: Identity, situation: Situation) -> frozenset[str]:
    """What another identity is called, in lower case, and the sender is not."""
    own = frozenset(situation.identities[0].known)
    return frozenset(other.known) - own - holder_values(situation)


def own_tenants(situation: Situation) -> frozenset[str]:
    """The tenants that the sender belongs to (`tenant=acme`), whoever else does."""
    own = situation.identities[0].known if situation.identities else ()
    return frozenset(value for value in (*own, *holder_values(situation)) if value.startswith(TENANT))


def words_for_himself(situation: Situation) -> frozenset[str]:
    """What says who the sender is, and the words that his tenants go by in addresses (`acme` of `/firms/acme/bills`)."""
    return holder_values(situation) | tenant_words(own_tenants(situation))


def tenant_words(known: Iterable[str]) -> frozenset[str]:
    """The words that the tenants among what is known of somebody go by: `acme` of `tenant=acme`; no number, and none too short."""
    called = (value.removeprefix(TENANT) for value in known if value.startswith(TENANT))
    return frozenset(word for word in called if len(word) >= _LEAST_WORD and not word.isdigit())


def common_tenants(other: Identity, situation: Situation) -> frozenset[str]:
    """The tenants that the sender and another identity both belong to, and the groups that both are in."""
    own = frozenset(situation.identities[0].known) | holder_values(situation)
    both = [value for value in other.known if value in own]
    tenants = (TENANT + each.removeprefix(word) for word in (TENANT, PRESENT) for each in both if each.startswith(word))
    return frozenset({*tenants, *(each for each in both if each.startswith(TOGETHER))})


def named_by(situation: Situation) -> list[Named]:
    """The identifiers that the request names, in fields and elsewhere; words that only may be names come first."""
    request = situation.baseline.request
    named = named_fields(request) + named_objects(request, holder_values(situation))
    return sorted(named, key=lambda each: each.sure)


def named_himself(situation: Situation) -> Named | None:
    """The first field of the body that calls the sender by his name or address; None where none does. By the name beside a
    password in the message he is let in, and nobody else is named.
    """
    own, letting_in = holder_values(situation), situation.credentials
    fields = (one for one in walked(situation.baseline.request) if one.point[0] == "post" and not one.container)
    sent = (one for one in fields if one.point not in letting_in)
    told = (Named(one.point, one.value.decode("utf-8", "replace"), None) for one in sent)
    return next((each for each in told if each.value.lower() in own and not each.value.isdigit()), None)
