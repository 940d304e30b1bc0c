/** Activation tokens: document 1, Secondary activation token. */
import { seam } from '../../../kernel/seam.ts'

export interface TokenTables {
  readonly idMissing: 'refused' | 'issued'
  /** Of an id by which a secondary is connected. */
  readonly idInUse: 'refused' | 'issued'
  /** What the reply to secondary-token gives. */
  readonly gives: 'a token' | 'nothing'
  /** How a token is given that is for no public key. */
  readonly withoutKey: 'wrapped' | 'plain'
  /** Of a cluster that was promoted. */
  readonly promoted: 'issues' | 'refuses'
  readonly revokedIdMissing: 'refused' | 'refused-but-ends-all' | 'ignored'
  /** Seconds, of a token that is asked for without `ttl`. */
  readonly defaultTtl: number
  /** Of the seconds asked for. */
  readonly ttl: (asked: number, usual: number) => number
  readonly uses: 'once' | 'many'
  readonly publicKeys: {
    readonly since: string
    /** What becomes of the credentials where a key is given. */
    readonly sent: 'encrypted' | 'wrapped'
  }
  /** Whether it is the secondary of that id of the other kind of replication, too. */
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
