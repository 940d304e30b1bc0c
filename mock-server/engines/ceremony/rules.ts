/** The rules of the ceremonies: document 1, States and transitions, Resources. */

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
  /** Empty before the attempt is complete. */
  readonly encoded: string
  readonly fingerprint: string
  readonly oneTimePassword: string
}

export const attemptFields = [
  ...(['started', 'nonce', 'progress', 'required', 'complete', 'encoded_token', 'pgp_fingerprint'] as const),
  ...(['otp', 'otp_length'] as const),
]
export type AttemptField = (typeof attemptFields)[number]

/** Returns the value of a field in a reply, or undefined to leave the field out. */
export type Shown = (facts: AttemptFacts) => unknown

export interface AttemptRules {
  readonly transitions: Transitions
  /** Only these clusters hold the ceremony. */
  readonly heldOn: 'DR secondaries' | 'all others'
  readonly shown: Readonly<Record<AttemptField, Readonly<Record<AttemptReply, Shown>>>>
}

const ever = (show: Shown): Readonly<Record<AttemptReply, Shown>> => ({
  start: show,
  read: show,
  update: show,
  completion: show,
})
const never: Shown = () => undefined

export const operationTokenRules: AttemptRules = {
  transitions: {
    none: { start: 'in progress', cancel: 'none' },
    'in progress': { share: 'in progress', 'last share': 'complete', 'wrong shares': 'in progress', cancel: 'none' },
    complete: { start: 'in progress', cancel: 'none' },
  },
  heldOn: 'DR secondaries',
  shown: {
    started: ever(({ state }) => state !== 'none'),
    nonce: ever(({ nonce }) => nonce),
    progress: ever(({ given }) => given.length),
    required: ever(({ required }) => required),
    complete: ever(({ state }) => state === 'complete'),
    encoded_token: { ...ever(() => ''), completion: ({ encoded }) => encoded },
    pgp_fingerprint: ever(({ fingerprint }) => fingerprint),
    otp: { ...ever(never), start: ({ oneTimePassword }) => oneTimePassword || undefined },
    otp_length: { ...ever(never), start: ({ oneTimePassword }) => oneTimePassword.length || undefined },
  },
}

export const rootTokenRules: AttemptRules = { ...operationTokenRules, heldOn: 'all others' }
