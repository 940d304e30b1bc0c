/** Expectations about replies with TOTP secrets that require no more than the document says. */
import type { Expectation, Reply, Scope } from '../../harness/vocabulary/index.ts'
import { isRefusal, isSuccess, mismatch, StepFailed, shortfall, stepRefused } from '../../harness/vocabulary/index.ts'
import { expectation } from '../records.ts'
import { isWord } from '../word.ts'
import { bytesIn, bytesOf, type QrCode, qrCodeIn, type Secret, secretIn, secretOfQrCode } from './secret.ts'
import { notShown } from './then.ts'

/** Expects a secret in the reply, other than the earlier one if that is given. Only an earlier reply shows whether this
 * target's replies contain secrets at all. */
export const givesSecret = (earlier?: string) =>
  expectation(earlier ? `a secret other than \`${earlier}\` is given` : 'a secret is given', ({ reply, scope }) => {
    const secret = secretIn(reply)
    if (!secret && earlier === undefined && isSuccess(reply)) throw notShown(reply, 'secret')
    if (!secret) return shortfall(reply, 'secret', 'a secret', 'none')
    if (earlier === undefined || secret.key !== scope.value(earlier)) return undefined
    return mismatch(reply, 'secret', 'a new secret', 'the earlier one')
  })

/** Expects that the reply, a refusal or a success, contains no other secret than the earlier one (reading 33). */
export const givesNoOther = (earlier: string) =>
  expectation(`the secret \`${earlier}\` or none is given`, ({ reply, scope }) => {
    const secret = secretIn(reply)
    if (!secret || secret.key === scope.value(earlier)) return undefined
    return mismatch(reply, 'secret', 'no other secret', 'a new secret')
  })

/** Expects no secret. An earlier step shows that replies contain secrets at all. */
export const givesNoSecret: Expectation = {
  words: 'no secret is given',
  judge: ({ reply }) => (secretIn(reply) ? mismatch(reply, 'secret', 'none', 'a secret') : undefined),
}

/** Expects that no field of the reply contains the earlier secret. */
export const showsNo = (earlier: string) =>
  expectation(`the secret \`${earlier}\` is not shown`, ({ reply, scope }) => {
    const key = scope.value(earlier)
    const bytes = bytesIn(key)
    const forms = [key, bytes.toString('base64').replace(/={1,6}$/, ''), bytes.toString('hex')]
    const text = reply.text.toLowerCase()
    return forms.some((form) => text.includes(form.toLowerCase()))
      ? mismatch(reply, 'body', 'no secret', 'the secret that was generated')
      : undefined
  })

function seenIn<T>(reply: Reply, found: T | undefined, what: string): T {
  if (found !== undefined) return found
  if (isRefusal(reply)) throw stepRefused(reply)
  throw notShown(reply, what)
}

const ofSecret = (
  words: string,
  see: (secret: Secret, reply: Reply, scope: Scope) => { wanted: string; saw: string } | undefined,
) =>
  expectation(words, ({ reply, scope }) => {
    const wrong = see(seenIn(reply, secretIn(reply), 'secret'), reply, scope)
    return wrong && mismatch(reply, 'secret', wrong.wanted, wrong.saw)
  })

export const keyOf = (bytes: number): Expectation =>
  ofSecret(`the key has ${bytes} bytes`, (secret) =>
    bytesOf(secret) === bytes ? undefined : { wanted: `${bytes} bytes`, saw: `${bytesOf(secret)} bytes` },
  )

/** Returns the label: `otpauth://totp/<issuer>:<account>`. It is decoded like a query parameter, which never fails. */
const labelIn = ({ pathname }: URL): string =>
  new URLSearchParams(`label=${pathname.replace(/^\//, '').replaceAll('+', '%2B')}`).get('label') ?? ''

/** Expects that the URL has a parameter with the method's value, whose templates are filled in. Case does not matter for
 * algorithms only. */
export const urlHas = (parameter: string, value: string): Expectation =>
  ofSecret(`the URL of the secret has the ${parameter} ${value}`, (secret, reply, scope) => {
    const wanted = scope.fill(value)
    const url = seenIn(reply, secret.url, '`otpauth` URL')
    const given = url.searchParams.get(parameter)
    const isInLabel = given === null && parameter === 'issuer' && labelIn(url).startsWith(`${wanted}:`)
    const told = isInLabel ? wanted : given
    // Only the names of algorithms are compared without regard to case (readings of the documents, 64).
    const isTold = parameter === 'algorithm' ? isWord(told ?? undefined, wanted) : told === wanted
    if (isTold) return undefined
    return { wanted: `${parameter} ${wanted}`, saw: told === null ? `no ${parameter}` : `${parameter} ${told}` }
  })

const ofQrCode = (
  words: string,
  see: (code: QrCode, reply: Reply, scope: Scope) => { wanted: string; saw: string } | undefined,
) =>
  expectation(words, ({ reply, scope }) => {
    const wrong = see(seenIn(reply, qrCodeIn(reply), 'QR code'), reply, scope)
    return wrong && mismatch(reply, 'QR code', wrong.wanted, wrong.saw)
  })

export const qrCodeOf = (pixels: number): Expectation =>
  ofQrCode(`the QR code is a square of ${pixels} pixels`, ({ width, height }) =>
    width === pixels && height === pixels
      ? undefined
      : { wanted: `${pixels} by ${pixels} pixels`, saw: `${width} by ${height} pixels` },
  )

function assertReadable({ isTooLarge, width, height }: QrCode, reply: Reply): void {
  if (isTooLarge) throw new StepFailed('picture-too-large', { asked: reply.asked, width, height }, reply)
}

/** Expects this value in the URL of the QR code. Another check judges whether the QR code can be read, and whether a
 * URL contains the value at all. */
export const qrCodeTells = (parameter: string, value: string): Expectation =>
  ofQrCode(`the URL in the QR code has the ${parameter} ${value}`, (code, reply, scope) => {
    const wanted = scope.fill(value)
    assertReadable(code, reply)
    const url = seenIn(reply, secretOfQrCode(code)?.url, 'URL in the QR code')
    const told = url.searchParams.get(parameter)
    if (told === wanted) return undefined
    return { wanted: `${parameter} ${wanted}`, saw: told === null ? `no ${parameter}` : `${parameter} ${told}` }
  })

export const qrCodeCarriesTheSecret: Expectation = ofQrCode(
  'a QR reader finds the secret of the URL in the QR code',
  (code, reply) => {
    assertReadable(code, reply)
    const read = secretOfQrCode(code)
    if (read && read.key === secretIn(reply)?.key) return undefined
    return {
      wanted: 'the secret of the URL',
      saw: code.text === undefined ? 'no QR code' : read ? 'another secret' : 'no secret',
    }
  },
)
