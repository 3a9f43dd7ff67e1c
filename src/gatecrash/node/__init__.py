"""The node: it runs where the traffic is, observes it, records baselines, and sends the tests.

http1/, http2/, tls/   bytes in and out: messages, frames, the node's own CA
observe/               the tap (forward and reverse proxy), the collector, followed logs, and what counts their traffic
test/                  the recorder, the sender, the runner
scan/                  `gatecrash scan`: the same tests without a control plane
oob/                   the out-of-band listener
processes/             testing and proxying in several processes
spool.py               what must survive a kill until the control plane has it
uplink.py              the client of the control plane
agent.py               all of it started, driven by orders, and ended in order
"""
