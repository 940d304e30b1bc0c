/** The rules of activation tokens: document 1, Secondary activation token. */
import { seam } from '../../../kernel/seam.ts'

export interface TokenRules {
  readonly idMissing: 'refused' | 'issued'
  /** An id with which a secondary is already connected is refused, or gets a token. */
  readonly idInUse: 'refused' | 'issued'
  /** What the reply to secondary-token contains. */
  readonly gives: 'a token' | 'nothing'
  /** A new token keeps the unused tokens for other secondaries, or ends them. */
  readonly unusedOnes: 'kept' | 'ended'
  /** If the request has no public key, the credentials are returned wrapped, or plain. */
  readonly withoutKey: 'wrapped' | 'plain'
  /** A promoted cluster issues tokens, or refuses to. */
  readonly promoted: 'issues' | 'refuses'
  readonly revokedIdMissing: 'refused' | 'refused-but-ends-all' | 'ignored'
  /** A lifetime in seconds is used as requested, or ignored. */
  readonly seconds: 'used' | 'ignored'
  /** The default lifetime in seconds. */
  readonly defaultTtl: number
  /** Returns the lifetime in seconds, from the requested one and the default. */
  readonly ttl: (asked: number, usual: number) => number
  readonly uses: 'once' | 'many'
  readonly publicKeys: {
    readonly since: string
    /** If the request has a public key, the credentials are sent encrypted, or wrapped. */
    readonly sent: 'encrypted' | 'wrapped'
    /** Encrypted credentials expire with the lifetime of the token, only if the request has a lifetime, or never. */
    readonly lifetime: 'ends' | 'ends-if-asked' | 'does-not-end'
  }
  /** A secondary proves itself by the secret of its token, or by its id alone. */
  readonly proof: 'secret' | 'id'
  /** A revocation affects the secondary with this id in its own kind of replication, or in both kinds. */
  readonly revokes: 'own-kind' | 'both-kinds'
  /** `ends-used`: only used tokens end. `ends-connected`: only connected secondaries, and unused tokens, are revoked.
   * `ends-unused-too`: all unused tokens end as well. `ends-first-ones`: only secondaries
   * with their first credentials are revoked. `ends-alike`: every id that starts with this id is revoked as
   * well. */
  readonly revocation:
    | 'ends'
    | 'ends-used'
    | 'ends-connected'
    | 'ends-unused-too'
    | 'ends-first-ones'
    | 'changes-nothing'
    | 'disconnects'
    | 'ends-all'
    | 'ends-alike'
}

export const tokenRules: TokenRules = {
  idMissing: 'refused',
  idInUse: 'refused',
  gives: 'a token',
  unusedOnes: 'kept',
  withoutKey: 'wrapped',
  promoted: 'issues',
  revokedIdMissing: 'refused',
  seconds: 'used',
  defaultTtl: 1800,
  uses: 'once',
  publicKeys: { since: '1.3.0', sent: 'encrypted', lifetime: 'ends' },
  proof: 'secret',
  revokes: 'own-kind',
  revocation: 'ends',
  // Seam: a token has the requested lifetime.
  ttl: seam((asked) => asked),
}
