/** Puts requests into words for reports: what is sent, by whom, and the part of the body that matters. */
import type { Exchange, Json } from './exchange.ts'
import type { Ceremony, Step } from './scope.ts'
import { useName } from './use-name.ts'

/** The maximum length of one value in a sentence, and of all fields of a body with their values. */
const longestValue = 60
const longestBody = 240

/** Returns a request in words: "POST `{mount}/revoke` with serial_number "17:2a"". */
export function requestWords({ words, method, path, query, body, as, cluster }: Exchange): string {
  if (words !== undefined) return words
  const plain = path.replace(useName, '')
  const asked = query ? `${plain}?${new URLSearchParams(query)}` : plain
  return `${method} \`${asked}\`${placeWords(cluster)}${bodyWords(body)}${senderWords(as)}`
}

/** Returns the sentence about a step, or about the judged requests. */
export const stepWords = (part: Step | Ceremony): string => (part.kind === 'exchange' ? requestWords(part) : part.words)

const placeWords = (cluster = 'main'): string => (cluster === 'main' ? '' : ` on ${cluster}`)

function senderWords(as = 'operator'): string {
  if (as === 'nobody') return ' (no token)'
  return as === 'operator' ? '' : ` (token \`${as}\`)`
}

/** Names each field of a body with its value. Fields for whose values there is no room are only named. */
export function bodyWords(body: Json | undefined): string {
  if (body === undefined || body === null || typeof body !== 'object') return ''
  let room = longestBody
  const fields = Object.entries(body).map(([name, value]) => {
    const words = `${name} ${isSecret(name, value) ? '(not shown)' : valueWords(value)}`
    room -= words.length
    return room < 0 ? name : words
  })
  return fields.length === 0 ? ' with an empty body' : ` with ${fields.join(', ')}`
}

/** A literal value of such a field is a secret like any other, also where the suite made it up. */
const secretField = /(?:^|_)(?:token|key|secret|secret_id|password|passcode|otp)$/

const isSecret = (name: string, value: Json): boolean =>
  secretField.test(name) && typeof value === 'string' && value !== '' && !value.includes('{')

function valueWords(value: Json): string {
  const text = JSON.stringify(value)
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text
}
