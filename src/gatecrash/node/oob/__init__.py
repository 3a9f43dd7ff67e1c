"""The out-of-band listener: where targets come to that fetch, look up or run what a payload told them."""
