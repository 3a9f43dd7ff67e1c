"""`gatecrash demo`: both halves on a small target of ours, over the real proxy, API and database.

target/       the vulnerable tea shop, and what a sound tool must say about it
launch.py     the target and the service as processes
traffic.py    scripted customers and machines that go through the proxy
comparison.py what was shown against what is expected
summary.py    the tables at the end
story.py      all of it in order
"""
