/** Makes the tokens by which a mount identifies itself to the provider: plugin workload identity federation. */
import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Variation } from '../../../kernel/variation.ts'

export interface Claims {
  readonly audience: string
  readonly subject: string
  /** Milliseconds since the epoch. */
  readonly issuedAt: number
  /** The lifetime in seconds. */
  readonly ttl: number
  readonly dated: Variation['identityTokens']
}

let key: KeyObject | undefined
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Returns a JWT, signed with a key of this process. */
export function identityToken({ audience, subject, issuedAt, ttl, dated }: Claims): string {
  key ??= generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const now = Math.floor(issuedAt / 1000)
  const from = dated === 'dated-back' ? now - 60 : now
  const payload = {
    iss: 'https://127.0.0.1/v1/identity/oidc/plugins',
    sub: subject,
    aud: audience,
    ...(dated === 'without-issue-time' ? {} : { iat: from }),
    nbf: from,
    exp: now + ttl,
  }
  const text = `${encoded({ alg: 'ES256', typ: 'JWT' })}.${encoded(payload)}`
  return `${text}.${createSign('sha256').update(text).sign({ key, dsaEncoding: 'ieee-p1363' }, 'base64url')}`
}
