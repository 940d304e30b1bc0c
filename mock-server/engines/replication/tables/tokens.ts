/** The rules of activation tokens: document 1, Secondary activation token. */
import { seam } from '../../../kernel/seam.ts'

export interface TokenTables {
  readonly idMissing: 'refused' | 'issued'
  /** What happens to an id by which a secondary is connected. */
  readonly idInUse: 'refused' | 'issued'
  /** What the reply to secondary-token contains. */
  readonly gives: 'a token' | 'nothing'
  /** How a token is returned if no public key was given. */
  readonly withoutKey: 'wrapped' | 'plain'
  /** What a promoted cluster does. */
  readonly promoted: 'issues' | 'refuses'
  readonly revokedIdMissing: 'refused' | 'refused-but-ends-all' | 'ignored'
  /** The default lifetime in seconds. */
  readonly defaultTtl: number
  /** Returns the lifetime in seconds, from the one that was asked for and the default. */
  readonly ttl: (asked: number, usual: number) => number
  readonly uses: 'once' | 'many'
  readonly publicKeys: {
    readonly since: string
    /** How the credentials are sent if a public key is given. */
    readonly sent: 'encrypted' | 'wrapped'
  }
  /** Whether revoking affects the secondary of the same id of the other kind of replication, too. */
  readonly revokes: 'own-kind' | 'both-kinds'
  readonly revocation: 'ends' | 'changes-nothing' | 'disconnects' | 'ends-all'
}

export const tokenTables: TokenTables = {
  idMissing: 'refused',
  idInUse: 'refused',
  gives: 'a token',
  withoutKey: 'wrapped',
  promoted: 'issues',
  revokedIdMissing: 'refused',
  defaultTtl: 1800,
  uses: 'once',
  publicKeys: { since: '1.3.0', sent: 'encrypted' },
  revokes: 'own-kind',
  revocation: 'ends',
  // Seam: a token lives as long as was asked for.
  ttl: seam((asked) => asked),
}
