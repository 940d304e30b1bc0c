/** The probe finds out facts about the target before the first check, by a few exchanges. */

import { defined } from '../vocabulary/defined.ts'
import {
  type Area,
  type Blocker,
  blockerOf,
  type Capability,
  type Dialect,
  type Exchange,
  editions,
  type Facts,
  type Finding,
  fieldOf,
  isObject,
  isSuccess,
  newestVersion,
  performanceOf,
  type Reply,
} from '../vocabulary/index.ts'
import { asBare, asNobody, asOperator } from '../wire/ask.ts'
import type { WireClient, WireOutcome } from '../wire/client.ts'
import { type AreasSeen, areaFeatures, areasServed, declaredAreas, factOf } from './areas-served.ts'
import { capabilitiesIn, capabilityFindings, type WantedCapability } from './capabilities.ts'
import { type Features, featuresOfForms, knownFacts } from './features.ts'
import { type AskExchange, type Asker, type AskOperation, servesGoverning } from './governing.ts'
import { describedIn, skewOf } from './health.ts'
import { blockerFinding, disagreements, unknowns, warnings } from './probe-findings.ts'
import { cacheFindings, findCache, listFindings, prober, tooLate } from './prober.ts'
import {
  type EditionSeen,
  editionOf,
  isReference,
  judgedAs,
  type ProductSeen,
  productIn,
  referenceProduct,
} from './product.ts'
import type { ResolvedTarget } from './target.ts'
import { replacedToken, type TokenTrials, tokenBlocker } from './token.ts'
import { nodesBehind, type TopologySeen } from './topology.ts'
import { type Unreachable, whyUnserved } from './unreachable.ts'

export interface ProbeSettings {
  readonly target: ResolvedTarget
  readonly dialect: Dialect
  readonly client: WireClient
  /** Returns the capabilities that the token needs for the plan, given the facts and areas of the target. */
  wanted(facts: Facts, areas: AreasSeen): readonly WantedCapability[]
  /** Areas of the selected checks. The probe finds out whether the target serves them. */
  readonly areas: readonly Area[]
  /** Once aborted, nothing more is sent. */
  readonly signal?: AbortSignal
  /** Records an exchange for the report, redacted. */
  record(exchange: Exchange, outcome: WireOutcome): void
}

export interface Probe {
  readonly observed: Facts
  /** The declared facts, completed by the observed ones. */
  readonly facts: Facts
  readonly evidence: Readonly<Record<string, string>>
  readonly nodes: TopologySeen
  /** Why the edition is not known: something replied in place of the target, or the token may not ask. */
  readonly hidden?: Blocker
  readonly sealed?: boolean
  readonly clusterId?: string
  readonly clockSkewMs?: number
  readonly capabilities: readonly Capability[]
  readonly areas: AreasSeen
  readonly findings: readonly Finding[]
  /** The obstacle that concerns the target as a whole, such as a refused token, if there is one. */
  readonly blocker?: Blocker
  /** The obstacle for each request with another token than the operator's, if there is one. */
  readonly replaced?: Blocker
}

/** Collects evidence and findings during the probe. */
interface Notes {
  readonly evidence: Record<string, string>
  readonly findings: Finding[]
}

/** Finds out the facts about a target. Never rejects because of the target's behaviour. */
export async function probe(settings: ProbeSettings): Promise<Probe | Unreachable> {
  const { target, dialect, client, areas: selected } = settings
  const { send, wasLate } = prober(settings)
  const asker = askerFor(settings, send)
  const first = await asker.ask('health', {})
  const unreachable = await whyUnserved(first, asker.ask, target)
  if (unreachable) return unreachable

  const notes: Notes = { evidence: {}, findings: [...warnings(target)] }
  const { evidence, findings } = notes
  const health = await wholeHealth(first, settings, send)
  const nodes = await nodesBehind(health.reply, settings, asker.askExchange, notes)
  const seen = seenInHealth(health, notes)
  const { sealed, blocker, replaced } = await whetherOpen(health.reply, settings, asker, notes)

  const isOpen = blocker === undefined
  const product = await productOf(health.reply, isOpen, dialect, asker)
  Object.assign(evidence, defined({ product: product.evidence }))
  const asJudged = judgedAs({ ...product, ...target.declared }, dialect)
  if (asJudged) evidence.judgedAs = asJudged.evidence
  const edition = isOpen
    ? await editionBy(health.reply, seen.version, asJudged?.judgedAs !== newestVersion, asker, dialect)
    : { editions, hidden: undefined, evidence: `not asked: ${blocker.reason}` }
  evidence.edition = edition.evidence
  const declared = { ...featuresOfForms(target.declared.forms), ...target.declared.features }
  const undeclared = isOpen ? selected.filter((area) => declared[area] === undefined) : []
  const asked = await areasServed(dialect, undeclared, async (exchange) => (await asker.askExchange(exchange)).reply)
  const features = featuresSeen(health.reply, asked, target, notes)
  const observed = {
    ...observedFacts(product, seen.version, edition, features),
    ...defined({ topology: nodes.topology }),
  }
  const facts: Facts = { ...knownFacts(target.declared, observed), ...defined({ judgedAs: asJudged?.judgedAs }) }
  if (isOpen) findings.push(...unknowns(facts, edition.evidence, evidence, target.declared))
  findings.push(...disagreements(target.declared, observed, evidence))

  const areas: AreasSeen = { ...asked, ...declaredAreas(selected, declared) }
  const wanted = settings.wanted(facts, areas)
  const capabilities = isOpen ? await capabilitiesOf(wanted, asker.ask) : undefined
  if (capabilities) findings.push(...capabilityFindings(wanted, capabilities))
  findings.push(...listFindings(client.lists), ...cacheFindings(client), ...(wasLate() ? [tooLate] : []))
  for (const one of [blocker, replaced]) if (one) findings.push(blockerFinding(one, target, sealed))
  const { clusterId, clockSkewMs } = seen
  return {
    ...{ observed, facts, evidence, areas, findings, nodes, capabilities: capabilities ?? [] },
    ...defined({ sealed, clusterId, clockSkewMs, blocker, replaced, hidden: edition.hidden }),
  }
}

const observedFacts = (
  { product }: ProductSeen,
  version: string | undefined,
  { editions: left }: EditionSeen,
  features: Features,
): Facts =>
  defined({
    ...{ product, version },
    edition: left.length === 1 ? left[0] : undefined,
    editions: left.length > 1 && left.length < editions.length ? left : undefined,
    features: Object.keys(features).length > 0 ? features : undefined,
  })

type Send = ReturnType<typeof prober>['send']

function askerFor({ client, dialect }: ProbeSettings, send: Send): Asker {
  const [operator, nobody] = [asOperator(client, dialect), asNobody(client, dialect)]
  const askExchange: AskExchange = (exchange) => send(exchange.as === 'nobody' ? nobody : operator, exchange)
  return {
    askExchange,
    ask: async (operation, args) => {
      const exchange = performanceOf(dialect.operations, { operation, args })?.exchanges[0]
      if (!exchange) throw new TypeError(`dialect ${dialect.id} has no operation ${operation} for the probe`)
      return askExchange(exchange)
    },
  }
}

/** If the health reply has no version, asks again without the headers of the profile, since one of them (a
 * namespace) may be the reason. */
async function wholeHealth(
  first: WireOutcome,
  { target, dialect, client }: ProbeSettings,
  send: Send,
): Promise<WireOutcome> {
  const isSilent = Object.keys(target.headers).length > 0 && textField(first.reply, 'version') === undefined
  const [bare] = isSilent ? (dialect.operations.health?.({}).exchanges ?? []) : []
  return bare ? send(asBare(client, dialect), bare) : first
}

function seenInHealth(health: WireOutcome, { evidence, findings }: Notes) {
  const clusterId = textField(health.reply, 'cluster_id')
  const version = textField(health.reply, 'version')
  if (version) evidence.version = `"version": "${version}" in the health reply`
  if (clusterId) evidence.cluster = `"cluster_id": "${clusterId}" in the health reply`
  const skew = skewOf(health)
  if (skew) evidence.clock = skew.evidence
  if (skew?.finding) findings.push(skew.finding)
  return { version, clusterId, clockSkewMs: skew?.ms }
}

/** Returns whether the target is sealed, and the obstacle that concerns it as a whole. */
async function whetherOpen(health: Reply | undefined, settings: ProbeSettings, asker: Asker, notes: Notes) {
  const sealed = await sealedState(health, asker.ask)
  if (sealed !== undefined) notes.evidence.sealed = `the target says ${sealed ? 'that it is sealed' : 'so'}`
  const blocker = sealed ? sealedBlocker(health) : await blockerByToken(settings, asker, notes)
  const { dialect, target } = settings
  return { sealed, blocker, replaced: blocker ? undefined : await replacedToken(dialect, asker, target) }
}

async function blockerByToken({ target, dialect, client }: ProbeSettings, asker: Asker, notes: Notes) {
  const blocker = await tokenBlocker(target, tokenTrials(dialect, asker), {
    evidence: (text) => {
      notes.evidence.token = text
    },
    warn: (finding) => void notes.findings.push(finding),
  })
  if (!blocker) await findCache(asker, client)
  return blocker
}

/** Asks for the product only if no obstacle prevents all requests. */
async function productOf(
  health: Reply | undefined,
  isOpen: boolean,
  dialect: Dialect,
  { askExchange }: Asker,
): Promise<ProductSeen> {
  if (isReference(health)) return { product: referenceProduct, evidence: 'its health reply says so' }
  if (!isOpen || !dialect.product) return {}
  return productIn((await askExchange(dialect.product.exchange)).reply, dialect)
}

const editionBy = async (
  health: Reply | undefined,
  version: string | undefined,
  isNumbered: boolean,
  asker: Asker,
  dialect: Dialect,
): Promise<EditionSeen> =>
  editionOf({
    ...{ health: health?.json, version, isNumbered },
    ...(await servesGoverning(asker, dialect)),
    servesReplication: ![undefined, 'unsupported'].includes(
      textField((await asker.ask('replicationStatus', {})).reply, 'mode'),
    ),
  })

function featuresSeen(
  health: Reply | undefined,
  asked: AreasSeen,
  { declared }: ResolvedTarget,
  { evidence }: Notes,
): Features {
  const { forms } = describedIn(health)
  if (Object.keys(forms).length > 0) evidence.features = 'its health reply says so'
  for (const [area, seen] of Object.entries(asked)) evidence[factOf(area)] = seen.evidence
  for (const name of Object.keys(declared.features ?? {})) evidence[factOf(name)] = 'as declared'
  return { ...featuresOfForms(forms), ...areaFeatures(asked) }
}

const textField = (reply: Reply | undefined, name: string): string | undefined => {
  const value = reply ? fieldOf(reply, name) : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

async function sealedState(health: Reply | undefined, ask: AskOperation): Promise<boolean | undefined> {
  const sealedInHealth = health && isObject(health.json) ? health.json.sealed : undefined
  if (typeof sealedInHealth === 'boolean') return sealedInHealth
  const { reply } = await ask('sealStatus', {})
  const sealed = reply ? fieldOf(reply, 'sealed') : undefined
  return typeof sealed === 'boolean' ? sealed : undefined
}

function sealedBlocker(health: Reply | undefined): Blocker {
  const isUninitialized = health && fieldOf(health, 'initialized') === false
  return isUninitialized ? blockerOf('not-initialized', {}) : blockerOf('sealed', {})
}

/** A policy may forbid a token to look itself up, and a target may not serve the lookup. Then the lists of the
 * inventory show whether the token is known. */
function tokenTrials(dialect: Dialect, { ask, askExchange }: Asker): TokenTrials {
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

async function capabilitiesOf(
  wanted: readonly WantedCapability[],
  ask: AskOperation,
): Promise<readonly Capability[] | undefined> {
  if (wanted.length === 0) return []
  const { reply } = await ask('capabilitiesSelf', { paths: wanted.map(({ path }) => path) })
  return reply && isSuccess(reply) ? capabilitiesIn(reply, wanted) : undefined
}
