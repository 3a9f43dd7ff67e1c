"""Whether a request chooses its sender's tenant: `/companies/1` of somebody whose company is the first, and not `/loads/1`."""

import re

from gatecrash.core.message import Request
from gatecrash.core.testing.authorization.callers.oneself import TENANT
from gatecrash.core.testing.authorization.objects.named import Named, kind_of
from gatecrash.core.testing.authorization.owners.listed_elsewhere import LEAST_DIGITS

# The kinds of tenants, as `kind_of` tells them.
_TENANTS = re.compile(r"(?:.*[-_])?(?:tenant|org(?:ani[sz]ation)?|compan|workspace)")


def is_his_tenant(request: Request, named: Named, values: frozenset[str]) -> bool:
    """Whether an identifier is its sender's tenant. The first load of an exchange has the number of the first company, too: for a
    small number a word must say that a tenant is chosen. values: what says who the sender is.
    """
    if TENANT + named.value.lower() not in values:
        return False
    is_small = named.value.isdigit() and len(named.value) < LEAST_DIGITS
    return not is_small or _TENANTS.fullmatch(kind_of(request, named)) is not None
