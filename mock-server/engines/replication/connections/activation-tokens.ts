/** Makes and reads activation tokens. With such a token, a secondary finds its primary and gets its credentials. */
import { createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import type { ReplicationKind } from '../../../kernel/cluster/cluster-role.ts'
import { badRequest, Refusal } from '../../../kernel/http/refusal.ts'
import type { LinkTrust } from '../membership.ts'

/** The credentials that a primary gives to a secondary, wrapped or encrypted. */
export interface Credentials {
  readonly kind: ReplicationKind
  readonly id: string
  readonly secret: string
  readonly set_id: string
  readonly primary_cluster_addr: string
  /** The certificate authority of the primary, and the certificate and key that it issued to this secondary, as PEM. */
  readonly ca_cert: string
  readonly client_cert: string
  readonly client_key: string
}

export const trustIn = ({ ca_cert, client_cert, client_key }: Credentials): LinkTrust => ({
  ...{ authority: ca_cert, certificate: client_cert, key: client_key },
})

/** The content of an activation token. */
export interface Activation {
  readonly kind: ReplicationKind
  /** The origin of the primary's API. */
  readonly addr: string
  /** The id of the wrapping token. */
  readonly jti: string
}

/** Thrown for a text that is not an activation token, or was altered. */
export class Malformed extends Refusal {
  constructor() {
    super('bad-request', { message: 'error parsing activation token: it is malformed or was altered' })
  }
}

/** Returns a function that signs activation tokens. Its key is made on first use. */
export function createSigner(): (activation: Activation) => string {
  let keys: { readonly privateKey: KeyObject; readonly publicKey: KeyObject } | undefined
  return (activation) => {
    keys ??= generateKeyPairSync('ed25519')
    const header = { alg: 'EdDSA', typ: 'JWT', jwk: keys.publicKey.export({ format: 'jwk' }) }
    const signed = `${encode(header)}.${encode({ type: 'wrapping', ...activation })}`
    return `${signed}.${sign(null, Buffer.from(signed), keys.privateKey).toString('base64url')}`
  }
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (part: string): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))

/** Reads an activation token. The signature proves only that the token was not changed; its primary decides whether it
 * is valid. */
export function readActivation(token: string): Activation {
  const [header = '', payload = '', signature = '', ...more] = token.split('.')
  try {
    const key = createPublicKey({ key: decode(header).jwk as never, format: 'jwk' })
    const isWhole = verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))
    const { kind, addr, jti } = decode(payload) as Partial<Activation>
    if (isWhole && more.length === 0 && (kind === 'dr' || kind === 'performance') && addr && jti)
      return { kind, addr, jti }
  } catch {}
  throw new Malformed()
}

export function readCredentials(value: unknown): Credentials {
  const fields = (value ?? {}) as Partial<Record<keyof Credentials, unknown>>
  const texts = [
    ...[fields.kind, fields.id, fields.secret, fields.set_id, fields.primary_cluster_addr],
    ...[fields.ca_cert, fields.client_cert, fields.client_key],
  ]
  if (texts.every((text) => typeof text === 'string' && text !== '')) return fields as Credentials
  throw badRequest('the content of the activation token is not the credentials of a secondary')
}
