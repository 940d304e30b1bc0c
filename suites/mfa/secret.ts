/** Finds TOTP secrets in replies. The documents do not define their format: an `otpauth` URL or a PNG is accepted in
 * any field, and a base32 key only in a field whose name suggests one. */
import { createRequire } from 'node:module'
import { isObject, isSuccess, type Json, type Reply, sizeBounds } from '../../harness/vocabulary/index.ts'
import { pictureIn } from './picture.ts'

export interface Secret {
  /** The key in base32. */
  readonly key: string
  /** Undefined if the reply contains only the key. */
  readonly url: URL | undefined
}

export interface QrCode {
  readonly width: number
  readonly height: number
  /** The picture is larger than the limit for decoding, so its content is not known. */
  readonly isTooLarge: boolean
  /** Undefined if the QR code cannot be read. Reading takes long, so it is done only when the text is needed. */
  readonly text: string | undefined
}

/** The library is loaded only when a picture is decoded, because it is large and most commands decode none. */
const load = createRequire(import.meta.url)
const qrReader = () => load('jsqr') as typeof import('jsqr')

function* stringsIn(value: Json | undefined): Generator<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const item of value) yield* stringsIn(item as Json)
  else if (isObject(value)) for (const item of Object.values(value)) yield* stringsIn(item)
}

const pngInBase64 = /^(?:data:image\/png;base64,)?(iVBORw0KGgo[A-Za-z0-9+/=_-]*)$/

/** Returns the QR code of a reply, measured; its text is read when needed. */
export function qrCodeIn(reply: Reply): QrCode | undefined {
  let tried = 0
  for (const text of stringsIn(reply.json)) {
    if (text.length > sizeBounds.pictureBytes.value) continue
    const base64 = pngInBase64.exec(text)?.[1]
    if (base64 === undefined) continue
    tried += 1
    if (tried > sizeBounds.pictures.value) return undefined
    const picture = pictureIn(Buffer.from(base64, 'base64'))
    if (!picture) continue
    const { width, height, pixels } = picture
    return {
      width,
      height,
      isTooLarge: pixels === undefined,
      get text() {
        const options = { inversionAttempts: 'dontInvert' } as const
        return pixels && qrReader().default(pixels, width, height, options)?.data
      },
    }
  }
  return undefined
}

function secretOf(text: string | undefined): Secret | undefined {
  if (text === undefined || text.length > sizeBounds.otpauthUrl.value) return undefined
  if (!text.startsWith('otpauth://') || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const key = keyIn(url.searchParams.get('secret'))
  return key === undefined ? undefined : { key, url }
}

/** Returns the key as authenticators read it, without regard to case and blanks; undefined if it is not base32. */
function keyIn(text: string | null): string | undefined {
  const key = text?.replaceAll(/[\s=-]/g, '').toUpperCase()
  return key && /^[A-Z2-7]+$/.test(key) ? key : undefined
}

/** A shorter text in such a field can be an ordinary word. */
const shortestBareKey = 16

/** Returns whether a text is written as a key: in one case, and in groups of one size, of which the last may be
 * shorter. Other texts are sentences, for instance that a secret exists already. */
function isWrittenAsKey(text: string): boolean {
  const groups = text.trim().split(/[\s-]+/)
  const [first = '', last = ''] = [groups[0], groups.at(-1)]
  const isOneCase = text === text.toUpperCase() || text === text.toLowerCase()
  return isOneCase && last.length <= first.length && groups.slice(0, -1).every(({ length }) => length === first.length)
}

function bareKeyIn(value: Json | undefined): string | undefined {
  if (Array.isArray(value)) return firstOf(value, (item) => bareKeyIn(item as Json))
  if (!isObject(value)) return undefined
  return firstOf(Object.entries(value), ([name, item]) => {
    if (typeof item !== 'string') return bareKeyIn(item)
    const isNamed = /secret|key|seed/i.test(name) && item.length >= shortestBareKey
    return isNamed && item.length <= sizeBounds.otpauthUrl.value && isWrittenAsKey(item) ? keyIn(item) : undefined
  })
}

function firstOf<Item, Found>(items: readonly Item[], find: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the secret of a reply: from a URL, or else from a bare key, or else from a QR code. */
export function secretIn(reply: Reply): Secret | undefined {
  if (!isSuccess(reply)) return undefined
  for (const text of stringsIn(reply.json)) {
    const secret = secretOf(text)
    if (secret) return secret
  }
  const key = bareKeyIn(reply.json)
  return key === undefined ? secretOf(qrCodeIn(reply)?.text) : { key, url: undefined }
}

export const secretOfQrCode = (code: QrCode): Secret | undefined => secretOf(code.text)

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns the bytes of a base32 key. Libraries refuse keys whose last bits are not zero, but authenticators accept
 * them. */
export function bytesIn(key: string): Buffer {
  const bits = [...key].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

export const bytesOf = ({ key }: Secret): number => Math.floor((key.replace(/={1,6}$/, '').length * 5) / 8)
