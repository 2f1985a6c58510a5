"""The lab's questions as functions: what `import crumple.lab` offers beside classes of the folders below."""
