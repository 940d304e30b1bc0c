/** The rules of the ceremonies, as cells: document 1, States and transitions, Resources, Limits, Versioning. */

import type { ReplicationKind } from '../../kernel/cluster/cluster-role.ts'
import { seam } from '../../kernel/seam.ts'

export type AttemptState = 'none' | 'in progress' | 'complete'

/** `share`: a share is given, and further ones are required. `last share`: the required number is reached, and the
 * shares make the root key. `wrong shares`: the required number is reached, but the shares do not make the root key. */
export type AttemptEvent = 'start' | 'share' | 'last share' | 'wrong shares' | 'cancel'

/** An event without a cell is refused. */
export type Transitions = Readonly<Record<AttemptState, Readonly<Partial<Record<AttemptEvent, AttemptState>>>>>

/** The replies about an attempt. */
export const replies = ['start', 'read', 'update', 'completion'] as const
export type AttemptReply = (typeof replies)[number]

/** The facts that a reply may show. */
export interface AttemptFacts {
  readonly state: AttemptState
  readonly nonce: string
  /** The shares in hexadecimal. */
  readonly given: readonly string[]
  readonly required: number
  readonly token: string
  /** Empty before the attempt is complete. */
  readonly encoded: string
  readonly fingerprint: string
  readonly oneTimePassword: string
}

export const attemptFields = [
  'started',
  'nonce',
  'progress',
  'required',
  'complete',
  'encoded_token',
  'token',
  'pgp_fingerprint',
  'otp',
  'otp_length',
] as const
export type AttemptField = (typeof attemptFields)[number]

/** Returns the value of a field in a reply, or undefined to leave the field out. */
export type Shown = (facts: AttemptFacts) => unknown

export interface AttemptTables {
  readonly transitions: Transitions
  /** A refused share does this to the shares before it. */
  readonly refusedShare: 'nothing' | 'clears them'
  /** Starts at the same time begin one attempt, or each begins one in place of the other. */
  readonly startsAtOnce: 'one' | 'each'
  /** A refused start does this to the attempt in progress. */
  readonly refusedStart: 'nothing' | 'clears its progress' | 'replaces its key'
  /** Only these clusters hold the ceremony. */
  readonly heldOn: 'DR secondaries' | 'all others'
  /** Returns how many shares complete an attempt, given the threshold of the root key, and whether the attempt has a PGP
   * key. */
  readonly completesAt: (threshold: number, hasPgpKey: boolean) => number
  readonly nonce: 'fresh' | 'the first'
  /** Returns whether `given` is accepted as the nonce of the attempt. `former` are the nonces of cancelled attempts;
   * `isLast` is true for the share that completes the attempt. */
  readonly isNonce: (given: string | undefined, own: string, former: readonly string[], isLast: boolean) => boolean
  readonly missingShare: 'refused' | 'ignored'
  readonly malformedShare: 'refused' | 'counted'
  readonly repeatedShare: 'refused' | 'counted'
  /** Shares that are given at the same time are all counted, or only the one whose update ends last. */
  readonly atOnce: 'each' | 'the last'
  /** The refused updates whose share is counted nevertheless. */
  readonly countedWhenRefused: readonly ('wrong nonce' | 'malformed share')[]
  /** Returns whether the required number of shares completes the attempt. `proves` checks whether they make the root
   * key. */
  readonly opens: (given: readonly string[], proves: () => Promise<boolean>, hasPgpKey: boolean) => Promise<boolean>
  /** The request that makes the token live. */
  readonly issuedBy: 'the last share' | 'every share'
  /** A cancelled attempt passes this on to the next attempt. */
  readonly cancelLeaves: 'nothing' | 'its shares' | 'its key' | 'its key, where none is given'
  /** A start with an invalid `pgp_key` is refused, begins an attempt without the key, or is refused and begins one. */
  readonly badKey: 'refused' | 'starts without' | 'refused and starts'
  readonly pgpKey: 'encrypts' | 'is shown only'
  /** Returns the bytes that the PGP key encrypts. */
  readonly plaintext: (token: Buffer) => Uint8Array
  readonly shown: Readonly<Record<AttemptField, Readonly<Record<AttemptReply, Shown>>>>
}

const ever = (show: Shown): Readonly<Record<AttemptReply, Shown>> => ({
  start: show,
  read: show,
  update: show,
  completion: show,
})
const never: Shown = () => undefined

const attempts: AttemptTables = {
  transitions: {
    none: { start: 'in progress', cancel: 'none' },
    'in progress': {
      share: 'in progress',
      'last share': 'complete',
      'wrong shares': 'in progress',
      cancel: 'none',
    },
    complete: { start: 'in progress', cancel: 'none' },
  },
  refusedStart: 'nothing',
  startsAtOnce: 'one',
  heldOn: 'DR secondaries',
  nonce: 'fresh',
  isNonce: (given, own) => given === own,
  missingShare: 'refused',
  malformedShare: 'refused',
  repeatedShare: 'refused',
  countedWhenRefused: [],
  atOnce: 'each',
  refusedShare: 'nothing',
  opens: (_given, proves) => proves(),
  issuedBy: 'the last share',
  cancelLeaves: 'nothing',
  badKey: 'refused',
  pgpKey: 'encrypts',
  // Seams: the number of shares that completes an attempt is the threshold, and the PGP key encrypts the token itself.
  completesAt: seam((threshold) => threshold),
  plaintext: seam((token) => token),
  shown: {
    started: ever(({ state }) => state !== 'none'),
    nonce: ever(({ nonce }) => nonce),
    progress: ever(({ given }) => given.length),
    required: ever(({ required }) => required),
    complete: ever(({ state }) => state === 'complete'),
    // Only a mutant shows the token itself.
    token: ever(never),
    encoded_token: { ...ever(() => ''), completion: ({ encoded }) => encoded },
    pgp_fingerprint: ever(({ fingerprint }) => fingerprint),
    otp: { ...ever(never), start: ({ oneTimePassword }) => oneTimePassword || undefined },
    otp_length: { ...ever(never), start: ({ oneTimePassword }) => oneTimePassword.length || undefined },
  },
}

export interface TokenTables {
  /** The lifetime in seconds; undefined if the tokens do not expire. */
  readonly ttl: number | undefined
  readonly authorizes: 'while it lives' | 'never'
  /** A deletion ends these tokens. */
  readonly deletionEnds: 'the given one' | 'the given one if it is the newest' | 'none' | 'every one'
  readonly deletionOfNone: 'refused' | 'ends every'
  /** A deletion of a text that is not a token is refused, or ends every token. */
  readonly deletionOfFalse: 'refused' | 'ends every'
}

export interface KeyTables {
  /** The first version that has public keys of secondaries. */
  readonly since: string
  readonly replyHasKey: boolean
  /** Only a mutant shows the private key: in a field with its name, or as PEM. */
  readonly privateKey: 'hidden' | 'named' | 'pem'
  readonly encryptedTo: 'the given key' | 'a key that all have'
  readonly decryption: 'by the present key' | 'refused'
}

export interface CeremonyTables {
  readonly attempts: Readonly<Record<'operation token' | 'root token', AttemptTables>>
  readonly operationTokens: TokenTables
  readonly secondaryKeys: Readonly<Record<ReplicationKind, KeyTables>>
}

const keys: KeyTables = {
  since: '1.3.0',
  replyHasKey: true,
  privateKey: 'hidden',
  encryptedTo: 'the given key',
  decryption: 'by the present key',
}

export const ceremonyTables: CeremonyTables = {
  attempts: { 'operation token': attempts, 'root token': { ...attempts, heldOn: 'all others' } },
  operationTokens: {
    ttl: undefined,
    authorizes: 'while it lives',
    deletionEnds: 'the given one',
    deletionOfNone: 'refused',
    deletionOfFalse: 'refused',
  },
  secondaryKeys: { dr: keys, performance: keys },
}
