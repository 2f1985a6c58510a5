"""What `import crumple` offers beside decks: runs, their results, studies of parameters."""
