"""Builds decks of vehicles from what others have published."""
