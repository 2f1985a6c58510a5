#compdef crumple
# Completion of crumple in zsh; installed as _crumple in a folder of fpath.
eval "$(env _TYPER_COMPLETE_ARGS="${words[1,$CURRENT]}" _CRUMPLE_COMPLETE=complete_zsh crumple)"
