/** Makes answers from replies and refusals, in the response style of this server. */
import type { Random, Reply } from '../contracts.ts'
import type { Mint } from '../state/mint.ts'
import { ordered, orderedKeys, type Variation } from '../variation.ts'
import { isCopied } from './copied.ts'
import { type Refusal, type RefusalRow, refusals } from './refusal.ts'
import type { Answer, RequestContext } from './request-context.ts'

/** How this server writes responses where the documents leave it free. */
export interface ResponseStyle {
  variation: Variation
  readonly mint: Mint
  /** Returns a number from 0 up to 1, for shuffling. */
  draw(): number
  /** Returns by how many milliseconds the next answer is delayed. */
  delay(): number
}

export function createResponseStyle(
  variation: Variation,
  noise: Random,
  mintFor: (variation: () => Variation) => Mint,
): ResponseStyle {
  const style: ResponseStyle = {
    variation,
    mint: mintFor(() => style.variation),
    draw: () => noise.integer(1_000_000) / 1_000_000,
    delay: () => (style.variation.latency === 0 ? 0 : noise.integer(style.variation.latency + 1)),
  }
  return style
}

const json = 'application/json'
type Members = Record<string, unknown>

const isEmptyList = (reply: Reply): boolean =>
  reply.kind === 'data' &&
  reply.data !== null &&
  'keys' in reply.data &&
  Array.isArray(reply.data.keys) &&
  reply.data.keys.length === 0

export function answerTo(request: RequestContext, reply: Reply, style: ResponseStyle): Answer {
  if (reply.kind === 'bare') return { status: reply.status, contentType: reply.contentType, body: reply.bytes }
  const { variation } = style
  if (request.verb === 'LIST' && isEmptyList(reply) && variation.emptyList === '404') return emptyList
  const warnings = [...(reply.warnings ?? []), ...request.warnings]
  if (reply.kind === 'empty' && warnings.length === 0) {
    if (variation.noData === 'empty') return { status: 204, contentType: json, body: undefined }
    if (variation.noData === 'warning') warnings.push('the request was carried out')
  }
  const status = (reply.kind === 'data' && reply.status) || 200
  return { status, contentType: json, body: envelope(request, reply, warnings, style) }
}

const emptyList: Answer = { status: 404, contentType: json, body: '{"errors":[]}\n' }

function envelope(
  request: RequestContext,
  reply: Exclude<Reply, { kind: 'bare' }>,
  warnings: readonly string[],
  style: ResponseStyle,
): string {
  const { wrapInfo } = request
  // A wrapped reply shows nothing of what it wraps.
  const shown = reply.kind === 'data' && !wrapInfo ? reply : undefined
  const data = shown?.data ?? null
  const whole: Members = {
    request_id: style.mint.requestId(),
    lease_id: wrapInfo ? '' : request.leaseId,
    renewable: shown?.lease?.renewable ?? false,
    lease_duration: wrapInfo ? 0 : request.leaseSeconds,
    data,
    wrap_info: wrapInfo ?? null,
    warnings: warnings.length > 0 ? warnings : null,
    auth: shown?.auth ?? null,
    ...shown?.topLevel,
  }
  if (style.variation.plain) copyToTop(whole, data, request, style.variation)
  return `${JSON.stringify(style.variation.plain ? whole : varied(whole, request, reply, style))}\n`
}

function copyToTop(whole: Members, data: object | null, { path }: RequestContext, { alsoAtTop }: Variation): void {
  const isShown = alsoAtTop === 'all' ? path.startsWith('sys/') : alsoAtTop === 'oldest' && isCopied(path)
  if (!data || !isShown) return
  for (const [name, value] of Object.entries(data)) if (!(name in whole)) whole[name] = value
}

/** Changes the envelope by the variation. */
function varied(whole: Members, request: RequestContext, reply: Reply, style: ResponseStyle): Members {
  const { variation } = style
  const isOpen = reply.kind === 'data' && reply.verbatim !== true
  const own = whole.data as Members | null
  const data = own && isOpen ? variedData(own, request, reply, variation) : own
  const shown: Members = { ...whole, data: data && isOpen ? ordered(data, variation, style.draw) : data }
  copyToTop(shown, data, request, variation)
  if (variation.extraFields) shown.mount_type = 'system'
  return ordered(shown, variation, style.draw)
}

function variedData(data: Members, request: RequestContext, reply: Reply, variation: Variation): Members {
  const varied = { ...data }
  if (request.verb === 'LIST' && Array.isArray(data.keys)) varied.keys = orderedKeys(data.keys, variation)
  if (request.verb === 'LIST' && isEmptyList(reply)) {
    if (variation.emptyList === 'no-keys') delete varied.keys
    else varied.keys = null
  }
  if (variation.extraFields) varied.x_note = 'a field of this server alone'
  return varied
}

export function refusalAnswer(refusal: Refusal, style: ResponseStyle): Answer {
  const { variation } = style
  const row: RefusalRow = refusals[refusal.code]
  const status = refusal.code === 'missing-token' ? variation.missingToken : row.status
  const errors = row.errors(refusal.facts)
  const shown = variation.errorText === 'plain' ? errors : errors.map((text) => `1 error occurred:\n\t* ${text}\n\n`)
  const whole: Members = { errors: shown }
  if (variation.extraFields && errors.length > 0) whole.data = { x_note: 'a field of this server alone' }
  return { status, contentType: json, body: `${JSON.stringify(ordered(whole, variation, style.draw))}\n` }
}
