/** The rules for what a cluster checks before it follows a primary: document 1, Replication endpoints. */
export type JoiningTrigger = 'secondary/enable' | 'secondary/update-primary'

export interface JoiningRules {
  /** The result of a body without the key `token`. */
  readonly tokenMissing: Readonly<
    Record<
      JoiningTrigger,
      'refused' | 'refused-but-done' | 'refused-and-wipes' | 'refused-and-forgets' | 'ignored' | 'blank'
    >
  >
  /** The result of a text that is not an activation token, or was altered. */
  readonly malformed: Readonly<
    Record<
      JoiningTrigger,
      'refused' | 'ignored' | 'without-primary' | 'refused-and-wipes' | 'refused-and-forgets' | 'refused-and-disables'
    >
  >
  /** The result of a token that was already used, or that its primary does not accept for another reason. */
  readonly spent: Readonly<Record<JoiningTrigger, 'refused' | 'refused-and-wipes' | 'refused-and-forgets'>>
  /** A token for the other kind of replication is refused, or the cluster joins with it, in the requested kind or in
   * the kind of the token. */
  readonly otherKind: 'refused' | 'refused-and-wipes' | 'joins-in-the-kind-asked' | 'joins-in-its-own-kind'
  /** Credentials that are encrypted to the public key of the cluster are accepted, or refused. */
  readonly encrypted: Readonly<Record<JoiningTrigger, 'taken' | 'refused'>>
  /** A secondary that gets another primary keeps its data, or loses its mounts. */
  readonly moved: 'kept' | 'wiped'
  readonly heedsApiAddress: Readonly<Record<JoiningTrigger, boolean>>
  readonly readsCaFile: boolean
  readonly readsCaPath: boolean
  readonly unreadableCa: 'refused' | 'ignored'
  /** A primary that is enabled without an address uses its own, or the one with which it was enabled before. */
  readonly clusterAddressUnset: 'own' | 'former'
  /** Whether these triggers use the address in the request to which secondaries connect. */
  readonly heedsClusterAddress: Readonly<Record<'primary/enable' | 'secondary/promote', boolean>>
  /** A primary refuses a secondary whose data belong to another set and would have to be wiped first, or serves it. */
  readonly otherSet: 'left-alone' | 'followed'
  /** A demoted primary connects as a secondary, or stays away: always, or if it was never a secondary before. */
  readonly demoted: 'connects' | 'stays-away' | 'stays-away-from-its-own'
  /** A cluster that joins by encrypted credentials is wiped as usual, or keeps its data. */
  readonly encryptedWipes: 'as-usual' | 'nothing'
}

export const joiningRules: JoiningRules = {
  tokenMissing: { 'secondary/enable': 'refused', 'secondary/update-primary': 'refused' },
  malformed: { 'secondary/enable': 'refused', 'secondary/update-primary': 'refused' },
  spent: { 'secondary/enable': 'refused', 'secondary/update-primary': 'refused' },
  otherKind: 'refused',
  encrypted: { 'secondary/enable': 'taken', 'secondary/update-primary': 'taken' },
  moved: 'kept',
  heedsApiAddress: { 'secondary/enable': true, 'secondary/update-primary': true },
  readsCaFile: true,
  readsCaPath: true,
  unreadableCa: 'refused',
  clusterAddressUnset: 'own',
  heedsClusterAddress: { 'primary/enable': true, 'secondary/promote': true },
  otherSet: 'left-alone',
  demoted: 'connects',
  encryptedWipes: 'as-usual',
}
