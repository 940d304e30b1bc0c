/** Decides whether a check applies to a target, and whether the run has what the check needs. */
import coerce from 'semver/functions/coerce.js'
import { factOf } from '../targets/areas-served.ts'
import {
  type Applies,
  type Blocker,
  blockerOf,
  type Check,
  type Edition,
  editions,
  type Facts,
  type Need,
  newestVersion,
  type Presence,
  type Requirement,
  requirementsOf,
} from '../vocabulary/index.ts'
import { clustersOf } from './clusters.ts'
import type { Session } from './session.ts'

type Fact = 'edition' | 'version' | 'feature'
/** Whether one bound of a check is met. `holds` is undefined if the fact is not known. */
type BoundState = {
  readonly fact: Fact
  readonly holds: boolean | undefined
  readonly wanted: string
  readonly seen: string
  /** The key of its evidence, if it differs from the name of the fact. */
  readonly evidence?: string
  /** What the operator can declare in the profile if the fact is not known. */
  readonly declare?: string
}

/** Parses a version. Servers add a `v` or a suffix, or give only two numbers, which strict parsing would refuse. */
const versionIn = (text: string) => (/^v?\d/.test(text) ? coerce(text) : null)

/** Compares two versions without build and pre-release suffixes. Returns undefined if one of them is not a version. */
export function compareVersions(a: string, b: string): number | undefined {
  const [left, right] = [versionIn(a), versionIn(b)]
  return left && right ? left.compare(right) : undefined
}

const orderOf = (version: string, bound: string): number | undefined =>
  version === newestVersion ? 1 : compareVersions(version, bound)

function boundStates({ editions, since, before, feature, without }: Applies, facts: Facts): BoundState[] {
  return [
    ...(editions ? [ofEdition(editions, facts)] : []),
    ...(since === undefined ? [] : [ofVersion(`versions from ${since}`, since, (order) => order >= 0, facts)]),
    ...(before === undefined ? [] : [ofVersion(`versions before ${before}`, before, (order) => order < 0, facts)]),
    ...[feature ?? []].flat().map((name) => ofFeature(name, 'served', facts)),
    ...[without ?? []].flat().map((name) => ofFeature(name, 'absent', facts)),
  ]
}

/** A row holds if it holds for each edition that the target may be of (readings of the documents, 85). */
function ofEdition(wanted: readonly Edition[], { edition, editions: left = editions }: Facts): BoundState {
  const possible = edition === undefined ? left : [edition]
  const met = possible.filter((one) => wanted.includes(one)).length
  return {
    fact: 'edition',
    holds: met === 0 ? false : met === possible.length ? true : undefined,
    wanted: `edition ${wanted.join(' or ')}`,
    seen: possible.join(' or '),
  }
}

function ofVersion(wanted: string, bound: string, isMet: (order: number) => boolean, facts: Facts): BoundState {
  const version = facts.judgedAs ?? facts.version
  const order = version === undefined ? undefined : orderOf(version, bound)
  return {
    fact: 'version',
    holds: order === undefined ? undefined : isMet(order),
    wanted,
    seen: facts.judgedAs === undefined ? String(version) : `judged as ${version}`,
    ...(facts.judgedAs === undefined ? {} : { evidence: 'judgedAs' }),
  }
}

function ofFeature(name: string, presence: Presence, { features }: Facts): BoundState {
  const seen = features?.[name]
  return {
    fact: 'feature',
    holds: seen === undefined ? undefined : seen === presence,
    wanted: `targets ${presence === 'served' ? 'with' : 'without'} ${name}`,
    seen: `${name} is ${seen}`,
    evidence: factOf(name),
    declare: `features: { ${name}: served } (or absent)`,
  }
}

/** Returns why statements with these bounds are not judged on this target, or undefined if they are. A bound that is
 * certainly not met takes precedence over an unknown fact. */
export function outsideOf(
  bounds: readonly (Applies | undefined)[],
  facts: Facts,
  evidence: Readonly<Record<string, string>> = {},
  hidden?: Blocker,
): { readonly verdict: 'not-applicable' | 'not-verified'; readonly blocker: Blocker } | undefined {
  const all = bounds.flatMap((applies) => (applies ? boundStates(applies, facts) : []))
  const unmet = all.find(({ holds }) => holds === false)
  if (unmet) {
    const source = evidence[unmet.evidence ?? unmet.fact] ?? evidence.features
    const { fact, wanted, seen } = unmet
    const facts = { fact, wanted, seen, ...(source ? { source } : {}) }
    return { verdict: 'not-applicable', blocker: blockerOf('holds-elsewhere', facts) }
  }
  const missing = all.find(({ holds }) => holds === undefined)
  if (!missing) return undefined
  const { fact, wanted, declare = fact } = missing
  // What hides the edition is the cause of all that depends on it.
  if (fact === 'edition' && hidden) return { verdict: 'not-verified', blocker: hidden }
  return { verdict: 'not-verified', blocker: blockerOf('fact-unknown', { fact, wanted, declare }) }
}

export const boundsOf = (
  check: Pick<Check, 'applies' | 'requirement'>,
  requirements: ReadonlyMap<string, Requirement>,
): (Applies | undefined)[] => [check.applies, ...requirementsOf(check).map((id) => requirements.get(id)?.applies)]

const isLoopback = (url: string): boolean => /^(localhost|127\..*|\[::1\])$/.test(new URL(url).hostname)

/** Needs that are met by more than a line of `provides`. Whether `maxWaitSeconds` is long enough is only known when a
 * check waits. For `entity`, the dialect must be able to create a user and log it in. */
const offered: Readonly<Partial<Record<Need, (session: Session) => boolean>>> = {
  clock: ({ plan: { target } }) => target.control !== undefined || target.maxWaitSeconds > 0,
  entity: ({ dialect }) => 'createUser' in dialect.operations && 'login' in dialect.operations,
  clusters: (session) => wipeable(session) >= 1,
  'third-cluster': (session) => wipeable(session) >= 2,
  forwarder: ({ plan: { target } }) =>
    target.provides.forwarder !== undefined || [target, ...clustersOf(target)].every(({ url }) => isLoopback(url)),
}

/** Counts the further clusters that checks may wipe. Checks use only the first two. */
function wipeable({ plan: { target } }: Session): number {
  const uses = clustersOf(target).slice(0, 2)
  const first = uses.findIndex(({ mayBeWiped }) => !mayBeWiped)
  return first < 0 ? uses.length : first
}

export const offers = (need: Need, session: Session): boolean =>
  offered[need]?.(session) ?? session.plan.target.provides[need] !== undefined

const cluster = (name: string): string =>
  `clusters: [{ name: ${name}, url: https://${name}.example:8200, token: "\${env:${name.toUpperCase()}_TOKEN}", keySharesFile: ${name}-shares.txt, mayBeWiped: true }]`

/** The lines of the profile that meet each need, in YAML's flow form so that they fit into a sentence. */
const lines: Readonly<Record<Need, string>> = {
  clock: 'maxWaitSeconds: 120 (or control: <URL>, of a reference server)',
  clusters: cluster('second'),
  'third-cluster': `a second entry under clusters, such as ${cluster('third')}`,
  'key-shares': 'keySharesFile: shares.txt (one share a line)',
  forwarder: 'forwarder: { listen: "0.0.0.0", advertise: this-host.example }',
  provider: 'provider: { listen: "0.0.0.0:9400", advertise: "http://this-host.example" }',
  'plugin-files': 'pluginFiles: [{ command: my-plugin, sha256: <64 hexadecimal digits>, type: secret }]',
  environment: 'environment: {} (or CLOUD_REGION and CLOUD_DEFAULT_REGION, where the process of the target has them)',
  entity: 'principals: { <name>: { username: …, passwordFile: … } }',
}

/** Returns the lines that a profile needs for these needs. */
export const linesFor = (needs: readonly Need[]): readonly string[] => needs.map((need) => lines[need])
