/** The encoded token of an attempt: in which field a reply has it, and how it is decoded. The document shows neither. */
import { isObject, objectsIn, type Reply } from '../../harness/vocabulary/index.ts'

const encodedNames = /encoded.*token|token.*encoded/i

/** The table of fields uses this name for the encoded token; no reply is shown. If no field is called encoded, a field
 * that is called a token is used. Fields about a token (`token_type`, `token_encoding`) do not count. */
export function encodedIn(reply: Reply, names: readonly RegExp[] = [encodedNames, /^token$/i, /token$/i]) {
  const fields = (isObject(reply.json) ? objectsIn(reply.json) : []).flatMap((part) => Object.entries(part))
  const called = names.find((one) => fields.some(([name]) => one.test(name)))
  const found = fields.find(([name, value]) => called?.test(name) && typeof value === 'string' && value !== '')
  return found?.[1] as string | undefined
}

/** Replies to a start and to a reading may have tokens of other kinds, so only a field that is called the encoded token
 * counts there. */
export const namedEncodedIn = (reply: Reply): string | undefined => encodedIn(reply, [encodedNames])

/** XOR of the one-time password and the encoded token, which is in base64 or in hexadecimal. In base64 a token is shorter
 * than two characters a byte. */
export function decoded(encoded: string, otp: string): string {
  const password = Buffer.from(otp)
  const isHex = encoded.length === 2 * password.length && /^[0-9a-f]+$/i.test(encoded)
  const bytes = Buffer.from(encoded, isHex ? 'hex' : 'base64').map(
    (byte, at) => byte ^ (password[at % password.length] ?? 0),
  )
  return Buffer.from(bytes).toString()
}
