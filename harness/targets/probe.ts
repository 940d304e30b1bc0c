/** A target shows this of itself before the first check: a handful of exchanges, and what follows from them. */
import {
  type Area,
  type Blocker,
  blockerOf,
  type Capability,
  type Dialect,
  type Exchange,
  type Facts,
  type Finding,
  fieldOf,
  isObject,
  isSuccess,
  newestVersion,
  type OperationArgs,
  type OperationName,
  performanceOf,
  type Reply,
  type ResultDocument,
} from '../vocabulary/index.ts'
import { asBare, asNobody, asOperator } from '../wire/ask.ts'
import type { WireClient, WireOutcome } from '../wire/client.ts'
import { type AreasSeen, areasServed, factOf } from './areas-served.ts'
import { capabilitiesIn, capabilityFindings, type WantedCapability } from './capabilities.ts'
import { skewOf } from './clock-skew.ts'
import { describedIn, isLoopback } from './described.ts'
import { disagreements } from './disagreements.ts'
import { editionOf } from './edition.ts'
import { type Features, featuresOfForms, knownFacts, knownFeatures } from './features.ts'
import { prober, swallowedLists, tooLate } from './prober.ts'
import { isReference, judgedAs, type ProductSeen, productIn, referenceProduct } from './product.ts'
import type { ResolvedTarget } from './target.ts'
import { type TokenTrials, tokenBlocker } from './token.ts'
import { type Unreachable, unreachableOf } from './unreachable.ts'

export interface ProbeSettings {
  readonly target: ResolvedTarget
  readonly dialect: Dialect
  readonly client: WireClient
  /** What the plan needs of the token, on such a target. */
  wanted(facts: Facts, areas: AreasSeen): readonly WantedCapability[]
  /** Areas of the chosen checks: whether the target has them is asked first. */
  readonly areas: readonly Area[]
  /** Once aborted, nothing more is sent. */
  readonly signal?: AbortSignal
  /** Notes an exchange for the report, redacted. */
  record(exchange: Exchange, outcome: WireOutcome): void
}

export interface Probe {
  readonly observed: Facts
  /** Declared facts where there are any, else the observed ones. */
  readonly facts: Facts
  readonly evidence: Readonly<Record<string, string>>
  readonly sealed?: boolean
  readonly clusterId?: string
  readonly clockSkewMs?: number
  readonly capabilities: readonly Capability[]
  readonly areas: AreasSeen
  readonly findings: readonly Finding[]
  /** This obstacle keeps every check from a verdict of its own on this target. */
  readonly blocker?: Blocker
}

export type TargetSeen = Pick<ResultDocument['target'], 'observed' | 'facts' | 'evidence' | 'capabilities'>

/** Never rejects for anything that the target does. */
export async function probe(settings: ProbeSettings): Promise<Probe | Unreachable> {
  const { target, dialect, client } = settings
  const { send, wasLate } = prober(settings)
  const [operator, nobody] = [asOperator(client, dialect), asNobody(client, dialect)]
  const askExchange = (exchange: Exchange) => send(exchange.as === 'nobody' ? nobody : operator, exchange)
  const ask: AskOperation = async (operation, args) => {
    const exchange = performanceOf(dialect.operations, { operation, args })?.exchanges[0]
    if (!exchange) throw new TypeError(`dialect ${dialect.id} has no operation ${operation} for the probe`)
    return askExchange(exchange)
  }

  const first = await ask('health', {})
  const gone = unreachableOf(first, target)
  if (gone) return gone

  const isSilent = Object.keys(target.headers).length > 0 && textField(first.reply, 'version') === undefined
  const [bare] = isSilent ? (dialect.operations.health?.({}).exchanges ?? []) : []
  const health = bare ? await send(asBare(client, dialect), bare) : first
  const findings: Finding[] = [...warnings(target)]
  const evidence: Record<string, string> = {}
  const clusterId = textField(health.reply, 'cluster_id')
  const version = textField(health.reply, 'version')
  if (version) evidence.version = `"version": "${version}" in the health reply`
  if (clusterId) evidence.cluster = `"cluster_id": "${clusterId}" in the health reply`
  const skew = skewOf(health)
  if (skew) evidence.clock = skew.evidence
  if (skew?.finding) findings.push(skew.finding)

  const sealed = await sealedState(health.reply, ask)
  if (sealed !== undefined) evidence.sealed = sealed ? 'the target says that it is sealed' : 'the target says so'
  const blocker = sealed
    ? sealedBlocker(health.reply)
    : await tokenBlocker(target, tokenTrials(dialect, ask, askExchange), (text) => {
        evidence.token = text
      })

  const isOpen = blocker === undefined
  const seenProduct: ProductSeen = isReference(health.reply)
    ? { product: referenceProduct, evidence: 'its health reply says so' }
    : isOpen && dialect.product
      ? productIn((await askExchange(dialect.product.exchange)).reply, dialect)
      : {}
  if (seenProduct.evidence !== undefined) evidence.product = seenProduct.evidence
  const asJudged = judgedAs({ ...seenProduct, ...target.declared }, dialect)
  if (asJudged) evidence.judgedAs = asJudged.evidence
  const seen = isOpen
    ? editionOf({
        ...{ health: health.reply?.json, version, isNumbered: asJudged?.judgedAs !== newestVersion },
        servesGoverning: await servesGoverning(ask),
        servesReplication: textField((await ask('replicationStatus', {})).reply, 'mode') !== undefined,
      })
    : { evidence: `not asked: ${blocker.reason}` }
  evidence.edition = seen.evidence
  const described = describedIn(health.reply)
  const said = { ...featuresOfForms(target.declared.forms), ...target.declared.features }
  const undeclared = settings.areas.filter((area) => said[area] === undefined)
  const asked = isOpen
    ? await areasServed(dialect, undeclared, async (exchange) => (await askExchange(exchange)).reply)
    : {}
  const features = { ...featuresOfForms(described.forms), ...areaFeatures(asked) }
  if (Object.keys(described.forms).length > 0) evidence.features = 'its health reply says so'
  for (const [area, seen] of Object.entries(asked)) evidence[factOf(area)] = seen.evidence
  for (const name of Object.keys(target.declared.features ?? {})) evidence[factOf(name)] = 'as declared'
  const observed: Facts = {
    ...(seenProduct.product === undefined ? {} : { product: seenProduct.product }),
    ...(version ? { version } : {}),
    ...(seen.edition ? { edition: seen.edition } : {}),
    ...(Object.keys(features).length > 0 ? { features } : {}),
  }
  const facts: Facts = {
    ...knownFacts(target.declared, observed),
    ...(asJudged ? { judgedAs: asJudged.judgedAs } : {}),
  }
  findings.push(
    ...(isOpen ? unknowns(facts, seen.evidence, evidence) : []),
    ...disagreements(target.declared, observed, evidence),
  )

  const areas: AreasSeen = { ...asked, ...declaredAreas(settings.areas, said) }
  const wanted = settings.wanted(facts, areas)
  const capabilities = isOpen ? await capabilitiesOf(wanted, ask) : undefined
  if (capabilities) findings.push(...capabilityFindings(wanted, capabilities))
  findings.push(...swallowedLists(client.lists), ...(wasLate() ? [tooLate] : []))
  // Without a token there are checks that can do without, and nothing is wrong with them.
  const severity = target.token === undefined && !sealed ? 'warning' : 'error'
  if (blocker) findings.push({ severity, code: blocker.kind, text: `${blocker.reason}: ${blocker.mend}` })
  return {
    observed,
    facts,
    evidence,
    ...(sealed === undefined ? {} : { sealed }),
    ...(clusterId ? { clusterId } : {}),
    ...(skew ? { clockSkewMs: skew.ms } : {}),
    capabilities: capabilities ?? [],
    areas,
    findings,
    ...(blocker ? { blocker } : {}),
  }
}

/** Of features that are areas. What is not seen to be absent is judged: its checks find out what is in their way. */
const areaFeatures = (asked: AreasSeen): Features =>
  Object.fromEntries(
    Object.entries(asked)
      .filter(([area]) => knownFeatures.includes(area))
      .map(([area, { sign }]) => [area, sign === 'absent' ? 'absent' : 'served']),
  )

/** What the operator declares of areas is not asked. */
const declaredAreas = (areas: readonly Area[], said: Features): AreasSeen =>
  Object.fromEntries(
    areas
      .filter((area) => said[area] !== undefined)
      .map((area) => [area, { sign: said[area], evidence: 'the profile declares it' }]),
  )

type AskExchange = (exchange: Exchange) => Promise<WireOutcome>
type AskOperation = <Name extends OperationName>(operation: Name, args: OperationArgs[Name]) => Promise<WireOutcome>

const textField = (reply: Reply | undefined, name: string): string | undefined => {
  const value = reply ? fieldOf(reply, name) : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

function warnings(target: ResolvedTarget): Finding[] {
  const url = new URL(target.url)
  const isLocal = isLoopback(target.url)
  const insecure: Finding = {
    severity: 'warning',
    code: 'insecure',
    text: "the target's certificate was not verified (--insecure): whoever stood between could read the token",
  }
  const plain: Finding = {
    severity: 'warning',
    code: 'plain-text',
    text: `the token went to ${url.host} without TLS: use https outside of tests`,
  }
  return [
    ...(target.tls.insecure ? [insecure] : []),
    ...(url.protocol === 'http:' && !isLocal && target.token !== undefined ? [plain] : []),
  ]
}

async function sealedState(health: Reply | undefined, ask: AskOperation): Promise<boolean | undefined> {
  const told = health && isObject(health.json) ? health.json.sealed : undefined
  if (typeof told === 'boolean') return told
  const { reply } = await ask('sealStatus', {})
  const asked = reply ? fieldOf(reply, 'sealed') : undefined
  return typeof asked === 'boolean' ? asked : undefined
}

function sealedBlocker(health: Reply | undefined): Blocker {
  const fresh = health && fieldOf(health, 'initialized') === false
  return fresh ? blockerOf('not-initialized', {}) : blockerOf('sealed', {})
}

/** A policy need not let a token look itself up, nor need a target serve that: the lists of the inventory tell, too. */
function tokenTrials(dialect: Dialect, ask: AskOperation, askExchange: AskExchange): TokenTrials {
  return {
    direct: [
      { words: 'its own lookup', ask: () => ask('lookupSelf', {}) },
      { words: 'its own capabilities', ask: () => ask('capabilitiesSelf', { paths: ['sys/health'] }) },
    ],
    further: (dialect.operations.inventory?.({}).exchanges ?? []).map((exchange) => ({
      words: `the list of ${exchange.words ?? exchange.path}`,
      ask: () => askExchange(exchange),
    })),
  }
}

/** Servers say in such words that they do not have a path, or not in this edition. */
const notServed = /unsupported|not (supported|served|implemented|available)|enterprise|licen[cs]e|unknown|no handler/i

/** Undefined where the answer leaves it open: a token without `list` there is refused on every edition. */
async function servesGoverning(ask: AskOperation): Promise<boolean | undefined> {
  const { reply } = await ask('listGoverning', {})
  if (!reply) return undefined
  if (isSuccess(reply)) return true
  if (![400, 404, 405, 501].includes(reply.status)) return undefined
  const errors = fieldOf(reply, '/errors')
  if (!Array.isArray(errors)) return undefined
  // An empty list is a 404 without a cause, or with one that says so; a path that is not served names another.
  if (errors.length === 0) return reply.status === 404 ? true : undefined
  return notServed.test(errors.map(String).join(' ')) ? false : undefined
}

function unknowns(facts: Facts, edition: string, evidence: Readonly<Record<string, string>>): Finding[] {
  const mends = [
    ['version', facts.version, 'the target shows no version'],
    ['edition', facts.edition, `the edition is unknown (${edition})`],
  ] as const
  const newest: Finding = {
    severity: 'warning',
    code: 'judged-as-newest',
    text: `judged as the newest version (${evidence.judgedAs}): declare "declared.product", or "declared.compatibleWith" with a version of the documents' service, where that is wrong`,
  }
  const isNewest = facts.judgedAs === newestVersion
  const unknown: readonly Finding[] = mends
    .filter(([fact]) => fact !== 'version' || !isNewest)
    .filter(([, value]) => value === undefined)
    .map(([fact, , reason]) => ({
      severity: 'warning',
      code: `${fact}-unknown`,
      text: `${reason}: declare "declared.${fact}" in a profile, else checks that depend on it are not verified`,
    }))
  return [...unknown, ...(isNewest ? [newest] : [])]
}

async function capabilitiesOf(
  wanted: readonly WantedCapability[],
  ask: AskOperation,
): Promise<readonly Capability[] | undefined> {
  if (wanted.length === 0) return []
  const { reply } = await ask('capabilitiesSelf', { paths: wanted.map(({ path }) => path) })
  return reply && isSuccess(reply) ? capabilitiesIn(reply, wanted) : undefined
}
