"""Keyword decks: their text in blocks, and the fields of their cards by name."""
