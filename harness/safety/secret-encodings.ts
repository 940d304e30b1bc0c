/** The forms in which a secret can turn up in what a target says or a report holds, and the views of a text that show it. */
import { createPublicKey } from 'node:crypto'
import { sizeBounds } from '../vocabulary/index.ts'
import type { Span } from './finder.ts'
import { windowLength } from './key-windows.ts'

/** Shorter values would redact ordinary words. */
export const shortestSecret = 6
/** Longer ones are not tokens or keys: what holds one is withheld as a whole. */
export const longestSecret = sizeBounds.secretLength.value

const pemBody = /-----BEGIN ([A-Z0-9 ]+)-----([\s\S]*?)-----END \1-----/g

const unpadded = (text: string): string => text.replace(/=+$/, '')
const urlAlphabet = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_')

const base64After = (before: number, bytes: Buffer): string =>
  unpadded(Buffer.concat([Buffer.alloc(before), bytes]).toString('base64'))

/** The base64 texts that any base64 of a longer text holds, wherever in it the value is: one for each alignment,
 * without the characters that also depend on the neighbours. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const text = base64After(before, bytes)
    const lead = before === 0 ? 0 : before + 1
    const tail = (before + bytes.length) % 3 === 0 ? 0 : 1
    return text.slice(lead, text.length - tail)
  })
}

/** What encoders that also escape `<`, `>` and `&` make of a text. */
const goJson = (text: string): string =>
  text.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026')

const htmlEscapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function percentForms(text: string): string[] {
  const well = text.toWellFormed()
  const component = encodeURIComponent(well)
  const strict = component.replace(/[!'()*~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
  const form = new URLSearchParams([['', well]]).toString().slice(1)
  const path = encodeURI(well)
  return [component, strict, form, path].flatMap((each) => [
    each,
    each.replace(/%[0-9A-F]{2}/g, (x) => x.toLowerCase()),
  ])
}

/** A one-time code. Its digits occur within numbers and encodings everywhere, so it counts only where it is alone. */
export const isCode = (value: string): boolean => /^\d{6,8}$/.test(value)

/** Texts to find exactly, longest first. */
export function exactForms(value: string): string[] {
  if (isCode(value)) return [value]
  const bytes = Buffer.from(value, 'utf8')
  const json = JSON.stringify(value).slice(1, -1)
  const base64 = base64Forms(bytes)
  const texts = [
    value,
    json,
    JSON.stringify(json).slice(1, -1),
    goJson(json),
    value.replace(/[&<>"']/g, (char) => htmlEscapes[char] ?? char),
  ]
  const encoded = [...base64, ...base64.map(urlAlphabet)]
  const forms = [
    ...texts,
    ...percentForms(value),
    ...encoded,
    ...base64.flatMap(percentForms),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
  ]
  return [...new Set(forms)].filter((form) => form.length >= shortestSecret).sort((a, b) => b.length - a.length)
}

/** Shorter values would be found across the words and numbers of ordinary text once separators are removed. */
const shortestSeparated = 12

/** Texts to find, without separators, in a text without separators: a value that is wrapped, and hex in groups. Empty for
 * short values. */
export function separatedForms(value: string): string[] {
  if (isCode(value) || value.length < shortestSeparated) return []
  const bytes = Buffer.from(value, 'utf8')
  const base64 = base64Forms(bytes)
  const forms = [value, ...base64, ...base64.map(urlAlphabet), ...hexForms(bytes)]
  return [...new Set(forms.map((form) => squeezed(form).text))].filter(({ length }) => length >= shortestSeparated)
}

export interface WrappedForm {
  readonly text: string
  /** Its windows that stand in the public key, and so in each certificate; absent where they are not known. */
  readonly open?: ReadonlySet<string>
}

/** Long texts of which any part gives the secret away and which may be wrapped at any width: the base64 body of a PEM
 * block, the same bytes in hex, and the block itself in base64. Empty for a value that holds no PEM. */
export function wrappedForms(value: string): WrappedForm[] {
  return [...value.matchAll(pemBody)].flatMap(([block, , body = '']) => {
    const base64 = body.replace(/^[A-Za-z-]+:.*$/gm, '').replace(/\s+/g, '')
    const der = Buffer.from(base64, 'base64')
    const open = openWindows(block)
    const forms = [base64, ...base64Forms(der).slice(1), urlAlphabet(base64), ...hexForms(der)]
    const inner = base64Forms(Buffer.from(block, 'utf8'))
    return [
      ...forms.map((text) => ({ text, ...(open ? { open } : {}) })),
      ...[...inner, ...inner.map(urlAlphabet)].map((text) => ({ text })),
    ]
  })
}

const hexForms = (bytes: Buffer): string[] => [bytes.toString('hex'), bytes.toString('hex').toUpperCase()]

/** Of real keys; a longer one is hostile. */
const longestPublicKey = 4096

/** What of a private key its public key holds too, in windows; undefined for what is no key that can be read. */
function openWindows(block: string): ReadonlySet<string> | undefined {
  const der = publicKeyOf(block)
  if (!der || der.length > longestPublicKey) return undefined
  const windows = new Set<string>(curveWindows())
  addWindows(windows, der)
  return windows
}

function addWindows(windows: Set<string>, der: Buffer): void {
  const base64 = [0, 1, 2].map((before) => base64After(before, der))
  for (const text of [...base64, ...base64.map(urlAlphabet), ...hexForms(der)])
    for (let at = 0; at + windowLength <= text.length; at++) windows.add(text.slice(at, at + windowLength))
}

/** The names of the curves P-256, P-384 and P-521, as they stand in private keys (RFC 5915, section 3). Signatures of all
 * certificates are named nearly alike. */
const curves = [
  'a00a06082a8648ce3d030107a144034200',
  'a00706052b81040022a164036200',
  'a00706052b81040023a1818903818600',
]
let namesOfCurves: ReadonlySet<string> | undefined

function curveWindows(): ReadonlySet<string> {
  if (namesOfCurves) return namesOfCurves
  const windows = new Set<string>()
  for (const curve of curves) addWindows(windows, Buffer.from(curve, 'hex'))
  namesOfCurves = windows
  return windows
}

function publicKeyOf(block: string): Buffer | undefined {
  if (!/^-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/.test(block)) return undefined
  try {
    return createPublicKey(block).export({ format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}

/** Another reading of a text, in which a secret may be that the text itself does not show: with its escapes undone, or
 * without what separates characters. It knows where its characters come from. */
export interface View {
  readonly text: string
  /** Returns the span of the original text from which a part of this one was made. */
  origin(span: Span): Span
}

/** Escapes within escapes are undone so many times. */
export const mostLevels = 3

const named: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', Tab: '\t', NewLine: '\n', sol: '/' },
  ...{ bsol: '\\', plus: '+', equals: '=', period: '.', colon: ':', semi: ';', comma: ',', lowbar: '_', num: '#' },
  ...{ hyphen: '-', dash: '-', excl: '!', quest: '?', percnt: '%', dollar: '$', ast: '*', commat: '@', Hat: '^' },
  ...{ lpar: '(', rpar: ')', lsqb: '[', rsqb: ']', lbrack: '[', rbrack: ']', lcub: '{', rcub: '}', grave: '`' },
  ...{ lbrace: '{', rbrace: '}', vert: '|', verbar: '|' },
}
const short: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** Of URLs, HTML and XML, JSON and programming languages, in this order; each has a bounded length. */
const escapes =
  /((?:%[0-9A-Fa-f]{2}){1,4})|&(?:#(\d{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z]{2,8}(?=;)));?|\\(?:u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\}|x([0-9A-Fa-f]{2})|([0-3][0-7]{2})|([nrtbf"'\\/]))|(?<![0-9A-Za-z])0x([0-9A-Fa-f]{2})(?![0-9A-Za-z])/g

const character = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '')

/** What one escape stands for, and how much of it that takes; undefined where it stands for itself. */
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

/** The first character of up to four bytes: of UTF-8 where they are that, else the byte itself. */
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

/** Undefined where the text holds no escapes. */
export function unescaped(text: string): View | undefined {
  if (!/[%&\\]|0x/.test(text)) return undefined
  const parts: string[] = []
  const from = new Uint32Array(text.length + 1)
  let length = 0
  let done = 0
  const copyTo = (end: number) => {
    if (end === done) return
    parts.push(text.slice(done, end))
    for (let index = done; index < end; index++) from[length++] = index
  }
  escapes.lastIndex = 0
  for (let match = escapes.exec(text); match; match = escapes.exec(text)) {
    const found = decoded(match)
    if (!found || found.text.length > found.width) continue
    copyTo(match.index)
    parts.push(found.text)
    for (let index = 0; index < found.text.length; index++) from[length++] = match.index
    done = match.index + found.width
    escapes.lastIndex = done
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

/** What wraps, quotes, groups or indents parts of a longer value, and what has no glyph. */
const separators = /[\s\p{Cf}>|"',;:.\\-]/u
const isSeparator = Uint8Array.from({ length: 0x10000 }, (_, code) =>
  Number(separators.test(String.fromCharCode(code))),
)

/** For texts of thousands that are read one after the other. Longer ones get room of their own. */
const shared = new Uint16Array(1 << 16)

/** Without separators. */
export function squeezed(text: string): View {
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
  const places = new Uint32Array(length)
  let kept = 0
  for (let index = 0; index < text.length; index++) if (!isSeparator[text.charCodeAt(index)]) places[kept++] = index
  return places
}

/** Spans in order, without overlaps. Where two overlap, all that either covers is one, with the label of the longer. */
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
