/** The scripts that shells read. Each asks `assay complete` for the candidates. */
export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** The scripts ask this file where the command is not on the PATH, as in a checkout, in which it may be an alias. */
const entry = `'${(process.argv[1] ?? 'assay').replaceAll("'", "'\\''")}'`

const bash = `_assay() {
  local IFS=$'\\n' run=(assay)
  type -P assay > /dev/null || run=(node ${entry})
  COMPREPLY=($("\${run[@]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == */ ]] && compopt -o nospace
  return 0
}
complete -o default -F _assay assay`

/** A file below `fpath` becomes the function when the first word is completed; elsewhere the function has to be named. */
const zsh = `#compdef assay
_assay() {
  local -a found run
  run=(assay)
  (( $+commands[assay] )) || run=(node ${entry})
  found=(\${(f)"$($run complete -- "\${(@)words[2,$CURRENT]}" 2>/dev/null)"})
  if (( \${#found} )); then compadd -Q -S '' -a found; else _files; fi
}
if [[ "\${funcstack[1]}" == _assay ]]; then _assay "$@"; else compdef _assay assay; fi`

const fish = `function __assay_complete
  set -l words (commandline -opc)[2..] (commandline -ct)
  if type -fq assay; command assay complete -- $words 2>/dev/null; else; node ${entry} complete -- $words 2>/dev/null; end
end
complete -c assay -a '(__assay_complete)'`

export const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish }
