"""The node: it stands where the traffic is, observes it, records baselines, and sends the tests.

http1/       HTTP/1.1 bytes in and out, without a socket: heads, bodies, hop-by-hop rules
observe/     the tap (forward and reverse proxy) and what counts its traffic; a collector and a log follower join here
test/        the recorder, the sender, the runner; an out-of-band listener joins here
spool.py     what must survive a kill until the control plane has it
uplink.py    the client of the control plane
agent.py     all of it started, driven by orders, and ended in order
"""
