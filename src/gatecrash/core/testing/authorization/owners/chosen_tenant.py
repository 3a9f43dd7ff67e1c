"""Whether a request chooses its sender's tenant: `/companies/1` of somebody whose company is the first, and not `/loads/1`.

A header for the tenant comes with whatever is asked for, what is for all its customers, too. And the page of one that goes by
its name (`/firms/acme`), and what it publishes (`/firms/acme/jobs`), may be for others to read.
"""

import re

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.callers.oneself import TENANT
from gatecrash.core.testing.authorization.objects.named import kind_of
from gatecrash.core.testing.authorization.openness.everybodys import ends_published, is_published
from gatecrash.core.testing.authorization.owners.listed_elsewhere import LEAST_DIGITS
from gatecrash.core.testing.authorization.owners.ownership import is_of_tenant
from gatecrash.core.testing.known.objects import Named

# The kinds of tenants, as `kind_of` tells them.
_TENANTS = re.compile(r"(?:.*[-_])?(?:tenant|org(?:ani[sz]ation)?|compan|firm|business|enterprise|workspace)")


def is_his_tenant(request: Request, named: Named, values: frozenset[str]) -> bool:
    """Whether an identifier is its sender's tenant. The first load of an exchange has the number of the first company, too: for a
    small number, and for a word of the path, another word must say that a tenant is chosen. values: what says who the sender is.
    """
    if TENANT + named.value.lower() not in values:
        return False
    is_small = named.value.isdigit() and len(named.value) < LEAST_DIGITS
    # A harbour may be called as the firm is that has its boats there.
    is_word = named.point[0] == "path" and not any(map(str.isdigit, named.value))
    return not (is_small or is_word) or _TENANTS.fullmatch(kind_of(request, named)) is not None


def is_kept_of_tenant(request: Request, named: Named) -> bool:
    """Whether what a tenant's identifier leads to is its own by the address alone, be it private or not."""
    if named.point[0] == "header":
        return False
    if named.point[0] != "path" or named.value.isdigit():
        return True
    below = request.path.decode("latin-1").rstrip("/").split("/")[int(named.point[1]) + 2 :]
    return bool(below) and not ends_published("/" + "/".join(below))


def is_told_of_tenant(request: Request, good: Response, tenants: frozenset[str]) -> bool:
    """Whether an answer says of what it shows that it is one of these tenants', at an address of nothing that is published:
    a report by a header for the tenant that names him again.
    """
    return is_of_tenant(good, tenants) and not is_published(request.path.decode("latin-1"))
