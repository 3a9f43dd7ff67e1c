"""Proofs that a value becomes part of an SQL statement: by comparisons, errors, grammar, waits and rows that are added."""
