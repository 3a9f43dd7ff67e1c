"""What the dialogues of several probes share: asking, asking again, proof by errors, by pairs, by waits, by callbacks."""
