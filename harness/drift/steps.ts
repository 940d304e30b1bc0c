/** Extracts the exchanges of each check from a result, and pairs those of two servers. */
import { definitionsOf } from '../compare/compact.ts'
import type { Json, RecordedAttempt, RecordedExchange, ResultDocument } from '../vocabulary/index.ts'
import { isMadeUp, normalised } from './normalise.ts'
import { type Leaf, type Reading, type Shape, shapeOf } from './shape.ts'

export interface Step {
  readonly check: string
  readonly area: string
  /** Method and normalised path, such as `GET {pki}/roles/{role}`. */
  readonly request: string
  readonly exchange: RecordedExchange
  readonly attempt: RecordedAttempt & { readonly status: number }
  readonly headers: ReadonlyMap<string, string>
  readonly body: Body
  /** Paths of fields that changed while the check waited. */
  readonly moving: Set<string>
}

/** `unknown` is a body that was recorded only in part. */
export type Body =
  | { readonly kind: 'none' | 'binary' | 'unknown' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'JSON'; readonly shape: Shape }

export interface CheckSteps {
  readonly definition: string
  readonly steps: readonly Step[]
}

/** The name under which the requests before the first check (the probe) are filed. */
const beforeChecks = 'before the checks'

/** Returns the steps of each check that passes, by its address, and those of the probe under `beforeChecks`. */
export function stepsOf(document: ResultDocument): ReadonlyMap<string, CheckSteps> {
  const definitions = definitionsOf(document)
  const { url } = document.target
  const host = URL.parse(url)?.host
  const addresses = host === undefined ? [] : [host]
  const prefix = url.replace(/(?<!\/)\/+$/, '')
  const entries = document.checks
    .filter(({ verdict }) => verdict === 'pass')
    .map(({ id, area, exchanges }): [string, CheckSteps] => {
      const reading = { addresses, isForeign: foreignTo(exchanges) }
      const steps = exchanges.flatMap((exchange) => stepOf(exchange, { check: id, area, prefix }, reading) ?? [])
      return [id, { definition: definitions.get(id) ?? '', steps }]
    })
  const reading = { addresses, isForeign: foreignTo([]) }
  const probe = document.target.probe.flatMap(
    (exchange) => stepOf(exchange, { check: beforeChecks, area: beforeChecks, prefix }, reading) ?? [],
  )
  return new Map([...entries, [beforeChecks, { definition: '', steps: probe }]])
}

const throwAway = /assay-[a-z0-9]+-\d+(?=-)/gi

/** Returns a function that tells whether a text contains a throw-away name that these exchanges never sent. */
function foreignTo(exchanges: readonly RecordedExchange[]): (text: string) => boolean {
  const own = new Set(
    exchanges.flatMap(({ url, requestBody = '' }) => `${url} ${requestBody}`.toLowerCase().match(throwAway) ?? []),
  )
  return (text) => (text.toLowerCase().match(throwAway) ?? []).some((name) => !own.has(name))
}

interface StepOrigin {
  readonly check: string
  readonly area: string
  readonly prefix: string
}

function stepOf(exchange: RecordedExchange, { check, area, prefix }: StepOrigin, reading: Reading): Step | undefined {
  const attempt = exchange.attempts.at(-1)
  const path = pathOf(exchange.url, prefix)
  if (attempt?.status === undefined || path === undefined) return undefined
  return {
    check,
    area,
    request: `${exchange.method} ${normalised(path, reading.addresses)}`,
    exchange,
    attempt: { ...attempt, status: attempt.status },
    headers: headersOf(attempt, reading),
    body: bodyOf(attempt, reading),
    moving: new Set(),
  }
}

/** Appended to the path of a request that was sent to another cluster than the target. */
const elsewhere = ' (another cluster)'

/** Tells whether a field may differ because the servers were still settling: the reply comes from another cluster,
 * or the field changed while the check waited. */
export const isSettling = ({ request, moving }: Step, field: string): boolean =>
  request.endsWith(elsewhere) || moving.has(field.replace(/\[\]$/, ''))

/** Returns undefined if the request went to a stub of the suite, and not to the target or another cluster. */
function pathOf(url: string, prefix: string): string | undefined {
  const isTarget = url.startsWith(prefix)
  const path = isTarget ? url.slice(prefix.length) : (URL.parse(url)?.pathname ?? '')
  if (!isTarget && !path.startsWith('/v1/')) return undefined
  const plain = `${path.replace(/^\/(v1\/)?/, '')}${isTarget ? '' : elsewhere}`
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}

/** Headers that are not compared: they describe the connection, the time, or the length of the body, which is
 * compared itself. */
const ignoredHeaders = new Set([
  'date',
  'content-length',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'set-cookie',
  '…',
])

const headersOf = ({ responseHeaders = {} }: RecordedAttempt, { addresses }: Reading): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(responseHeaders)
      .filter(([name]) => !ignoredHeaders.has(name))
      .map(([name, value]) => [name, normalised(value, addresses)]),
  )

function bodyOf({ responseBody = '', responseEncoding, responseCut }: RecordedAttempt, reading: Reading): Body {
  if (responseCut) return { kind: 'unknown' }
  if (responseEncoding === 'base64') return { kind: 'binary' }
  if (responseBody.trim() === '') return { kind: 'none' }
  try {
    return { kind: 'JSON', shape: shapeOf(JSON.parse(responseBody) as Json, reading) }
  } catch {
    return { kind: 'text', text: normalised(responseBody, reading.addresses).trim() }
  }
}

/** Pairs the steps of one check on two servers that have the same request, in the order of sending. */
export function paired(first: readonly Step[], other: readonly Step[]) {
  const [all, others] = [Map.groupBy(settled(first), keyOf), Map.groupBy(settled(other), keyOf)]
  const pairs = [...all].flatMap(([key, own]) => pairsOf(own, others.get(key) ?? []))
  const unpaired = new Set([...all.keys(), ...others.keys()]).size - new Set(pairs.map(([step]) => keyOf(step))).size
  return { pairs, unpaired }
}

function pairsOf(own: readonly Step[], beside: readonly Step[]): readonly (readonly [Step, Step])[] {
  if (isAmbiguous(own) || isAmbiguous(beside)) return []
  // If a check repeated a request more often on one server, only the last replies correspond to each other.
  const isAlike = own.length === beside.length
  return (isAlike ? own : own.slice(-1)).flatMap((step, at) => {
    const partner = isAlike ? beside[at] : beside.at(-1)
    return partner ? [[step, partner] as const] : []
  })
}

/** Removes all but the last of reads that are repeated without a write in between, which is how a check waits. */
function settled(steps: readonly Step[]): readonly Step[] {
  noteMoving(steps)
  const since = new Set<string>()
  const isKept = (step: Step): boolean => {
    if (!isRead(step)) since.clear()
    const isLater = since.has(readingOf(step))
    since.add(readingOf(step))
    return !isLater || !isRead(step)
  }
  return steps.toReversed().filter(isKept).toReversed()
}

const isRead = ({ exchange: { method } }: Step): boolean => method === 'GET' || method === 'LIST'
const readingOf = ({ exchange: { phase, method, url, as } }: Step): string => `${phase} ${method} ${url} ${as}`

/** Marks fields as moving if their values change between repeated reads in one phase of a check. */
function noteMoving(steps: readonly Step[]): void {
  for (const own of Map.groupBy(steps.filter(isRead), readingOf).values()) {
    const [first] = own
    if (!first) continue
    const fields = new Set(own.flatMap(({ body }) => changed(first.body, body)))
    for (const { moving } of own) for (const field of fields) moving.add(field)
  }
}

function changed(one: Body, later: Body): readonly string[] {
  if (one.kind !== 'JSON' || later.kind !== 'JSON') return []
  const textOf = (leaf: Leaf | undefined): string => JSON.stringify(leaf ?? null)
  return [...later.shape].flatMap(([field, leaf]) => (textOf(one.shape.get(field)) === textOf(leaf) ? [] : [field]))
}

/** Tells whether steps read objects by ids that the check found in a list of the whole server. These objects may
 * belong to other checks. */
function isAmbiguous(steps: readonly Step[]): boolean {
  const [first] = steps
  if (!first || !isMadeUp(first.request) || namesOf(first.request).length > 0) return false
  return new Set(steps.map(({ exchange }) => exchange.url)).size > 1
}

/** The throw-away names in a request. */
const namesOf = (request: string): readonly string[] =>
  (request.match(/\{[^{}]*\}/g) ?? []).filter((name) => !isMadeUp(name))

const keyOf = ({ request, exchange: { phase, as } }: Step): string => `${phase} ${as} ${request}`
