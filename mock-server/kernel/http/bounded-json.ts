/** Deeper values could not be written again: `JSON.stringify` calls itself for each level. */
export const deepestJson = 256

/** `JSON.parse`, but a RangeError for a value that is nested too deep. */
export function parseBoundedJson(text: string): unknown {
  // Each level takes two characters, so that most bodies need no look at their brackets.
  if (text.length > 2 * deepestJson) assertDepth(text)
  return JSON.parse(text)
}

function assertDepth(text: string): void {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (isInString) {
      if (letter === '\\') at++
      else if (letter === '"') isInString = false
    } else if (letter === '"') isInString = true
    else if (letter === '[' || letter === '{') {
      if (++depth > deepestJson) throw new RangeError(`it is nested deeper than ${deepestJson} levels`)
    } else if (letter === ']' || letter === '}') depth--
  }
}
