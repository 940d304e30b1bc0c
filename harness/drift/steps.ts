/** The steps of a check as both servers were sent them: what was asked, and what came back. */
import { definitionsOf } from '../compare/compact.ts'
import type { Json, RecordedAttempt, RecordedExchange, ResultDocument } from '../vocabulary/index.ts'
import { isMadeUp, normalised } from './normalise.ts'
import { type Leaf, type Reading, type Shape, shapeOf } from './shape.ts'

export interface Step {
  readonly check: string
  readonly area: string
  /** `GET {pki}/roles/{role}`. */
  readonly request: string
  readonly exchange: RecordedExchange
  readonly attempt: RecordedAttempt & { readonly status: number }
  readonly headers: ReadonlyMap<string, string>
  readonly body: Body
  /** Fields that changed by themselves while the check waited. */
  readonly moving: Set<string>
}

/** `unknown`: it was not recorded as a whole. */
export type Body =
  | { readonly kind: 'none' | 'binary' | 'unknown' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'JSON'; readonly shape: Shape }

export interface CheckSteps {
  readonly definition: string
  readonly steps: readonly Step[]
}

/** What was asked before the first check. */
export const beforeChecks = 'before the checks'

/** By check, those that pass; what was asked before them is there as a check of that name. */
export function stepsOf(document: ResultDocument): ReadonlyMap<string, CheckSteps> {
  const definitions = definitionsOf(document)
  const addresses = [new URL(document.target.url).host]
  const prefix = document.target.url.replace(/\/+$/, '')
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

/** A check knows its own throw-away names by what it sent. */
function foreignTo(exchanges: readonly RecordedExchange[]): (text: string) => boolean {
  const own = new Set(
    exchanges.flatMap(({ url, requestBody = '' }) => `${url} ${requestBody}`.toLowerCase().match(throwAway) ?? []),
  )
  return (text) => (text.toLowerCase().match(throwAway) ?? []).some((name) => !own.has(name))
}

interface Place {
  readonly check: string
  readonly area: string
  readonly prefix: string
}

function stepOf(exchange: RecordedExchange, { check, area, prefix }: Place, reading: Reading): Step | undefined {
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

/** Follows a request to another cluster. */
const elsewhere = ' (another cluster)'

/** Clusters follow each other in their own time, and so do values while a check waits. */
export const isSettling = ({ request, moving }: Step, field: string): boolean =>
  request.endsWith(elsewhere) || moving.has(field.replace(/\[\]$/, ''))

/** Undefined where neither the target nor another cluster was asked, but a stub of the suite. */
function pathOf(url: string, prefix: string): string | undefined {
  const isTarget = url.startsWith(prefix)
  const path = isTarget ? url.slice(prefix.length) : new URL(url).pathname
  if (!isTarget && !path.startsWith('/v1/')) return undefined
  const plain = `${path.replace(/^\/(v1\/)?/, '')}${isTarget ? '' : elsewhere}`
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}

/** They are about the connection or the moment, and about the length of bodies that are compared themselves. */
const passing = new Set(['date', 'content-length', 'connection', 'keep-alive', 'transfer-encoding', 'set-cookie', '…'])

const headersOf = ({ responseHeaders = {} }: RecordedAttempt, { addresses }: Reading): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(responseHeaders)
      .filter(([name]) => !passing.has(name))
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

/** Pairs the steps of one check on two servers, by what was asked and in the order of asking. */
export function paired(first: readonly Step[], other: readonly Step[]) {
  const [all, others] = [Map.groupBy(settled(first), keyOf), Map.groupBy(settled(other), keyOf)]
  const pairs = [...all].flatMap(([key, own]) => pairsOf(own, others.get(key) ?? []))
  const unpaired = new Set([...all.keys(), ...others.keys()]).size - new Set(pairs.map(([step]) => keyOf(step))).size
  return { pairs, unpaired }
}

function pairsOf(own: readonly Step[], beside: readonly Step[]): readonly (readonly [Step, Step])[] {
  if (isAmbiguous(own) || isAmbiguous(beside)) return []
  // Where a check asks once more here or there, only the last reply is the same step.
  const isAlike = own.length === beside.length
  return (isAlike ? own : own.slice(-1)).flatMap((step, at) => {
    const partner = isAlike ? beside[at] : beside.at(-1)
    return partner ? [[step, partner] as const] : []
  })
}

/** Of reads that are repeated while nothing is written, which is how a check waits, the last one counts. */
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

/** What one phase of a check reads more than once may change on its own. */
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

/** Objects that a check finds in a list of the whole server, by their ids: they may be those of other checks. */
function isAmbiguous(steps: readonly Step[]): boolean {
  const [first] = steps
  if (!first || !isMadeUp(first.request) || namesOf(first.request).length > 0) return false
  return new Set(steps.map(({ exchange }) => exchange.url)).size > 1
}

/** The throw-away names in a request. */
const namesOf = (request: string): readonly string[] =>
  (request.match(/\{[^}]*\}/g) ?? []).filter((name) => !isMadeUp(name))

const keyOf = ({ request, exchange: { phase, as } }: Step): string => `${phase} ${as} ${request}`
