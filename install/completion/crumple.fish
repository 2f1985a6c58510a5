# Completion of crumple in fish; installed in share/fish/vendor_completions.d.
function __crumple_complete
    env _CRUMPLE_COMPLETE=complete_fish _TYPER_COMPLETE_FISH_ACTION=$argv[1] \
        _TYPER_COMPLETE_ARGS=(commandline -cp | string collect) crumple
end
complete --command crumple --no-files --arguments "(__crumple_complete get-args)" \
    --condition "__crumple_complete is-args"
