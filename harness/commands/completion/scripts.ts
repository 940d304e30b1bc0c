/** The scripts that shells read. Each asks `assay complete` for the candidates. */
export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

const bash = `_assay() {
  local IFS=$'\\n'
  COMPREPLY=($(assay complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == */ ]] && compopt -o nospace
  return 0
}
complete -o default -F _assay assay`

/** A file below `fpath` becomes the function when the first word is completed; elsewhere the function has to be named. */
const zsh = `#compdef assay
_assay() {
  local -a found
  found=(\${(f)"$(assay complete -- "\${(@)words[2,$CURRENT]}" 2>/dev/null)"})
  if (( \${#found} )); then compadd -Q -S '' -a found; else _files; fi
}
if [[ "\${funcstack[1]}" == _assay ]]; then _assay "$@"; else compdef _assay assay; fi`

const fish = `complete -c assay -a '(assay complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`

export const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish }
