"""Problems with known answers: decks, figures, tolerances and sources."""
