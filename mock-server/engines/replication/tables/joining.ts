/** What a cluster asks of an invitation to follow a primary: document 1, Replication endpoints. */
export type JoiningTrigger = 'secondary/enable' | 'secondary/update-primary'

export interface JoiningTables {
  /** Of a body without the key `token`. */
  readonly tokenMissing: Readonly<Record<JoiningTrigger, 'refused' | 'refused-but-done' | 'ignored' | 'blank'>>
  /** Of a token that no primary has issued as it is. */
  readonly malformed: Readonly<
    Record<
      JoiningTrigger,
      'refused' | 'ignored' | 'of-nobody' | 'refused-and-wipes' | 'refused-and-forgets' | 'refused-and-disables'
    >
  >
  readonly otherKind: 'refused' | 'taken'
  readonly heedsApiAddress: Readonly<Record<JoiningTrigger, boolean>>
  readonly readsCaFile: boolean
  readonly readsCaPath: boolean
  readonly unreadableCa: 'refused' | 'ignored'
  /** Which triggers pass the address on that secondaries are to connect to. */
  readonly heedsClusterAddress: Readonly<Record<'primary/enable' | 'secondary/promote', boolean>>
  /** Of a secondary whose data are of another set: it would have to be wiped first. */
  readonly otherSet: 'left-alone' | 'followed'
  /** Of a demoted primary. */
  readonly demoted: 'connects' | 'stays-away'
}

export const joiningTables: JoiningTables = {
  tokenMissing: { 'secondary/enable': 'refused', 'secondary/update-primary': 'refused' },
  malformed: { 'secondary/enable': 'refused', 'secondary/update-primary': 'refused' },
  otherKind: 'refused',
  heedsApiAddress: { 'secondary/enable': true, 'secondary/update-primary': true },
  readsCaFile: true,
  readsCaPath: true,
  unreadableCa: 'refused',
  heedsClusterAddress: { 'primary/enable': true, 'secondary/promote': true },
  otherSet: 'left-alone',
  demoted: 'connects',
}
