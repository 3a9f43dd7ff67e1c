"""Where traffic is seen: the tap (a forward or reverse proxy) and the folding of what it saw into counts.

    client ⇄ client_side ⇄ upstream_side ⇄ application
                  │ a copy, bounded
              observations → folding (counts), recorder (baselines)

The other sources (sources.py) join further right: the collector feeds `observations`, a followed log goes straight to the
folding, since the place in the log is kept together with its counts.
"""
