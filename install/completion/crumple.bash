# Completion of crumple in bash; installed as share/bash-completion/completions/crumple.
_crumple_completion() {
    local IFS=$'\n'
    COMPREPLY=($(env COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD="$COMP_CWORD" _CRUMPLE_COMPLETE=complete_bash "$1"))
}
complete -o default -F _crumple_completion crumple
