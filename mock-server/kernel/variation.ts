/** The legal differences between servers, chosen by a seed. The first choice of each list is the plain dialect. */
import { createRandom, hashOf } from './state/random.ts'

const axes = {
  /** How a LIST without keys is answered. */
  emptyList: ['404', 'no-keys', 'null-keys'],
  /** How a success without data is answered. */
  noData: ['empty', 'warning', 'null-data'],
  missingToken: [400, 403],
  fieldOrder: ['plain', 'reversed', 'shuffled'],
  keyOrder: ['sorted', 'reversed', 'rotated'],
  extraFields: [false, true],
  /** Whether the fields of `sys/` replies are at the top level as well as in `data`. */
  alsoAtTop: [false, true],
  errorText: ['plain', 'counted'],
  tokens: ['dotted', 'prefixed', 'uuid'],
  mountAccessors: ['typed', 'uuid'],
  requestIds: ['uuid', 'short'],
  /** How an empty list inside a resource is shown. */
  emptyLists: ['list', 'null'],
  /** Whether plugin versions are shown as `v1.2.3` or `1.2.3`, whichever was given. */
  pluginVersions: ['marked', 'bare'],
  /** When a missing plugin file is noticed. */
  pluginFile: ['registration', 'mount'],
  /** How a request for an existing MFA secret is answered. */
  secretPresent: ['warning', 'refusal'],
  /** Whether the period of MFA methods is shown in seconds or as a duration such as `30s`. */
  period: ['seconds', 'duration'],
  /** How generating a root is refused if there is a CA already. */
  rootPresent: ['warning', 'refusal'],
  /** How a bare endpoint of a mount without a CA answers. */
  noCa: ['empty', 'not-found'],
  /** What happens to a lifetime above the longest one. */
  longTtl: ['capped', 'refused'],
  /** How PKCS#8 private keys are encoded under the format `der`. */
  pkcs8Der: ['pem', 'base64'],
  /** How listed serial numbers of certificates are written. */
  serials: ['hyphens', 'colons'],
  /** How serial numbers of certificates are written in other replies. */
  toldSerials: ['colons', 'hyphens'],
  /** How many seconds a revocation list is dated back. */
  crlBackdating: [0, 60, 600],
  /** How PEM in replies ends. */
  pemEnd: ['bare', 'newline'],
  /** Whether several values of one attribute of a subject are in several RDNs or in one. */
  subjectValues: ['apart', 'together'],
  /** Whether EC keys of 256 bits are on the usual curve or on another of that size. */
  curves: ['nist', 'koblitz'],
  /** Whether signatures on certificates use the default hash for the key or a longer one. */
  signatureHash: ['usual', 'sha512'],
  /** Whether certificates have an informative extension that was not asked for. */
  informativeExtension: [false, true],
  /** What intermediates may do besides signing certificates and lists. */
  intermediateUsages: ['ca-only', 'key-encipherment'],
  /** Whether roles whose fields contradict each other are accepted. */
  contradictingRoles: ['taken', 'refused'],
  /** What happens to characters of display names that a name at the provider cannot have. */
  displayNames: ['replaced', 'dropped'],
  /** What happens if a session is to last longer than its role allows. */
  sessionAboveCap: ['capped', 'refused'],
  /** Whether a role for users or federated sessions may have groups and no policies. */
  groupsAlone: ['refused', 'taken'],
  /** What happens to the key of a static role when the role is deleted. */
  staticKeys: ['kept', 'deleted'],
  /** Whether fields of cloud roles that were not given are shown. */
  unsetFields: ['shown', 'left-out'],
  /** Whether lifetimes of cloud roles are shown in seconds or as a duration such as `1h0m0s`. */
  sessionTtls: ['seconds', 'duration'],
  /** Whether a new user is created with tags and boundary, or gets them afterwards. */
  userFurnishing: ['at-once', 'afterwards'],
  /** Whether the cloud engine reads from the provider before it changes something there. */
  looksAround: [false, true],
  /** Whether a lifetime that is the provider's own default is sent, or left to the provider. */
  usualLifetime: ['told', 'left-out'],
  /** Where replies about a token generation attempt have their fields. */
  attemptReplies: ['both', 'in-data', 'at-top'],
  /** Whether the reply to a start contains the one-time password. Without it a caller uses a PGP key. */
  oneTimePassword: ['told', 'kept'],
  /** What a read shows of a completed attempt. */
  attemptDone: ['shown', 'forgotten'],
  /** What a cluster without replication shows as its mode. */
  disabledMode: ['disabled', 'none'],
  /** Whether a status shows the id of the cluster itself, or of the whole set. With the id of the set, paths filters
   * are named by the id of the secondary's activation token. */
  statusClusterId: ['own', 'set'],
  /** When a change of role takes effect, and whether the cluster is unready at first. */
  roleChanges: ['at-once', 'unready-after', 'late', 'late-and-unready'],
  /** How old the progress in a status may be, in milliseconds. */
  progressAge: [0, 60],
  /** How reading a missing paths filter is answered. */
  noFilter: ['null-data', 'empty-body', 'not-found'],
  /** How long a change waits before it goes to secondaries, in milliseconds. */
  syncLatency: [0, 3, 15],
  /** The longest delay of an answer, in milliseconds. */
  latency: [0, 2, 6],
} as const satisfies Record<string, readonly (string | number | boolean)[]>

/** One choice for each difference. */
export type Variation = { readonly [Axis in keyof typeof axes]: (typeof axes)[Axis][number] } & {
  /** True if nothing differs from the plain dialect. */
  readonly plain: boolean
  readonly seed: number
}

export const variationAxes: Readonly<Record<string, readonly unknown[]>> = axes

/** Choices by the name of their axis. */
export type Choices = Readonly<Record<string, string | number | boolean>>

/** Chooses by seed; 0 is the plain dialect. `named` choices override those of the seed. Throws a RangeError on an
 * unknown name or choice. */
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

/** Returns the members of an object in the order of the variation. */
export function ordered<T extends object>(members: T, variation: Variation, draw: () => number): T {
  if (variation.fieldOrder === 'plain') return members
  const entries = Object.entries(members)
  if (variation.fieldOrder === 'reversed') entries.reverse()
  else entries.sort(() => draw() - 0.5)
  return Object.fromEntries(entries) as T
}

/** Returns listed keys in the order of the variation. */
export function orderedKeys(keys: readonly unknown[], variation: Variation): readonly unknown[] {
  if (variation.keyOrder === 'sorted') return keys
  if (variation.keyOrder === 'reversed') return [...keys].reverse()
  return [...keys.slice(1), ...keys.slice(0, 1)]
}
