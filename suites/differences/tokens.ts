/** Legal differences in tokens, and in the ceremonies by which operators get tokens. */

import { type Difference, isObject, type JsonObject } from '../../harness/vocabulary/index.ts'
import { rowsOf } from '../rows.ts'
import { eachValue, placeOf, reading, refusal, rewriting } from './bends.ts'

const attempts = /^sys\/replication\/dr\/secondary\/generate-operation-token\//

const left = (object: JsonObject, name: string): JsonObject => {
  const { [name]: _, ...others } = object
  return others
}

/** A PGP message begins with a byte above 127, and a token that is encoded with a one-time password does not. */
function armored(encoded: string): string {
  const bytes = Buffer.from(encoded, 'base64')
  if ((bytes[0] ?? 0) < 128) return encoded
  return ['-----BEGIN PGP MESSAGE-----', '', bytes.toString('base64'), '-----END PGP MESSAGE-----', ''].join('\n')
}

/** Changes the field of the encoded token in replies about attempts. */
const inAttempts = (change: (encoded: string) => JsonObject) =>
  rewriting((json, sent) => {
    if (!attempts.test(placeOf(sent))) return json
    const within = ({ encoded_token: encoded, ...others }: JsonObject): JsonObject => ({
      ...others,
      ...(typeof encoded === 'string' ? change(encoded) : {}),
    })
    return within(isObject(json.data) ? { ...json, data: within(json.data) } : json)
  })

export const tokens: readonly Difference[] = rowsOf<Difference>({
  'no-accessors': {
    says: 'Tokens have no accessors.',
    because: 'No document names accessors.',
    open: (parts) => {
      const answers = rewriting((json) => ({
        ...json,
        ...(isObject(json.auth) ? { auth: left(json.auth, 'accessor') } : {}),
        ...(isObject(json.data) && 'policies' in json.data ? { data: left(json.data, 'accessor') } : {}),
      }))(parts)
      return async (sent, pass) =>
        /^auth\/token\/(.+-accessor|accessors)$/.test(placeOf(sent)) ? refusal(404) : answers(sent, pass)
    },
  },
  'ceremony-without-otp': {
    says: 'The start of an attempt shows no one-time password.',
    because: 'The reply to a start is open: the way without it is a PGP key (readings, 3 and 68).',
    areas: ['dr-replication'],
    open: rewriting((json, sent) => {
      if (!attempts.test(placeOf(sent))) return json
      const kept = left(json, 'otp')
      return isObject(kept.data) ? { ...kept, data: left(kept.data, 'otp') } : kept
    }),
  },
  'ceremony-with-armored-message': {
    says: 'A token that is encrypted to a PGP key is returned as an armored message.',
    because: 'The document names no encoding of the encoded token.',
    areas: ['dr-replication'],
    open: rewriting((json, sent) =>
      attempts.test(placeOf(sent))
        ? (eachValue(json, (value, name) =>
            name === 'encoded_token' && typeof value === 'string' && value !== '' ? armored(value) : value,
          ) as JsonObject)
        : json,
    ),
  },
  'ceremony-with-hexadecimal-token': {
    says: 'The encoded token of an attempt is in hexadecimal.',
    because: 'The document names no encoding of the encoded token.',
    areas: ['dr-replication'],
    open: inAttempts((encoded) => ({ encoded_token: Buffer.from(encoded, 'base64').toString('hex') })),
  },
  'ceremony-with-another-field': {
    says: 'The encoded token of an attempt is in a field `encoded_operation_token`.',
    because: 'The document does not show the name of the field.',
    areas: ['dr-replication'],
    open: inAttempts((encoded) => ({ encoded_operation_token: encoded })),
  },
  'ceremony-with-a-short-field': {
    says: 'The encoded token of an attempt is in a field `encoded`.',
    because: 'The document does not show the name of the field.',
    areas: ['dr-replication'],
    open: inAttempts((encoded) => ({ encoded })),
  },
  'ceremony-with-client-token': {
    says: 'Attempts are served to callers with a client token only.',
    because: 'Client tokens beside an operation token are open (readings, 51).',
    areas: ['dr-replication'],
    open: reading((sent) =>
      attempts.test(placeOf(sent)) && sent.headers['x-vault-token'] === undefined ? undefined : sent,
    ),
  },
})
