import { visible } from '../escape.ts'
import { type Child, el } from './element.ts'
import { type Names, named } from './names.ts'

interface Token {
  readonly kind: string
  readonly text: string
}

/** Indentation grows with the square of the depth, and nothing this deep was made for a reader. */
const deepestShown = 100

/** Returns a JSON text with line breaks and indentation, cut into tokens; undefined if it is not a JSON object or array,
 * or is too deep. Numbers, escapes, double keys and the order of keys stay as they were sent, which parsing and printing
 * would lose. */
export function formatJson(text: string): readonly Token[] | undefined {
  const trimmed = text.trim()
  if (!isObjectOrArray(trimmed)) return undefined
  const tokens = trimmed.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? []
  const out: Token[] = []
  let depth = 0
  for (const [at, token] of tokens.entries()) {
    const [before, next] = [tokens[at - 1], tokens[at + 1]]
    if (isOpening(token)) depth += 1
    if (isClosing(token)) depth -= 1
    if (depth > deepestShown) return undefined
    out.push(withLineBreak(token, before, next, depth))
  }
  return out
}

/** A line begins before a closing bracket, and after an opening one or a comma; empty objects and arrays stay on one line. */
function withLineBreak(token: string, before: string | undefined, next: string | undefined, depth: number): Token {
  const line = `\n${'  '.repeat(depth)}`
  if (isClosing(token) && !isOpening(before)) return { kind: 'sign', text: line + token }
  if (token === ',' || (isOpening(token) && !isClosing(next))) return { kind: 'sign', text: token + line }
  return tokenOf(token, next)
}

const isOpening = (token: string | undefined): boolean => token === '{' || token === '['
const isClosing = (token: string | undefined): boolean => token === '}' || token === ']'

function isObjectOrArray(text: string): boolean {
  try {
    return /^[[{]/.test(text) && typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

function tokenOf(token: string, next: string | undefined): Token {
  if (token === ':') return { kind: 'sign', text: ': ' }
  if (isOpening(token) || isClosing(token)) return { kind: 'sign', text: token }
  if (!token.startsWith('"')) return { kind: 'value', text: token }
  return { kind: next === ':' ? 'name' : 'string', text: token }
}

/** A text inside a string of JSON that is a document of its own: of several lines, in the language of policies, or JSON.
 * Undefined for any other string. */
export function documentIn(token: string): string | undefined {
  let text: unknown
  try {
    text = JSON.parse(token)
  } catch {
    return undefined
  }
  if (typeof text !== 'string') return undefined
  if (/[^\n]\n+[^\n]/.test(text)) return text
  const laidOut = text.length > 30 ? formatJson(text) : undefined
  if (laidOut) return laidOut.map((one) => one.text).join('')
  return /^\s*(path\s+"[^"]*"\s*\{|main\s*=|import\s+")/.test(text) ? text : undefined
}

/** A body as a block of text; JSON is laid out, and a document in one of its strings is shown as text with numbered lines.
 * Anything else stands as it came. */
export function bodyBlock(label: string, text: string, names: Names = {}): HTMLElement {
  const tokens = formatJson(text) ?? [{ kind: 'sign', text }]
  // Colour costs an element a token, so a long body goes without.
  const content: Child[] =
    tokens.length < 4000
      ? tokens.flatMap((token, at) => tokenShown(token, tokens[at - 1], names))
      : [visible(tokens.map((token) => token.text).join(''))]
  return el('pre', { class: 'body', tabindex: '0', role: 'region', 'aria-label': label }, ...content)
}

function tokenShown({ kind, text }: Token, before: Token | undefined, names: Names): Child[] {
  // A document ends its line.
  if (kind === 'sign') return named(isDocument(before) ? text.replace(/^,?\n/, '') : text, names)
  const inner = kind === 'string' ? documentIn(text) : undefined
  return inner === undefined
    ? [el('span', { class: `json-${kind}` }, ...named(text, names))]
    : [documentBlock(inner, names)]
}

const isDocument = (token: Token | undefined): boolean =>
  token?.kind === 'string' && documentIn(token.text) !== undefined

const documentBlock = (text: string, names: Names): HTMLElement =>
  el(
    'span',
    { class: 'document' },
    ...text
      .replace(/\n$/, '')
      .split('\n')
      .map((line, at) => el('span', { class: 'line', 'data-line': String(at + 1) }, ...named(line, names))),
  )
