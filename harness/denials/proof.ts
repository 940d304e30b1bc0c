/** Proves that no verdict depends on what the token may not do. The planned policy of an area is denied one path after
 * the other, whole and by capability, and each check that needs it is judged: it may only become `not-verified`, and
 * names what the token lacks (readings of the documents, 71). */
import { mainCluster } from '../run/clusters.ts'
import { judge } from '../run/judge.ts'
import { inLanes } from '../run/lanes.ts'
import { openSession } from '../run/session.ts'
import { samplePath } from '../targets/capabilities.ts'
import { loadDialect } from '../targets/dialects/index.ts'
import { aclText, capabilitiesOf } from '../targets/dialects/vault-policy.ts'
import { leastPolicy } from '../targets/least-policy.ts'
import { clustersFor, newestReference, type ReferenceServer, referenceTarget, startReference } from '../targets/mock.ts'
import { probe } from '../targets/probe.ts'
import { type Touch, touchesOf } from '../targets/touches.ts'
import {
  type AclRule,
  type Area,
  addressOf,
  type Check,
  type CheckResult,
  type Requirement,
  type Topic,
} from '../vocabulary/index.ts'

/** What the token lacks: some capabilities of one rule of the planned policy. */
export interface Denied {
  readonly path: string
  readonly capabilities: readonly string[]
}

export interface DenialsProof {
  readonly denials: number
  readonly judged: number
  /** How many checks lost their verdict, over all denials. */
  readonly lost: number
  /** Verdicts that depend on the missing capability, each in one line. */
  readonly troubles: readonly string[]
}

export interface DenialsOptions {
  readonly area: Area
  readonly topics: readonly Topic[]
  readonly requirements: readonly Requirement[]
  readonly provides?: Readonly<Record<string, unknown>>
  /** False if the target does not tell what the token may do before the first check. */
  readonly tellsHeld?: boolean
  /** Selects the denials and the checks; by default all. */
  readonly isPlayed?: (denied: Denied, index: number) => boolean
  readonly isJudged?: (address: string) => boolean
  readonly signal: AbortSignal
  readonly onProgress?: (text: string) => void
}

interface Candidate {
  readonly topic: Topic
  readonly check: Check
  readonly touches: readonly Touch[]
}

const dialect = loadDialect('vault')
const edition = 'premium'
const jobs = 8
const brief = { patienceSeconds: 1, immediateSeconds: 0.3 }
const patient = { patienceSeconds: 20 }

export async function proveDenials(options: DenialsOptions): Promise<DenialsProof> {
  const { area, topics, isPlayed = () => true, isJudged = () => true, signal, onProgress = () => {} } = options
  const all = topics
    .filter((topic) => topic.area === area)
    .flatMap((topic) => topic.checks.map((check) => ({ topic, check, touches: touchesOf(topic, check, dialect) })))
    .filter(({ topic, check }) => isJudged(addressOf(topic, check)))
  const rules = leastPolicy(
    all.map(({ touches }) => ({ area, touches })),
    dialect,
    false,
  )
  const whole = await judgedWith(rules, all, options)
  const passing = all.filter((_, index) => whole.results[index]?.verdict === 'pass')
  const troubles = [...whole.troubles]
  let [judged, lost] = [0, 0]
  const denials = rules.flatMap(denialsOf).filter(isPlayed)
  for (const [index, denied] of denials.entries()) {
    if (signal.aborted) break
    const touched = passing.filter(({ touches }) => touches.some((touch) => isTouched(touch, denied)))
    onProgress(`${index + 1} of ${denials.length}: ${shown(denied)}, ${touched.length} checks`)
    const left = rules.map((rule) => without(rule, denied))
    const found = await judgedWith(left, touched, options)
    judged += found.results.length
    lost += found.results.filter(({ verdict }) => verdict !== 'pass').length
    const doubted = touched.filter((_, at) => troubleIn(found.results[at], denied) !== undefined)
    // A busy machine may not keep up with the short patience of this proof.
    const again = doubted.length > 0 ? await judgedWith(left, doubted, options, patient) : { results: [], troubles: [] }
    const wrong = again.results.flatMap((result) => troubleIn(result, denied) ?? [])
    const said = [...found.troubles, ...again.troubles, ...wrong]
    troubles.push(...said.map((trouble) => `without ${shown(denied)}: ${trouble}`))
  }
  return { denials: denials.length, judged, lost, troubles }
}

const shown = ({ path, capabilities }: Denied): string => `${capabilities.join(', ')} on ${path}`

/** A whole path, and each kind of request on it, unless there is only one kind. */
function denialsOf({ path, capabilities }: AclRule): readonly Denied[] {
  const kinds = ['GET', 'LIST', 'POST', 'PATCH', 'DELETE'] as const
  const each = [...kinds.map((method) => capabilitiesOf[method]), ['sudo']].filter((some) =>
    some.every((one) => capabilities.includes(one)),
  )
  return [capabilities, ...(each.length > 1 ? each : [])].map((some) => ({ path, capabilities: some }))
}

function without(rule: AclRule, denied: Denied): AclRule {
  if (rule.path !== denied.path) return rule
  const left = rule.capabilities.filter((one) => !denied.capabilities.includes(one))
  return { path: rule.path, capabilities: left.length > 0 ? left : ['deny'] }
}

const isTouched = ({ as, path, method, sudo }: Touch, denied: Denied): boolean =>
  as === 'operator' &&
  path === denied.path &&
  (capabilitiesOf[method].some((one) => denied.capabilities.includes(one)) ||
    (sudo !== undefined && denied.capabilities.includes('sudo')))

/** Returns what is wrong about the verdict of a check that passes with the whole policy. */
function troubleIn(result: CheckResult | undefined, denied: Denied): string | undefined {
  if (result === undefined || result.verdict === 'pass') return undefined
  const { id, verdict, blocker } = result
  const [first] = result.mismatches
  const why = blocker?.reason ?? (first ? `${first.asked}: ${first.at} wanted ${first.wanted}; saw ${first.saw}` : '')
  if (verdict !== 'not-verified') return `${id} is ${verdict}: ${why}`
  // After a change of role that cannot be undone, no further check gives a role to a cluster.
  const isOfToken = blocker?.kind === 'permission' || blocker?.code === 'no-way-back'
  return isOfToken && why.includes(`on ${denied.path}`) ? undefined : `${id} does not name it: ${why}`
}

/** Judges on a new server, with a token that has these rules. */
async function judgedWith(
  rules: readonly AclRule[],
  candidates: readonly Candidate[],
  { area, requirements, provides = {}, tellsHeld = true, signal }: DenialsOptions,
  patience: Partial<typeof brief> = brief,
): Promise<{ readonly results: readonly CheckResult[]; readonly troubles: readonly string[] }> {
  const clusters = clustersFor(candidates.map(({ check }) => check))
  const server = await startReference({ edition, control: true, clusters, testKeys: true })
  try {
    const target = { ...referenceTarget(server), ...{ token: await tokenWith(server, rules), ...patience } }
    const session = await openSession(
      {
        target: { ...target, provides: { ...target.provides, ...provides } },
        facts: { edition, version: await newestReference(), features: server.features },
        held: tellsHeld ? rules.map(({ path, capabilities }) => ({ path: samplePath(path), capabilities })) : [],
        ...{ runId: 'denied', seed: 1, ceiling: 'disruptive', jobs, level: 'should', requirements },
        record: 'none',
      },
      { settle: server.settle, signal },
    )
    const results: CheckResult[] = []
    const probed = await probe({
      ...{ target: { ...target, declared: {} }, dialect, client: session.client(mainCluster), areas: [area] },
      wanted: () => [],
      record: () => {},
    })
    await inLanes([...candidates.entries()], jobs, signal, async ([index, { topic, check }]) => {
      results[index] = await judge(topic, check, session)
    })
    await session.close()
    return { results, troubles: 'unreachable' in probed ? [probed.unreachable] : probeTroubles(area, probed) }
  } finally {
    await server.close()
  }
}

/** The probe may find out nothing with the token, but nothing wrong. */
function probeTroubles(area: Area, { facts, areas }: Extract<Awaited<ReturnType<typeof probe>>, { facts: object }>) {
  return [
    ...(areas[area]?.sign === 'absent' ? [`the area seems to be absent: ${areas[area]?.evidence}`] : []),
    ...(facts.edition !== undefined && facts.edition !== edition ? [`the edition seems to be ${facts.edition}`] : []),
  ]
}

/** Creates a token that outlives the weeks that checks let pass. */
async function tokenWith({ url, rootToken }: ReferenceServer, rules: readonly AclRule[]): Promise<string> {
  const operate = async (path: string, body: object): Promise<Response> => {
    const headers = { 'X-Vault-Token': rootToken }
    const reply = await fetch(`${url}/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    return reply
  }
  await operate('sys/policies/acl/planned', { policy: aclText(rules) })
  const lasting = { period: '87600h', explicit_max_ttl: '87600h' }
  const reply = await operate('auth/token/create', { policies: ['planned'], no_default_policy: true, ...lasting })
  const { auth } = (await reply.json()) as { auth?: { client_token: string } }
  if (!auth) throw new Error('the reference server created no token')
  return auth.client_token
}
