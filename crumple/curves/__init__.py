"""Curves as they are presented: filters, injury figures, ratings against tests, pictures."""
