import type { PageElement } from './browser.ts'
import type { Child, Kit } from './kit.ts'

/** A JSON text with line breaks and indentation, cut into tokens; undefined if it is no JSON object or array. Numbers,
 * escapes, double keys and the order of keys stay as they were sent, which parsing and printing would lose. */
export function formatJson(text: string): readonly { readonly kind: string; readonly text: string }[] | undefined {
  const trimmed = text.trim()
  if (!/^[[{]/.test(trimmed)) return undefined
  try {
    JSON.parse(trimmed)
  } catch {
    return undefined
  }
  const tokens = trimmed.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? []
  const out: { kind: string; text: string }[] = []
  let depth = 0
  let deepest = 0
  const line = (): string => `\n${'  '.repeat(Math.min(depth, 100))}`
  tokens.forEach((token, at) => {
    const next = tokens[at + 1]
    if (token === '{' || token === '[') {
      depth += 1
      deepest = Math.max(deepest, depth)
      const empty = next === '}' || next === ']'
      out.push({ kind: 'sign', text: empty ? token : token + line() })
    } else if (token === '}' || token === ']') {
      depth -= 1
      const empty = tokens[at - 1] === '{' || tokens[at - 1] === '['
      out.push({ kind: 'sign', text: empty ? token : line() + token })
    } else if (token === ',') out.push({ kind: 'sign', text: token + line() })
    else if (token === ':') out.push({ kind: 'sign', text: ': ' })
    else if (token.startsWith('"')) out.push({ kind: next === ':' ? 'name' : 'string', text: token })
    else out.push({ kind: 'value', text: token })
  })
  // Indentation grows with the square of the depth; nothing this deep was made for a reader.
  return deepest > 100 ? undefined : out
}

/** A body as a block of text; JSON is laid out, anything else stands as it came. */
export function bodyBlock(kit: Kit, label: string, text: string): PageElement {
  const tokens = kit.formatJson(text) ?? [{ kind: 'sign', text }]
  // Colour costs an element a token, so a long body goes without.
  const content: Child[] =
    tokens.length < 4000
      ? tokens.map(({ kind, text: token }) =>
          kind === 'sign' ? kit.visible(token) : kit.el('span', { class: `json-${kind}` }, kit.visible(token)),
        )
      : [kit.visible(tokens.map((token) => token.text).join(''))]
  return kit.el('pre', { class: 'body', tabindex: '0', role: 'region', 'aria-label': label }, ...content)
}
