"""Whether an answer lets somebody in, and what is meant for everybody."""
