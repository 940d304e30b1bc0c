/** Returns the names directly below a folder, sorted. The names of folders end with a slash. */
export function namesBelow(folder: string, paths: Iterable<string>): string[] {
  const below = folder === '' ? '' : `${folder}/`
  const names = new Set<string>()
  for (const path of paths) {
    if (!path.startsWith(below)) continue
    const rest = path.slice(below.length)
    const slash = rest.indexOf('/')
    names.add(slash === -1 ? rest : rest.slice(0, slash + 1))
  }
  return [...names].sort()
}
