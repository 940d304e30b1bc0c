/** Compiles the patterns of `matches`: literal text, `.*`, anchors and escapes. Nothing else is supported, so that
 * matching is linear in the text. */

export type Matcher = (text: unknown) => boolean | undefined

/** Returns the matcher of a pattern, or says what in the pattern is not supported. */
export function readPattern(pattern: string): Matcher | { readonly problem: string } {
  const anchoredStart = pattern.startsWith('^')
  const parts = ['']
  let anchoredEnd = false
  for (let at = anchoredStart ? 1 : 0; at < pattern.length; at++) {
    const character = pattern.charAt(at)
    const next = pattern.charAt(at + 1)
    if (character === '.' && next === '*') {
      parts.push('')
      at += 1
    } else if (character === '$' && at === pattern.length - 1) anchoredEnd = true
    else if (character === '\\' && next !== '' && !/[A-Za-z0-9]/.test(next)) {
      parts[parts.length - 1] += next
      at += 1
    } else if ('.*+?()[]{}|^$\\'.includes(character)) {
      return {
        problem: `"${character}" in a pattern is understood only as ".*", as "^" at its start and as "$" at its end`,
      }
    } else parts[parts.length - 1] += character
  }
  return (text) => (typeof text === 'string' ? isMatch(text, parts, anchoredStart, anchoredEnd) : undefined)
}

function isMatch(text: string, parts: readonly string[], anchoredStart: boolean, anchoredEnd: boolean): boolean {
  const last = parts.length - 1
  let at = 0
  for (const [index, part] of parts.entries()) {
    if (anchoredEnd && index === last) {
      const start = text.length - part.length
      return start >= at && text.endsWith(part) && !(anchoredStart && last === 0 && start > 0)
    }
    const found = anchoredStart && index === 0 ? (text.startsWith(part) ? 0 : -1) : text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return true
}
