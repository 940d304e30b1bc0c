import { visible } from '../../escape.ts'
import { type Child, el } from './element.ts'
import { type Names, named } from './names.ts'

interface Token {
  readonly kind: string
  readonly text: string
}

/** The deepest nesting that is laid out: indentation grows with the square of the depth, and deeper JSON was not made
 * for a reader. */
const deepestShown = 100

/** Returns a JSON text with line breaks and indentation, cut into tokens; undefined if it is not a JSON object or
 * array, or is nested too deeply. Numbers, escapes, duplicate keys and the order of keys stay as they were sent;
 * parsing and printing would lose them. */
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

/** Adds a line break before a closing bracket, after an opening one and after a comma. Empty objects and arrays stay on
 * one line. */
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

/** Returns the text inside a JSON string if it is a document of its own: it has several lines, is written in a policy
 * language, or is JSON. Returns undefined for any other string. */
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

/** Shows a body as a block of text. JSON is laid out, and a document in one of its strings is shown as text with
 * numbered lines. Anything else is shown as it was sent. */
export function bodyBlock(label: string, text: string, names: Names = {}): HTMLElement {
  const tokens = formatJson(text) ?? [{ kind: 'sign', text }]
  // Colour needs one element for each token, so a long body is shown without it.
  const content: Child[] =
    tokens.length < 4000
      ? tokens.flatMap((token, at) => tokenShown(token, tokens[at - 1], names))
      : [visible(tokens.map((token) => token.text).join(''))]
  return el('pre', { class: 'body', tabindex: '0', role: 'region', 'aria-label': label }, ...content)
}

function tokenShown({ kind, text }: Token, before: Token | undefined, names: Names): Child[] {
  // A document ends its own line, so the line break after it is dropped.
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
