"""Extensions: tests of a user's own, written as YAML with the phases collect, match, modify, generate, send, detect."""
