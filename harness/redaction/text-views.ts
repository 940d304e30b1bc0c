/** Decoded and squeezed forms of a text, which may show a secret that the text itself does not. */
import type { Span } from './finder.ts'

/** Another form of a text: with its escapes decoded, or without separators. It maps its characters back to the original
 * text. */
export interface View {
  readonly text: string
  /** Returns the span of the original text that a span of this form was made from. */
  origin(span: Span): Span
}

/** How many levels of nested escapes are decoded. */
const mostLevels = 3

const named: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', Tab: '\t', NewLine: '\n', sol: '/' },
  ...{ bsol: '\\', plus: '+', equals: '=', period: '.', colon: ':', semi: ';', comma: ',', lowbar: '_', num: '#' },
  ...{ hyphen: '-', dash: '-', excl: '!', quest: '?', percnt: '%', dollar: '$', ast: '*', commat: '@', Hat: '^' },
  ...{ lpar: '(', rpar: ')', lsqb: '[', rsqb: ']', lbrack: '[', rbrack: ']', lcub: '{', rcub: '}', grave: '`' },
  ...{ lbrace: '{', rbrace: '}', vert: '|', verbar: '|' },
}
const short: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** Matches the escapes of URLs, HTML and XML, JSON and programming languages, in this order; each has a bounded length. */
const escapes =
  /((?:%[0-9A-Fa-f]{2}){1,4})|&(?:#(\d{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z]{2,8}(?=;)));?|\\(?:u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\}|x([0-9A-Fa-f]{2})|([0-3][0-7]{2})|([nrtbf"'\\/]))|(?<![0-9A-Za-z])0x([0-9A-Fa-f]{2})(?![0-9A-Za-z])/g

const character = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '')

/** Returns the text that an escape represents and the number of characters it takes; undefined if it is not an
 * escape. */
function decoded(match: RegExpExecArray): { readonly text: string; readonly width: number } | undefined {
  const [whole, percent, decimal, hex, name, u4, u6, x2, octal, letter, byte] = match
  if (percent !== undefined) return percentDecoded(percent)
  const width = whole.length
  if (decimal !== undefined) return { text: character(Number(decimal)), width }
  const digits = hex ?? u4 ?? u6 ?? x2 ?? byte
  if (digits !== undefined) return { text: character(Number.parseInt(digits, 16)), width }
  if (octal !== undefined) return { text: character(Number.parseInt(octal, 8)), width }
  if (letter !== undefined) return { text: short[letter] ?? letter, width }
  const text = name !== undefined && Object.hasOwn(named, name) ? named[name] : undefined
  return text === undefined ? undefined : { text, width }
}

const percentWidth = 3

/** Decodes the first character of up to four percent-encoded bytes, as UTF-8 if they are valid, else the first byte
 * alone. */
function percentDecoded(bytesOfOne: string): { readonly text: string; readonly width: number } {
  const first = Number.parseInt(bytesOfOne.slice(1, percentWidth), 16)
  const bytes = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  const width = bytes * percentWidth
  if (bytes > 1 && width <= bytesOfOne.length)
    try {
      return { text: decodeURIComponent(bytesOfOne.slice(0, width)), width }
    } catch {}
  return { text: String.fromCharCode(first), width: percentWidth }
}

/** Returns the text with one level of escapes decoded, or undefined if it has none. */
const unescaped = (text: string): View | undefined =>
  /[%&\\]|0x/.test(text) ? replacedBy(text, escapes, decoded) : undefined

function replacedBy(
  text: string,
  pattern: RegExp,
  replacement: (match: RegExpExecArray) => { readonly text: string; readonly width: number } | undefined,
): View | undefined {
  const parts: string[] = []
  const from = new Uint32Array(text.length + 1)
  let length = 0
  let done = 0
  const copyTo = (end: number) => {
    if (end === done) return
    parts.push(text.slice(done, end))
    for (let index = done; index < end; index++) from[length++] = index
  }
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const found = replacement(match)
    if (!found || found.text.length > found.width) continue
    copyTo(match.index)
    parts.push(found.text)
    for (let index = 0; index < found.text.length; index++) from[length++] = match.index
    done = match.index + found.width
    pattern.lastIndex = done
  }
  if (done === 0) return undefined
  copyTo(text.length)
  from[length] = text.length
  return {
    text: parts.join(''),
    origin: ({ start, end, label }) => ({
      start: from[start] ?? 0,
      end: Math.max(from[end] ?? text.length, (from[end - 1] ?? 0) + 1),
      label,
    }),
  }
}

const softBreak = /=\r?\n/g
const quotedBytes = /(?:=[0-9A-Fa-f]{2}){1,4}/g

const composed = (outer: View, inner: View): View => ({
  text: inner.text,
  origin: (span) => outer.origin(inner.origin(span)),
})

/** Returns the text with quoted-printable decoded. It is a view of its own, because `=ab` is usually no byte. */
function unquoted(text: string): View | undefined {
  if (!text.includes('=')) return undefined
  const joined = replacedBy(text, softBreak, ([whole]) => ({ text: '', width: whole.length }))
  const decoded = replacedBy(joined?.text ?? text, quotedBytes, ([bytes]) => percentDecoded(bytes.replaceAll('=', '%')))
  return joined && decoded ? composed(joined, decoded) : (decoded ?? joined)
}

/** Returns everything that a text may stand for, beginning with itself: with up to three levels of escapes decoded, each
 * also with quoted-printable decoded, and its lists of bytes. */
export function* viewsOf(text: string): Generator<View> {
  let view: View = { text, origin: (span) => span }
  for (let level = 0; level <= mostLevels; level++) {
    yield view
    const quoted = unquoted(view.text)
    if (quoted) yield composed(view, quoted)
    const next = unescaped(view.text)
    if (!next) break
    view = composed(view, next)
  }
  const listed = bytesListed(text)
  if (listed) yield listed
}

/** Shorter lists of numbers are numbers. */
const fewestBytes = 6
/** Matches a number that can be a byte, signed or not, and what separates it from the next one in a list. */
const byteInList = /(-?\d{1,3})([\s,;]{0,40})/y
const firstOfList = /(?<![\w.-])-?\d/g

/** Returns the text that the lists of byte numbers in a text stand for, as in `[104, 118, 115]`. */
function bytesListed(text: string): View | undefined {
  const parts: string[] = []
  const lists: { readonly at: number; readonly start: number; readonly end: number }[] = []
  let length = 0
  firstOfList.lastIndex = 0
  for (let first = firstOfList.exec(text); first; first = firstOfList.exec(text)) {
    const { bytes, end } = listAt(text, first.index)
    firstOfList.lastIndex = end
    if (bytes.length < fewestBytes) continue
    const part = `${Buffer.from(bytes).toString('utf8')}\0`
    lists.push({ at: length, start: first.index, end })
    parts.push(part)
    length += part.length
  }
  if (lists.length === 0) return undefined
  return {
    text: parts.join(''),
    // A list that contains a secret is replaced as a whole.
    origin({ start, end, label }) {
      const first = lists.findLast(({ at }) => at <= start)
      const last = lists.findLast(({ at }) => at < end)
      return { start: first?.start ?? 0, end: last?.end ?? text.length, label }
    },
  }
}

function listAt(text: string, start: number): { readonly bytes: readonly number[]; readonly end: number } {
  const bytes: number[] = []
  let end = start + 1
  byteInList.lastIndex = start
  for (let match = byteInList.exec(text); match; match = byteInList.exec(text)) {
    const [, digits = '', gap] = match
    const value = Number(digits)
    const after = match.index + digits.length
    if (value > 255 || value < -128 || /[\w.]/.test(text.charAt(after))) break
    bytes.push(value)
    end = after
    if (gap === '') break
  }
  return { bytes, end }
}

/** Matches characters that wrap, quote, group or indent parts of a longer value, and invisible ones. */
const separators = /[\s\p{Cf}>|"',;:.\\-]/u
let separatorCodes: Uint8Array | undefined

/** Returns whether each character code is a separator. Built on first use, because many commands read no text. */
function separatorsByCode(): Uint8Array {
  separatorCodes ??= Uint8Array.from({ length: 0x10000 }, (_, code) =>
    Number(separators.test(String.fromCharCode(code))),
  )
  return separatorCodes
}

/** A buffer that all shorter texts share, one after the other. Longer texts get their own. */
const shared = new Uint16Array(1 << 16)

export function squeezed(text: string): View {
  const isSeparator = separatorsByCode()
  const room = text.length > shared.length ? new Uint16Array(text.length) : shared
  let length = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (!isSeparator[code]) room[length++] = code
  }
  if (length === text.length) return { text, origin: (span) => span }
  let places: Uint32Array | undefined
  return {
    text: Buffer.from(room.buffer, 0, length * 2).toString('utf16le'),
    origin({ start, end, label }) {
      places ??= placesKept(text, length)
      return { start: places[start] ?? 0, end: (places[end - 1] ?? 0) + 1, label }
    },
  }
}

function placesKept(text: string, length: number): Uint32Array {
  const isSeparator = separatorsByCode()
  const places = new Uint32Array(length)
  let kept = 0
  for (let index = 0; index < text.length; index++) if (!isSeparator[text.charCodeAt(index)]) places[kept++] = index
  return places
}

/** Returns the spans in order, without overlaps. Overlapping spans are merged, with the label of the longer one. */
export function united(spans: readonly Span[]): Span[] {
  const whole: Span[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = whole.at(-1)
    if (!last || span.start >= last.end) whole.push(span)
    else {
      const { label } = span.end - span.start > last.end - last.start ? span : last
      whole[whole.length - 1] = { start: last.start, end: Math.max(last.end, span.end), label }
    }
  }
  return whole
}
