/** Secrets known by how they look, wherever they stand. */

const begin = '-----BEGIN '
const privateHead = /^-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/

export interface Shape {
  readonly start: number
  readonly end: number
  readonly label: 'private key' | 'token'
  /** False for a block that never ends: what it holds is redacted, but is no value to look for elsewhere. */
  readonly isWhole: boolean
}

const tokens = /(?<![\w.-])(?:hv[sbr]\.[A-Za-z0-9_-]{20,}|[sbr]\.[A-Za-z0-9]{24,})(?![\w-])/g

/** A block that never ends counts to the end of the text. */
function privateKeys(text: string): Shape[] {
  const shapes: Shape[] = []
  for (let start = text.indexOf(begin); start >= 0; ) {
    const head = privateHead.exec(text.slice(start, start + 64))
    if (!head) {
      start = text.indexOf(begin, start + begin.length)
      continue
    }
    const foot = head[0].replace('BEGIN', 'END')
    const found = text.indexOf(foot, start)
    const end = found < 0 ? text.length : found + foot.length
    shapes.push({ start, end, label: 'private key', isWhole: found >= 0 })
    start = text.indexOf(begin, end)
  }
  return shapes
}

/** In order, not overlapping. */
export function shapesIn(text: string): Shape[] {
  const keys = privateKeys(text)
  const shapes: Shape[] = []
  let next = 0
  for (const match of text.matchAll(tokens)) {
    const start = match.index
    const end = start + match[0].length
    for (let key = keys[next]; key && key.start < end; key = keys[++next]) shapes.push(key)
    if ((shapes.at(-1)?.end ?? 0) <= start) shapes.push({ start, end, label: 'token', isWhole: true })
  }
  return shapes.concat(keys.slice(next))
}

/** The block as it was before it was written into JSON or a URL. */
export const asWritten = (block: string): string => block.replace(/\\+r/g, '').replace(/\\+n|(?:%0[Dd])?%0[Aa]/g, '\n')
