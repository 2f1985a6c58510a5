"""Published measurements, predicted: their cases from the catalogue, row by row beside what was found."""
