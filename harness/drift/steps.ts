/** The steps of a check as both servers were sent them: what was asked, and what came back. */
import { definitionsOf } from '../compare/compact.ts'
import type { Json, RecordedAttempt, RecordedExchange, ResultDocument } from '../vocabulary/index.ts'
import { normalised } from './normalise.ts'
import { type Reading, type Shape, shapeOf } from './shape.ts'

export interface Step {
  readonly check: string
  readonly area: string
  /** `GET {pki}/roles/{role}`. */
  readonly request: string
  readonly exchange: RecordedExchange
  readonly attempt: RecordedAttempt & { readonly status: number }
  readonly headers: ReadonlyMap<string, string>
  readonly body: Body
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
  if (attempt?.status === undefined) return undefined
  const path = exchange.url.replace(prefix, '').replace(/^\/(v1\/)?/, '')
  return {
    check,
    area,
    request: `${exchange.method} ${normalised(decodedPath(path), reading.addresses)}`,
    exchange,
    attempt: { ...attempt, status: attempt.status },
    headers: headersOf(attempt, reading),
    body: bodyOf(attempt, reading),
  }
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
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
  const pairs: (readonly [Step, Step])[] = []
  const others = Map.groupBy(other, keyOf)
  const all = Map.groupBy(first, keyOf)
  for (const [key, own] of all) {
    const beside = others.get(key) ?? []
    // A check that polls asks once more here or there: only the last reply is the same step then.
    if (own.length === beside.length) pairs.push(...own.map((step, at) => [step, beside[at] as Step] as const))
    else if (own.length > 0 && beside.length > 0) pairs.push([own.at(-1) as Step, beside.at(-1) as Step])
  }
  const unpaired = new Set([...all.keys(), ...others.keys()]).size - new Set(pairs.map(([step]) => keyOf(step))).size
  return { pairs, unpaired }
}

const keyOf = ({ request, exchange: { phase, as } }: Step): string => `${phase} ${as} ${request}`
