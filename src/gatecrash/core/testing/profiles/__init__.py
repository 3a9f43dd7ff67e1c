"""Auth profiles: how a run signs in, stays signed in and signs its requests, as values and pure functions."""
