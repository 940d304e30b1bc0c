/** These tables say what a cluster checks before it follows a primary: document 1, Replication endpoints. */
export type JoiningTrigger = 'secondary/enable' | 'secondary/update-primary'

export interface JoiningTables {
  /** A body without the key `token` has this result. */
  readonly tokenMissing: Readonly<Record<JoiningTrigger, 'refused' | 'refused-but-done' | 'ignored' | 'blank'>>
  /** A token that no primary has issued in this form has this result. */
  readonly malformed: Readonly<
    Record<
      JoiningTrigger,
      'refused' | 'ignored' | 'without-primary' | 'refused-and-wipes' | 'refused-and-forgets' | 'refused-and-disables'
    >
  >
  /** A token that was used before, or that its primary does not accept for another reason, has this result. */
  readonly spent: Readonly<Record<JoiningTrigger, 'refused' | 'refused-and-wipes' | 'refused-and-forgets'>>
  /** A token of the other kind of replication is refused, or the cluster joins by it, in either kind. */
  readonly otherKind: 'refused' | 'refused-and-wipes' | 'joins-in-the-kind-asked' | 'joins-in-its-own-kind'
  /** Credentials that are encrypted to the public key of the cluster are taken, or refused. */
  readonly encrypted: Readonly<Record<JoiningTrigger, 'taken' | 'refused'>>
  /** A secondary that gets another primary keeps its data, or loses its mounts. */
  readonly moved: 'kept' | 'wiped'
  readonly heedsApiAddress: Readonly<Record<JoiningTrigger, boolean>>
  readonly readsCaFile: boolean
  readonly readsCaPath: boolean
  readonly unreadableCa: 'refused' | 'ignored'
  /** A primary that is enabled without an address gives its own one, or the one that it was enabled with before. */
  readonly clusterAddressUnset: 'own' | 'former'
  /** These triggers pass on the address that secondaries connect to. */
  readonly heedsClusterAddress: Readonly<Record<'primary/enable' | 'secondary/promote', boolean>>
  /** What happens to a secondary whose data belong to another set, and which would have to be wiped first. */
  readonly otherSet: 'left-alone' | 'followed'
  /** A demoted primary connects as a secondary, or stays away. */
  readonly demoted: 'connects' | 'stays-away'
}

export const joiningTables: JoiningTables = {
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
}
