/** The legal differences between servers, chosen by a seed. The first of each list is the plain dialect. */
import { createRandom, hashOf } from './state/random.ts'

const axes = {
  /** A LIST without keys. */
  emptyList: ['404', 'no-keys', 'null-keys'],
  /** A success without data. */
  noData: ['empty', 'warning', 'null-data'],
  missingToken: [400, 403],
  fieldOrder: ['plain', 'reversed', 'shuffled'],
  keyOrder: ['sorted', 'reversed', 'rotated'],
  extraFields: [false, true],
  /** Fields of `sys/` replies at the top level as well as in `data`. */
  alsoAtTop: [false, true],
  errorText: ['plain', 'counted'],
  tokens: ['dotted', 'prefixed', 'uuid'],
  mountAccessors: ['typed', 'uuid'],
  requestIds: ['uuid', 'short'],
  /** A list without entries, inside a resource. */
  emptyLists: ['list', 'null'],
  /** `v1.2.3` or `1.2.3`, whichever was given. */
  pluginVersions: ['marked', 'bare'],
  /** When a file that is missing is noticed. */
  pluginFile: ['registration', 'mount'],
  /** What becomes of asking for an MFA secret that is there already. */
  secretPresent: ['warning', 'refusal'],
  /** Of MFA methods: seconds, or a duration such as `30s`. */
  period: ['seconds', 'duration'],
  /** How a root is refused where there is a CA already. */
  rootPresent: ['warning', 'refusal'],
  /** A bare endpoint of a mount without a CA. */
  noCa: ['empty', 'not-found'],
  /** What becomes of a lifetime above the longest one. */
  longTtl: ['capped', 'refused'],
  /** PKCS#8 private keys under the format `der`. */
  pkcs8Der: ['pem', 'base64'],
  /** Listed serial numbers of certificates. */
  serials: ['hyphens', 'colons'],
  /** Serial numbers of certificates in other replies. */
  toldSerials: ['colons', 'hyphens'],
  /** How far a revocation list is dated back, s. */
  crlBackdating: [0, 60, 600],
  /** PEM in replies. */
  pemEnd: ['bare', 'newline'],
  /** Several values of one attribute of a subject: names of their own, or one name. */
  subjectValues: ['apart', 'together'],
  /** EC keys of 256 bits: on the usual curve, or on another of that size. */
  curves: ['nist', 'koblitz'],
  /** The hash of signatures on certificates: the usual one for the key, or a longer one. */
  signatureHash: ['usual', 'sha512'],
  /** Whether certificates have an informative extension that nobody asked for. */
  informativeExtension: [false, true],
  /** What intermediates may do besides signing certificates and lists. */
  intermediateUsages: ['ca-only', 'key-encipherment'],
  /** Roles whose fields contradict each other. */
  contradictingRoles: ['taken', 'refused'],
  /** Characters of display names that a name at the provider cannot have. */
  displayNames: ['replaced', 'dropped'],
  /** What becomes of a session that is asked for longer than its role's cap. */
  sessionAboveCap: ['capped', 'refused'],
  /** A role for users or federated sessions that has groups, and no policies of its own. */
  groupsAlone: ['refused', 'taken'],
  /** What becomes of the key that a static role gave when the role is deleted. */
  staticKeys: ['kept', 'deleted'],
  /** Fields of cloud roles that were not given. */
  unsetFields: ['shown', 'left-out'],
  /** Of cloud roles: seconds, or a duration such as `1h0m0s`. */
  sessionTtls: ['seconds', 'duration'],
  /** Tags and boundary of a new user: with its creation, or after it. */
  userFurnishing: ['at-once', 'afterwards'],
  /** Whether the cloud engine looks around at the provider before it does something there. */
  looksAround: [false, true],
  /** A lifetime that is the provider's own default: asked for, or left to the provider. */
  usualLifetime: ['told', 'left-out'],
  /** Where replies about a token generation attempt have their fields. */
  attemptReplies: ['both', 'in-data', 'at-top'],
  /** Whether the reply to a start tells the one-time password: who is not told uses a PGP key. */
  oneTimePassword: ['told', 'kept'],
  /** What a reading tells of an attempt that is complete. */
  attemptDone: ['shown', 'forgotten'],
  /** How a cluster that replicates nothing calls that. */
  disabledMode: ['disabled', 'none'],
  /** What a status gives as cluster id: the cluster's own, or one for the whole set. Paths filters go by the id of the
   * secondary's activation token then. */
  statusClusterId: ['own', 'set'],
  /** When a change of role takes effect, and whether the cluster serves anything at first. */
  roleChanges: ['at-once', 'unready-after', 'late', 'late-and-unready'],
  /** How old what a status tells of progress may be, ms. */
  progressAge: [0, 60],
  /** The reply to reading a paths filter where there is none. */
  noFilter: ['null-data', 'empty-body', 'not-found'],
  /** How long a change waits before it goes to secondaries, ms. */
  syncLatency: [0, 3, 15],
  /** The longest delay of an answer, ms. */
  latency: [0, 2, 6],
} as const satisfies Record<string, readonly (string | number | boolean)[]>

/** How a server speaks where the documents leave it free. */
export type Variation = { readonly [Axis in keyof typeof axes]: (typeof axes)[Axis][number] } & {
  /** Nothing differs from the plain dialect. */
  readonly plain: boolean
  readonly seed: number
}

export const variationAxes: Readonly<Record<string, readonly unknown[]>> = axes

/** Choices of axes by name. */
export type Choices = Readonly<Record<string, string | number | boolean>>

/** Seed 0 is the plain dialect; `named` choices stand above those of the seed. Throws a RangeError on an unknown one. */
export function variationOf(seed: number, named: Choices = {}): Variation {
  for (const [axis, choice] of Object.entries(named)) {
    const known = variationAxes[axis]
    if (!known)
      throw new RangeError(`there is no variation ${JSON.stringify(axis)}; there are ${Object.keys(axes).join(', ')}`)
    if (!known.includes(choice))
      throw new RangeError(`variation ${axis}: ${JSON.stringify(choice)} is not one of ${JSON.stringify(known)}`)
  }
  const chosen = Object.entries(axes).map(([axis, choices]) => {
    const choice = seed === 0 ? 0 : createRandom(seed ^ hashOf(axis)).integer(choices.length)
    return [axis, choices[choice]]
  })
  const isPlain = seed === 0 && Object.keys(named).length === 0
  return { ...Object.fromEntries(chosen), ...named, plain: isPlain, seed } as Variation
}

/** Members of an object in the order of the manner. */
export function ordered<T extends object>(members: T, variation: Variation, draw: () => number): T {
  if (variation.fieldOrder === 'plain') return members
  const entries = Object.entries(members)
  if (variation.fieldOrder === 'reversed') entries.reverse()
  else entries.sort(() => draw() - 0.5)
  return Object.fromEntries(entries) as T
}

/** Listed keys in the order of the manner. */
export function orderedKeys(keys: readonly unknown[], variation: Variation): readonly unknown[] {
  if (variation.keyOrder === 'sorted') return keys
  if (variation.keyOrder === 'reversed') return [...keys].reverse()
  return [...keys.slice(1), ...keys.slice(0, 1)]
}
