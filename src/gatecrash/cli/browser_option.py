"""The option of a browser that runs the scripts of sites, which `scan`, `node` and `up` share."""

import click

from gatecrash.node.browser.finding import AUTO

browser_option = click.option(
    "--browser",
    envvar="GATECRASH_BROWSER",
    default=AUTO,
    show_default=True,
    metavar="auto|off|PROGRAM",
    help="The Chromium or Chrome that runs a site's scripts while its pages are read. [env: GATECRASH_BROWSER]",
)
