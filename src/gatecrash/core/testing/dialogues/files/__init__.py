"""Files that a request names or leaves: whether they are shown, are only there, are made, or are handed out again."""
