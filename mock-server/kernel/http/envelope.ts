/** Makes the bytes of an answer, in the manner of the server. */
import type { Reply } from '../contracts.ts'
import type { Mint } from '../state/mint.ts'
import { type Manner, ordered, orderedKeys } from '../variation.ts'
import { type Refusal, type RefusalRow, refusals } from './refusal.ts'
import type { Answer, Visit } from './request-context.ts'

export interface Voice {
  readonly manner: Manner
  readonly mint: Mint
  /** A number from 0 up to 1, for shuffling. */
  draw(): number
}

const json = 'application/json'
type Members = Record<string, unknown>

const isEmptyList = (reply: Reply): boolean =>
  reply.kind === 'data' &&
  reply.data !== null &&
  'keys' in reply.data &&
  Array.isArray(reply.data.keys) &&
  reply.data.keys.length === 0

export function answerTo(visit: Visit, reply: Reply, voice: Voice): Answer {
  if (reply.kind === 'bare') return { status: reply.status, contentType: reply.contentType, body: reply.bytes }
  const { manner } = voice
  if (visit.verb === 'LIST' && isEmptyList(reply) && manner.emptyList === '404') return emptyList
  const warnings = [...(reply.warnings ?? []), ...visit.warnings]
  if (reply.kind === 'empty' && warnings.length === 0) {
    if (manner.noData === 'empty') return { status: 204, contentType: json, body: undefined }
    if (manner.noData === 'warning') warnings.push('the request was carried out')
  }
  return { status: 200, contentType: json, body: envelope(visit, reply, warnings, voice) }
}

const emptyList: Answer = { status: 404, contentType: json, body: '{"errors":[]}\n' }

function envelope(
  visit: Visit,
  reply: Exclude<Reply, { kind: 'bare' }>,
  warnings: readonly string[],
  voice: Voice,
): string {
  const data = reply.kind === 'data' && !visit.wrapInfo ? reply.data : null
  const auth = reply.kind === 'data' && !visit.wrapInfo ? reply.auth : undefined
  const whole: Members = {
    request_id: voice.mint.requestId(),
    lease_id: visit.wrapInfo ? '' : visit.leaseId,
    renewable: reply.kind === 'data' && !visit.wrapInfo && (reply.lease?.renewable ?? false),
    lease_duration: visit.wrapInfo ? 0 : visit.leaseSeconds,
    data,
    wrap_info: visit.wrapInfo ?? null,
    warnings: warnings.length > 0 ? warnings : null,
    auth: auth ?? null,
  }
  if (reply.kind === 'data' && reply.topLevel && !visit.wrapInfo) Object.assign(whole, reply.topLevel)
  return `${JSON.stringify(voice.manner.plain ? whole : varied(whole, visit, reply, voice))}\n`
}

/** The same, as another server might put it. */
function varied(whole: Members, visit: Visit, reply: Reply, voice: Voice): Members {
  const { manner } = voice
  const open = reply.kind === 'data' && reply.verbatim !== true
  const data = whole.data === null ? null : { ...(whole.data as Members) }
  if (data && open) {
    if (visit.verb === 'LIST' && Array.isArray(data.keys)) data.keys = orderedKeys(data.keys, manner)
    if (visit.verb === 'LIST' && isEmptyList(reply)) {
      if (manner.emptyList === 'no-keys') delete data.keys
      else data.keys = null
    }
    if (manner.extraFields) data.x_note = 'a field of this server alone'
  }
  const told: Members = { ...whole, data: data && open ? ordered(data, manner, voice.draw) : data }
  if (data && manner.alsoAtTop && visit.path.startsWith('sys/')) {
    for (const [name, value] of Object.entries(data)) if (!(name in told)) told[name] = value
  }
  if (manner.extraFields) told.mount_type = 'system'
  return ordered(told, manner, voice.draw)
}

/** The answer to a refusal. */
export function refusalAnswer(refusal: Refusal, voice: Voice): Answer {
  const { manner } = voice
  const row: RefusalRow = refusals[refusal.code]
  const status = refusal.code === 'missing-token' ? manner.missingToken : row.status
  const errors = row.errors(refusal.facts)
  const told = manner.errorText === 'plain' ? errors : errors.map((text) => `1 error occurred:\n\t* ${text}\n\n`)
  const whole: Members = { errors: told }
  if (manner.extraFields && errors.length > 0) whole.data = { x_note: 'a field of this server alone' }
  return { status, contentType: json, body: `${JSON.stringify(ordered(whole, manner, voice.draw))}\n` }
}
