/** The encodings in which a secret can appear in a target's replies or in a report. */
import { createPublicKey } from 'node:crypto'
import { sizeBounds } from '../vocabulary/index.ts'
import { addHashes } from './key-windows.ts'
import { squeezed } from './text-views.ts'

/** In characters; shorter values would redact ordinary words. */
export const shortestSecret = 6
/** In characters; a longer value is not a token or a key, and the text that contains it is withheld as a whole. */
export const longestSecret = sizeBounds.secretLength.value

const pemBody = /-----BEGIN ([A-Z0-9 ]{1,40})-----((?:[^-]|-(?!----))*)-----END \1-----/g

const unpadded = (text: string): string => text.replace(/={1,6}$/, '')
const urlAlphabet = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_')

const base64After = (before: number, bytes: Buffer): string =>
  unpadded(Buffer.concat([Buffer.alloc(before), bytes]).toString('base64'))

/** Returns the texts that occur in the base64 of any longer text that contains the value: one for each alignment,
 * without the characters that also depend on neighbouring bytes. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const text = base64After(before, bytes)
    const lead = before === 0 ? 0 : before + 1
    const tail = (before + bytes.length) % 3 === 0 ? 0 : 1
    return text.slice(lead, text.length - tail)
  })
}

const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns the base32 of bytes, without the bits of a last incomplete character. */
function base32(bytes: Buffer): string {
  let [text, bits, count] = ['', 0, 0]
  for (const byte of bytes) {
    bits = (bits << 8) | byte
    for (count += 8; count >= 5; count -= 5) text += base32Alphabet[(bits >> (count - 5)) & 31]
    bits &= (1 << count) - 1
  }
  return text
}

/** Returns the texts that occur in the base32 of any longer text that contains the value. */
const base32Forms = (bytes: Buffer): string[] =>
  [0, 1, 2, 3, 4].map((before) =>
    base32(Buffer.concat([Buffer.alloc(before), bytes])).slice(Math.ceil((before * 8) / 5)),
  )

const inBothCases = (texts: readonly string[]): string[] => texts.flatMap((text) => [text, text.toLowerCase()])

/** Returns the base64 of what programs on Windows and in Java often encode: the value in UTF-16. */
const wideForms = (value: string): string[] => base64Forms(Buffer.from(value, 'utf16le'))

/** Returns JSON as encoders write it that also escape `<`, `>` and `&`, such as Go's. */
const goJson = (text: string): string =>
  text.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026')

const htmlEscapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** URL encoders do not change these characters. */
const plain = /^[\w.-]*$/

function percentForms(text: string): string[] {
  if (plain.test(text)) return [text]
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

/** Returns whether a value is a one-time code. Such digits occur in numbers and encodings everywhere, so they are
 * redacted only where they are alone. */
export const isCode = (value: string): boolean => /^\d{6,8}$/.test(value)

/** In characters. Longer values have so many rare forms that a hostile target could fill the memory with them; tokens,
 * passwords and private keys are shorter. */
const longestRare = 8 * 1024

export interface Forms {
  /** The usual encodings to find exactly. */
  readonly usual: readonly string[]
  /** Those that few programs use. */
  readonly rare: readonly string[]
  /** Those to find in a text without separators: a value that is wrapped, and hex in groups. None for short values. */
  readonly separated: readonly string[]
}

export function formsOf(value: string): Forms {
  if (isCode(value)) return { usual: [value], rare: [], separated: [] }
  const bytes = Buffer.from(value, 'utf8')
  const base64 = base64Forms(bytes)
  const hex = hexForms(bytes)
  const isLong = value.length > longestRare
  const wide = isLong ? [] : wideForms(value)
  const base32 = isLong ? [] : base32Forms(bytes)
  const encoded = [...base64, ...base64.map(urlAlphabet), ...hex]
  return {
    usual: longEnough([...texts(value), ...percentForms(value), ...base64.flatMap(percentForms), ...encoded]),
    rare: longEnough([...wide, ...wide.map(urlAlphabet), ...inBothCases(base32)]),
    separated: value.length < shortestSeparated ? [] : squeezedForms([value, ...encoded, ...wide, ...base32]),
  }
}

function texts(value: string): readonly string[] {
  const json = JSON.stringify(value).slice(1, -1)
  const html = value.replace(/[&<>"']/g, (char) => htmlEscapes[char] ?? char)
  return [value, json, JSON.stringify(json).slice(1, -1), goJson(json), html]
}

const longEnough = (forms: readonly string[]): string[] =>
  [...new Set(forms)].filter((form) => form.length >= shortestSecret)

/** In characters; shorter values would match across ordinary words and numbers once separators are removed. */
const shortestSeparated = 12

const squeezedForms = (forms: readonly string[]): string[] =>
  [...new Set(forms.map((form) => squeezed(form).text))].filter(({ length }) => length >= shortestSeparated)

export interface WrappedForm {
  readonly text: string
  /** Returns by its hash whether a window also occurs in the public key, and so in each certificate; absent if the
   * public key is unknown. One other window in billions has such a hash and is then not redacted by itself; the windows
   * next to it are. */
  readonly isPublic?: (hash: number) => boolean
}

/** Returns long encodings that are searched for in parts, since any part reveals the secret and it may be wrapped at
 * any width: the base64 body of a PEM block, the same bytes in hex, and the whole block in base64. Empty for a value
 * without PEM. */
export function wrappedForms(value: string): WrappedForm[] {
  return [...value.matchAll(pemBody)].flatMap(([block, , body = '']) => {
    const base64 = body.replace(/^[A-Za-z-]+:.*$/gm, '').replace(/\s+/g, '')
    const der = Buffer.from(base64, 'base64')
    const isPublic = publicWindows(block)
    const forms = [base64, ...base64Forms(der).slice(1), urlAlphabet(base64), ...hexForms(der)]
    const inner = base64Forms(Buffer.from(block, 'utf8'))
    return [
      ...forms.map((text) => ({ text, ...(isPublic ? { isPublic } : {}) })),
      ...[...inner, ...inner.map(urlAlphabet)].map((text) => ({ text })),
    ]
  })
}

const hexForms = (bytes: Buffer): string[] => [bytes.toString('hex'), bytes.toString('hex').toUpperCase()]

/** In bytes; real public keys are shorter, and a longer one is hostile. */
const longestPublicKey = 4096

/** Returns whether a window of a private key also occurs in its public key; undefined if the key cannot be parsed. */
function publicWindows(block: string): ((hash: number) => boolean) | undefined {
  const der = publicKeyOf(block)
  if (!der || der.length > longestPublicKey) return undefined
  const own = hashesOf([der])
  namesOfCurves ??= hashesOf(curves.map((curve) => Buffer.from(curve, 'hex')))
  const ofCurves = namesOfCurves
  return (hash) => own.has(hash) || ofCurves.has(hash)
}

function hashesOf(ders: readonly Buffer[]): ReadonlySet<number> {
  const hashes = new Set<number>()
  for (const der of ders) {
    // The padding is kept: a private key that ends with its public key ends with the same padding.
    const base64 = [0, 1, 2].map((before) => Buffer.concat([Buffer.alloc(before), der]).toString('base64'))
    for (const text of [...base64, ...base64.map(urlAlphabet), ...hexForms(der)]) addHashes(hashes, text)
  }
  return hashes
}

/** The names of the curves P-256, P-384 and P-521 as they occur in private keys (RFC 5915, section 3). They are not
 * secret: all certificates name signature algorithms by nearly the same bytes. */
const curves = [
  'a00a06082a8648ce3d030107a144034200',
  'a00706052b81040022a164036200',
  'a00706052b81040023a1818903818600',
]
let namesOfCurves: ReadonlySet<number> | undefined

function publicKeyOf(block: string): Buffer | undefined {
  if (!/^-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/.test(block)) return undefined
  try {
    return createPublicKey(block).export({ format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}
