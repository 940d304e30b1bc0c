/** Finds the encoded token of an attempt in a reply, and decodes it. The document shows neither the name of its field
 * nor its encoding. */
import { isObject, isSuccess, objectsIn, type Reply, replyLacks } from '../../harness/vocabulary/index.ts'

const encodedNames = /encoded.{0,99}token|token.{0,99}encoded/i

const fieldsOf = (reply: Reply) =>
  (isObject(reply.json) ? objectsIn(reply.json) : []).flatMap((part) => Object.entries(part))

/** The table of fields calls it the encoded token, but no document shows a reply. If no field has "encoded" in its
 * name, a field whose name ends in "token" is used, or else one that is just called encoded. Fields about a token
 * (`token_type`, `token_encoding`) do not count. */
export function encodedIn(reply: Reply, names: readonly RegExp[] = [encodedNames, /^token$/i, /token$/i, /^encoded/i]) {
  const fields = fieldsOf(reply)
  const called = names.find((one) => fields.some(([name]) => one.test(name)))
  const found = fields.find(([name, value]) => called?.test(name) && typeof value === 'string' && value !== '')
  return found?.[1] as string | undefined
}

/** The shortest text that may be a token. */
const shortestToken = 16
const namesOfOthers = /nonce|fingerprint|otp|password|request|error/i

/** Returns the encoded token. Throws if none is found but a field with an unknown name may have it, because no document
 * shows the name. */
export function foundToken(reply: Reply): string | undefined {
  const encoded = encodedIn(reply)
  if (encoded !== undefined || !isSuccess(reply)) return encoded
  const isUnknown = ([name, value]: readonly [string, unknown]) =>
    typeof value === 'string' && value.length >= shortestToken && !namesOfOthers.test(name)
  if (fieldsOf(reply).some(isUnknown)) throw replyLacks(reply, 'an encoded token in a field with a known name')
  return undefined
}

/** Replies to a start and to a read may contain other tokens, so only a field with "encoded" in its name counts
 * there. */
export const namedEncodedIn = (reply: Reply): string | undefined => encodedIn(reply, [encodedNames])

/** Returns the XOR of the one-time password and the encoded token, which is in base64 or in hexadecimal. A base64 token
 * has fewer than two characters per byte. */
export function decoded(encoded: string, otp: string): string {
  const password = Buffer.from(otp)
  const isHex = encoded.length === 2 * password.length && /^[0-9a-f]+$/i.test(encoded)
  const bytes = Buffer.from(encoded, isHex ? 'hex' : 'base64').map(
    (byte, at) => byte ^ (password[at % password.length] ?? 0),
  )
  return Buffer.from(bytes).toString()
}
