/** Matches a glob in which each `*` matches any characters, including dots. It never backtracks. `path.matchesGlob` is
 * not used because it treats slashes, brackets and leading dots specially. */
export function globMatches(pattern: string, text: string): boolean {
  const parts = pattern.split('*')
  const first = parts.shift() ?? ''
  const last = parts.pop()
  if (last === undefined) return pattern === text
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
  let at = first.length
  const end = text.length - last.length
  for (const part of parts) {
    const found = text.indexOf(part, at)
    if (found < 0 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}
