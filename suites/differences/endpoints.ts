/** Finds the endpoint of the law that a request is for. */
import { laws } from '../../fixtures/api/index.ts'
import type { Endpoint, ReplyField } from '../../fixtures/api/terms.ts'
import type { WireSent } from '../../harness/vocabulary/index.ts'
import { isList, placeOf } from './bends.ts'

interface Known {
  readonly endpoint: Endpoint
  readonly pattern: RegExp
  readonly literals: number
}

const patternOf = (path: string): RegExp => {
  const parts = path.split('/').map((part, index) => {
    const lead = index === 0 ? '' : '/'
    if (/^\{.+\}$/.test(part)) return `${lead}[^/]+`
    if (part.startsWith(':')) return part.endsWith('?') ? `(?:${lead}[^/]+)?` : `${lead}[^/]+`
    return lead + part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('')}$`)
}

const literalsIn = (path: string): number => path.split('/').filter((part) => !/^[:{]/.test(part)).length

/** Paths with more literal segments are tried first. */
const known: readonly Known[] = laws
  .flatMap(({ entries }) => entries.filter((entry) => entry.kind === 'endpoint'))
  .map((endpoint) => ({ endpoint, pattern: patternOf(endpoint.path), literals: literalsIn(endpoint.path) }))
  .toSorted((one, other) => other.literals - one.literals)

const verbOf = (sent: WireSent): string => (isList(sent) ? 'LIST' : sent.method === 'PUT' ? 'POST' : sent.method)

export function endpointOf(sent: WireSent): Endpoint | undefined {
  const [verb, place] = [verbOf(sent), placeOf(sent)]
  return known.find(({ endpoint: { method }, pattern }) => method === verb && pattern.test(place))?.endpoint
}

/** The reply fields of the endpoint; undefined if the law says nothing about them. */
export function replyFieldsOf(sent: WireSent): Readonly<Record<string, ReplyField>> | undefined {
  const reply = endpointOf(sent)?.reply
  return reply && !isBare(reply) ? reply : undefined
}

const isBare = (reply: NonNullable<Endpoint['reply']>): reply is { readonly bare: readonly string[] } =>
  'bare' in reply && Array.isArray(reply.bare)
