/** The rules of activation tokens: document 1, Secondary activation token. */
import { seam } from '../../../kernel/seam.ts'

export interface TokenTables {
  readonly idMissing: 'refused' | 'issued'
  /** An id by which a secondary is connected already is refused, or gets a token. */
  readonly idInUse: 'refused' | 'issued'
  /** The reply to secondary-token contains this. */
  readonly gives: 'a token' | 'nothing'
  /** A new token leaves those that wait for other secondaries, or ends them. */
  readonly unusedOnes: 'kept' | 'ended'
  /** The token is returned wrapped, or plain, if no public key was given. */
  readonly withoutKey: 'wrapped' | 'plain'
  /** A promoted cluster issues tokens, or refuses to. */
  readonly promoted: 'issues' | 'refuses'
  readonly revokedIdMissing: 'refused' | 'refused-but-ends-all' | 'ignored'
  /** The default lifetime in seconds. */
  readonly defaultTtl: number
  /** Returns the lifetime in seconds, from the one that was asked for and the default. */
  readonly ttl: (asked: number, usual: number) => number
  readonly uses: 'once' | 'many'
  readonly publicKeys: {
    readonly since: string
    /** The credentials are sent encrypted, or wrapped, if a public key is given. */
    readonly sent: 'encrypted' | 'wrapped'
    /** Encrypted credentials end with the lifetime of the token, or never. */
    readonly lifetime: 'ends' | 'ends-if-asked' | 'does-not-end'
  }
  /** A secondary proves itself by the secret of its token, or by its id alone. */
  readonly proof: 'secret' | 'id'
  /** Revoking affects the secondary of the same id of its own kind of replication alone, or of both kinds. */
  readonly revokes: 'own-kind' | 'both-kinds'
  /** `ends-used`: only tokens that were used end. `ends-connected`: only secondaries that are
   * connected are revoked. `ends-unused-too`: tokens for others that nobody has used end, too. `ends-alike`: ids that begin with the one that is revoked are revoked, too. */
  readonly revocation:
    | 'ends'
    | 'ends-used'
    | 'ends-connected'
    | 'ends-unused-too'
    | 'changes-nothing'
    | 'disconnects'
    | 'ends-all'
    | 'ends-alike'
}

export const tokenTables: TokenTables = {
  idMissing: 'refused',
  idInUse: 'refused',
  gives: 'a token',
  unusedOnes: 'kept',
  withoutKey: 'wrapped',
  promoted: 'issues',
  revokedIdMissing: 'refused',
  defaultTtl: 1800,
  uses: 'once',
  publicKeys: { since: '1.3.0', sent: 'encrypted', lifetime: 'ends' },
  proof: 'secret',
  revokes: 'own-kind',
  revocation: 'ends',
  // Seam: a token lives as long as was asked for.
  ttl: seam((asked) => asked),
}
