"""The option that names a proxy on the way to applications, which `node` and `scan` share."""

import click

upstream_proxy_option = click.option(
    "--upstream-proxy",
    envvar="GATECRASH_UPSTREAM_PROXY",
    metavar="URL",
    help="Reach applications through this proxy: http://[user:password@]host:port. [env: GATECRASH_UPSTREAM_PROXY]",
)
"""A password belongs in the environment: others on the machine can see what a command was given."""
