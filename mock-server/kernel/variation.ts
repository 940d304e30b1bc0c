/** The legal differences between servers, chosen by a seed. The first choice of each list is the plain dialect. */
import { createRandom, hashOf } from './state/random.ts'

const axes = {
  /** A LIST without keys is answered by 404, without `keys`, or with null `keys`. */
  emptyList: ['404', 'no-keys', 'null-keys'],
  /** A success without data has an empty body, a warning, or null as its data. */
  noData: ['empty', 'warning', 'null-data'],
  missingToken: [400, 403],
  fieldOrder: ['plain', 'reversed', 'shuffled'],
  keyOrder: ['sorted', 'reversed', 'rotated'],
  extraFields: [false, true],
  /** The fields of replies in `data` are at the top level as well: for the oldest endpoints, for everything below
   * `sys/`, or never. */
  alsoAtTop: ['oldest', 'all', 'none'],
  errorText: ['plain', 'counted'],
  tokens: ['dotted', 'prefixed', 'uuid'],
  mountAccessors: ['typed', 'uuid'],
  /** With an underline, an id of an entity cannot be part of a host name. */
  entityIds: ['uuid', 'underlined'],
  requestIds: ['uuid', 'short'],
  /** An empty list inside a resource is shown as a list, or as null. */
  emptyLists: ['list', 'null'],
  /** Plugin versions are shown as `v1.2.3`, or as `1.2.3`, whatever the caller wrote. */
  pluginVersions: ['marked', 'bare'],
  /** A missing plugin file is noticed at the registration, or at the mount. */
  pluginFile: ['registration', 'mount'],
  /** A request to generate an MFA secret that already exists is answered by a warning, or refused. */
  secretPresent: ['warning', 'refusal'],
  /** The period of MFA methods is shown in seconds, or as a duration such as `30s`. */
  period: ['seconds', 'duration'],
  /** Generating a root on a mount that already has a CA is answered by a warning, or refused. */
  rootPresent: ['warning', 'refusal'],
  /** A raw endpoint of a mount without a CA answers with an empty body, or 404. */
  noCa: ['empty', 'not-found'],
  /** A lifetime above the maximum is capped, or refused. */
  longTtl: ['capped', 'refused'],
  /** The longest lifetime is that of the mount, or at most three days, which is the maximum of the system. */
  longestTtl: ['of-mount', 'three-days'],
  /** Under the format `der`, PKCS#8 private keys are encoded as PEM, or as base64. */
  pkcs8Der: ['pem', 'base64'],
  /** Listed serial numbers of certificates are written with colons, or with hyphens. */
  serials: ['colons', 'hyphens'],
  /** Other replies write serial numbers of certificates with colons, or with hyphens. */
  toldSerials: ['colons', 'hyphens'],
  /** A revocation list is dated back by this many seconds. */
  crlBackdating: [0, 60, 600],
  /** A new revocation list is served at once, or a little later. */
  listsSigned: ['at-once', 'late'],
  /** EC private keys in PEM have one block, or a block with the parameters of their curve before it. */
  ecKeysInPem: ['alone', 'with-parameters'],
  /** EC keys of CAs may have every supported size, or 256 bits only. */
  caCurves: ['all', '256-bits'],
  /** URIs without a host, such as URNs, are accepted as alternative names, or refused. */
  hostlessUris: ['taken', 'refused'],
  /** PEM in replies ends without a newline, or with one. */
  pemEnd: ['bare', 'newline'],
  /** Several values of one attribute of a subject are in several RDNs, or in one. */
  subjectValues: ['apart', 'together'],
  /** EC keys of 256 bits are on the usual curve, or on another of that size. */
  curves: ['nist', 'koblitz'],
  /** Signatures on certificates use the default hash for the key, or a longer one. */
  signatureHash: ['usual', 'sha512'],
  /** Certificates may have an informative extension that was not asked for. */
  informativeExtension: [false, true],
  /** The key usage of intermediates allows only signing certificates and lists, or key encipherment as well. */
  intermediateUsages: ['ca-only', 'key-encipherment'],
  /** Roles whose fields contradict each other are accepted, or refused. */
  contradictingRoles: ['taken', 'refused'],
  /** Characters of display names that names at the provider cannot contain are replaced, or dropped. */
  displayNames: ['replaced', 'dropped'],
  /** Configured templates of user names tell users from sessions by `.Type`, or have no field that does. */
  templateType: ['told', 'empty'],
  /** A session for longer than its role allows is capped, or refused. */
  sessionAboveCap: ['capped', 'refused'],
  /** A role for users or federated sessions with groups and no policies is refused, or accepted. */
  groupsAlone: ['refused', 'taken'],
  /** The key of a static role is kept, or deleted, when the role is deleted. */
  staticKeys: ['kept', 'deleted'],
  /** The user of a static role gets no tag, or a tag of the server. */
  adoptedUsers: ['untagged', 'tagged'],
  /** The first key of a static role exists before the reply to its configuration, or a moment later. */
  firstStaticKey: ['at-once', 'later'],
  /** Fields of cloud roles that were not given are shown, or left out. */
  unsetFields: ['shown', 'left-out'],
  /** Lifetimes of cloud roles are shown in seconds, or as a duration such as `1h0m0s`. */
  sessionTtls: ['seconds', 'duration'],
  /** A new user is created with tags and permissions boundary, or gets them afterwards. */
  userFurnishing: ['at-once', 'afterwards'],
  /** Policy documents go to the provider as they are, or with a further statement that denies requests without TLS. */
  policyDocuments: ['plain', 'restricted'],
  /** The cloud engine may read from the provider before it changes something there. */
  looksAround: [false, true],
  /** A lifetime that equals the provider's default is sent, or left out. */
  usualLifetime: ['told', 'left-out'],
  /** Identity tokens of the cloud engine are valid from the moment of issue, or from a minute earlier, or contain no
   * time of issue. */
  identityTokens: ['plain', 'dated-back', 'without-issue-time'],
  /** Replies about a token generation attempt have their fields in `data`, at the top level, or in both places. */
  attemptReplies: ['both', 'in-data', 'at-top'],
  /** The reply that starts an attempt contains the one-time password, or not. If it does not, callers use a PGP key. */
  oneTimePassword: ['told', 'kept'],
  /** A read still shows a completed attempt (`shown`), or no attempt (`forgotten`). With `waits`, the completed attempt
   * must be cancelled before another can be started. */
  attemptDone: ['shown', 'forgotten', 'waits'],
  /** A secondary takes over the root key of its primary, or keeps its own. */
  secondaryShares: ['of-primary', 'own'],
  /** The mode that a cluster without replication shows. */
  disabledMode: ['disabled', 'none'],
  /** A status shows the id of the cluster itself, or of the whole set. If it is that of the set, the id in the path of
   * a paths filter is the id of the secondary's activation token. */
  statusClusterId: ['own', 'set'],
  /** When a change of role takes effect, and whether the cluster is unready at first. */
  roleChanges: ['at-once', 'unready-after', 'late', 'late-and-unready'],
  /** The progress in a status may be this many milliseconds old. */
  progressAge: [0, 60],
  /** Reading a missing paths filter is answered by null data, an empty body, or 404. */
  noFilter: ['null-data', 'empty-body', 'not-found'],
  /** A change waits this many milliseconds before it goes to secondaries. */
  syncLatency: [0, 3, 15],
  /** The longest delay of an answer, in milliseconds. */
  latency: [0, 2, 6],
} as const satisfies Record<string, readonly (string | number | boolean)[]>

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
      throw new RangeError(`unknown variation ${JSON.stringify(axis)}; known are ${Object.keys(axes).join(', ')}`)
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

export function ordered<T extends object>(members: T, variation: Variation, draw: () => number): T {
  if (variation.fieldOrder === 'plain') return members
  const entries = Object.entries(members)
  if (variation.fieldOrder === 'reversed') entries.reverse()
  else entries.sort(() => draw() - 0.5)
  return Object.fromEntries(entries) as T
}

export function orderedKeys(keys: readonly unknown[], variation: Variation): readonly unknown[] {
  if (variation.keyOrder === 'sorted') return keys
  if (variation.keyOrder === 'reversed') return [...keys].reverse()
  return [...keys.slice(1), ...keys.slice(0, 1)]
}
