/** Parses username templates: text with actions in double braces. It supports the part of Go's template language that
 * names need. */

export type Expression =
  | { readonly kind: 'value'; readonly value: string | number }
  | { readonly kind: 'input'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }

export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'print'; readonly expression: Expression }
  | { readonly kind: 'if'; readonly branches: readonly Branch[] }

/** A branch without a condition is the `else`. */
export interface Branch {
  readonly condition?: Expression
  readonly parts: readonly Part[]
}

export class TemplateError extends Error {
  override readonly name = 'TemplateError'
}

type Piece = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'action'; readonly source: string }

/** Splits a template into texts and actions. `{{-` and `-}}` remove the white space next to them. */
function piecesOf(source: string): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  let trims = false
  const addText = (text: string): void => {
    const kept = trims ? text.trimStart() : text
    if (kept !== '') pieces.push({ kind: 'text', text: kept })
  }
  for (;;) {
    const open = source.indexOf('{{', at)
    if (open === -1) break
    const close = source.indexOf('}}', open)
    if (close === -1) throw new TemplateError('an action is not closed: }} is missing')
    const before = source.slice(at, open)
    const inner = source.slice(open + 2, close)
    addText(/^-\s/.test(inner) ? before.trimEnd() : before)
    trims = /\s-$/.test(inner)
    pieces.push({ kind: 'action', source: inner.replace(/^-\s/, '').replace(/\s-$/, '').trim() })
    at = close + 2
  }
  addText(source.slice(at))
  return pieces
}

export function parseTemplate(source: string): readonly Part[] {
  const pieces = piecesOf(source).filter((piece) => piece.kind === 'text' || !/^\/\*[\s\S]*\*\/$/.test(piece.source))
  let at = 0
  let ended = ''

  /** Parses up to the `else` or `end` of the open block. */
  function block(depth: number): Part[] {
    const parts: Part[] = []
    let piece = pieces[at++]
    for (; piece && !endsBlock(piece); piece = pieces[at++]) parts.push(partOf(piece, depth))
    ended = endOf(piece, depth)
    return parts
  }

  function partOf(piece: Piece, depth: number): Part {
    if (piece.kind === 'text') return piece
    const { source } = piece
    return /^if\b/.test(source)
      ? conditional(source.slice(2), depth)
      : { kind: 'print', expression: parseExpression(source) }
  }

  function conditional(condition: string, depth: number): Part {
    const branches: Branch[] = [{ condition: parseExpression(condition), parts: block(depth + 1) }]
    while (ended !== 'end') {
      const rest = ended.slice('else'.length).trim()
      if (rest !== '' && !/^if\b/.test(rest)) throw new TemplateError(`{{${ended}}} is neither else nor else if`)
      const parts = (): Part[] => block(depth + 1)
      branches.push(rest === '' ? { parts: parts() } : { condition: parseExpression(rest.slice(2)), parts: parts() })
    }
    return { kind: 'if', branches }
  }
  return block(0)
}

const endsBlock = (piece: Piece): boolean =>
  piece.kind === 'action' && (piece.source === 'end' || /^else\b/.test(piece.source))

/** Returns the `else` or `end` of a block. Refuses one without a block, and a block without one. */
function endOf(piece: Piece | undefined, depth: number): string {
  const end = piece?.kind === 'action' ? piece.source : ''
  if (end !== '' && depth === 0) throw new TemplateError(`{{${end}}} has no {{if}}`)
  if (end === '' && depth > 0) throw new TemplateError('an {{if}} has no {{end}}')
  return end
}

const token = /\s*("(?:[^"\\]|\\.)*"|`[^`]*`|[()|]|-?\d+|\.\w+|\w+)/y

function tokensOf(source: string): string[] {
  const tokens: string[] = []
  const text = source.trim()
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const from = token.lastIndex
    const [, found] = token.exec(text) ?? []
    if (found === undefined) throw new TemplateError(`not understood: ${text.slice(from)}`)
    tokens.push(found)
  }
  return tokens
}

function literal(word: string): Expression {
  if (word.startsWith('"')) return { kind: 'value', value: JSON.parse(word) as string }
  if (word.startsWith('`')) return { kind: 'value', value: word.slice(1, -1) }
  if (/^-?\d+$/.test(word)) return { kind: 'value', value: Number(word) }
  if (word.startsWith('.')) return { kind: 'input', name: word.slice(1) }
  return { kind: 'call', name: word, args: [] }
}

/** Parses calls joined by `|`. Each passes its value to the next one as the last argument. */
function parseExpression(source: string): Expression {
  const tokens = tokensOf(source)
  let at = 0

  function operand(): Expression {
    const word = tokens[at++]
    if (word === undefined || word === ')' || word === '|') throw new TemplateError(`a value is missing in: ${source}`)
    if (word !== '(') return literal(word)
    const inner = pipeline()
    if (tokens[at++] !== ')') throw new TemplateError(`) is missing in: ${source}`)
    return inner
  }
  function command(): Expression {
    const first = operand()
    const args: Expression[] = []
    while (at < tokens.length && tokens[at] !== '|' && tokens[at] !== ')') args.push(operand())
    if (args.length === 0) return first
    if (first.kind !== 'call' || first.args.length > 0) throw new TemplateError(`no function to call in: ${source}`)
    return { ...first, args }
  }
  function pipeline(): Expression {
    let value = command()
    while (tokens[at] === '|') {
      at++
      const next = command()
      if (next.kind !== 'call') throw new TemplateError(`no function after | in: ${source}`)
      value = { ...next, args: [...next.args, value] }
    }
    return value
  }
  const whole = pipeline()
  if (at < tokens.length) throw new TemplateError(`${tokens[at]} is too much in: ${source}`)
  return whole
}
