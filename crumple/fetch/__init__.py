"""Builds decks of vehicles that others have published."""
