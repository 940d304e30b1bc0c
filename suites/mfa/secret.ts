/** TOTP secrets in replies. Their form is not documented: an `otpauth` URL or a PNG is taken wherever it stands. */
import qrReader from 'jsqr'
import { ScureBase32Plugin } from 'otplib'
import { PNG } from 'pngjs'
import type { Json, Reply } from '../../harness/vocabulary/index.ts'
import { isObject, isSuccess } from '../../harness/vocabulary/index.ts'

export interface Secret {
  /** Base32. */
  readonly key: string
  readonly url: URL
}

export interface QrCode {
  readonly width: number
  readonly height: number
  /** Undefined where no reader makes anything of it. */
  readonly text: string | undefined
}

function* stringsIn(value: Json | undefined): Generator<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const item of value) yield* stringsIn(item as Json)
  else if (isObject(value)) for (const item of Object.values(value)) yield* stringsIn(item)
}

const pngInBase64 = /^(?:data:image\/png;base64,)?(iVBORw0KGgo[A-Za-z0-9+/=_-]*)$/

/** The QR code of a reply, measured and read by a reader of its own. */
export function qrCodeIn(reply: Reply): QrCode | undefined {
  for (const text of stringsIn(reply.json)) {
    const base64 = pngInBase64.exec(text)?.[1]
    if (base64 === undefined) continue
    const { width, height, data } = PNG.sync.read(Buffer.from(base64, 'base64'))
    const code = qrReader.default(new Uint8ClampedArray(data), width, height, { inversionAttempts: 'dontInvert' })
    return { width, height, text: code?.data }
  }
  return undefined
}

function secretOf(text: string | undefined): Secret | undefined {
  if (text === undefined || !text.startsWith('otpauth://') || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const key = url.searchParams.get('secret')
  return key ? { key, url } : undefined
}

/** The secret that a reply gives: as a URL, else in a QR code. */
export function secretIn(reply: Reply): Secret | undefined {
  if (!isSuccess(reply)) return undefined
  for (const text of stringsIn(reply.json)) {
    const secret = secretOf(text)
    if (secret) return secret
  }
  return secretOf(qrCodeIn(reply)?.text)
}

export const secretOfQrCode = (code: QrCode): Secret | undefined => secretOf(code.text)

const base32 = new ScureBase32Plugin()

/** How many bytes a key has. */
export const bytesOf = ({ key }: Secret): number => base32.decode(key.replace(/=+$/, '')).length
