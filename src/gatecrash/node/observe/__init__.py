"""Where traffic is seen: the tap (a forward or reverse proxy) and the folding of what it saw into counts.

    client ⇄ client_side ⇄ upstream_side ⇄ application
                  │ a copy, bounded
              observations → folding (counts), recorder (baselines)

TLS interception joins as one more front of `client_side`, HTTP/2 as a sibling of `node/http1`, a collector and a log
follower as further feeders of `observations`.
"""
