/** Makes text from a target safe for each format. Nothing that a target sends may be read as markup or be hidden from a
 * reader. */

/** Replaces control characters and direction marks by their code in angle quotes, so that a reader sees them. */
export function visible(text: string): string {
  // C0 and C1 controls except tab and line feed, line and paragraph separators, and the marks that reorder or hide text
  // in a viewer.
  const unseen = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028\u2029\p{Cf}\uFFFE\uFFFF]/gu
  const loneSurrogate = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g
  return text
    .replace(/\r\n/g, '\n')
    .replace(unseen, (mark) => `‹${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`)
    .replace(loneSurrogate, '\uFFFD')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes element content and quoted attributes of HTML, SVG and XML. */
export const markup = (text: string): string => visible(text).replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)

/** Converts words for a reader to HTML; text in backquotes becomes code. */
export const prose = (text: string): string => markup(text).replace(/`([^`]+)`/g, '<code>$1</code>')

/** Converts words for a reader to Markdown; text in backquotes becomes code. */
export const markdownProse = (text: string): string =>
  text
    .split(/`([^`]+)`/)
    .map((part, at) => (at % 2 === 1 ? codeSpan(part) : markdown(part)))
    .join('')

const hiddenOrMarkup = /[<>&\u007F-\u009F\u2028\u2029\p{Cf}]/gu
const codes = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')

/** Returns JSON that is safe inside a script element, and for a reader of the page's source. Matching Unicode classes
 * is slow, so only characters beyond ASCII are matched against them. */
export const scriptJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[<>&]|[\u007F-\uFFFF]+/g, (part) => part.replace(hiddenOrMarkup, codes))

/** Escapes a text as one line of Markdown that also fits into a table cell: without markup, links, mentions and line
 * breaks. */
export const markdown = (text: string): string =>
  visible(text)
    .replace(/(?<!\s)\s*\n\s*/g, ' ')
    .replace(/[\\`*_{}[\]()<>#+!|~&$@]/g, (sign) => (sign in entities ? (entities[sign] ?? sign) : `\\${sign}`))
    .replace(/:\/\//g, ':&#8203;//')
    .replace(/\\@/g, '&#64;')

/** Returns a code span of Markdown that also fits into a table cell. Its fence is longer than any run of backquotes
 * inside. */
export function codeSpan(text: string): string {
  const line = visible(text)
    .replace(/(?<!\s)\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|')
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map((run) => run[0].length))
  const fence = '`'.repeat(longest + 1)
  return longest > 0 ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`
}

export function shorten(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${text.length - limit} more characters)`
}

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Returns an excerpt of both texts in one line each, starting shortly before their first difference. */
export function excerpt(
  texts: { readonly wanted: string; readonly saw: string },
  limit = 90,
): { wanted: string; saw: string } {
  const wanted = oneLine(texts.wanted)
  const saw = oneLine(texts.saw)
  let same = 0
  while (same < wanted.length && wanted[same] === saw[same]) same += 1
  const from = same > 30 ? same - 24 : 0
  const part = (text: string): string => {
    const end = Math.min(text.length, from + limit)
    return `${from > 0 ? '…' : ''}${text.slice(from, end)}${end < text.length ? '…' : ''}`
  }
  return { wanted: part(wanted), saw: part(saw) }
}

/** Breaks up `##[`, which build systems treat as the start of a command anywhere in a printed line. */
export const withoutCommands = (text: string): string => text.replace(/#(?=#[\w-]*\[)/g, '# ')

/** Escapes the message of a workflow command of GitHub. */
export const commandMessage = (text: string): string =>
  withoutCommands(oneLine(visible(text)))
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A')

/** Escapes a property of a workflow command, which also ends at a colon or a comma. */
export const commandProperty = (text: string): string =>
  commandMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
