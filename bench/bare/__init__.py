"""The reference side of `bench.poll`: Django on granian, one view, one indexed token read, a small JSON answer."""
