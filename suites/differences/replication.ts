/** Legal differences in how the status shows a change of roles. */
import {
  type Area,
  type Difference,
  type DifferenceParts,
  type DifferentServer,
  isObject,
  type JsonObject,
  type Pass,
  type WireAnswer,
  type WireSent,
} from '../../harness/vocabulary/index.ts'
import { changes, isSuccess, placeOf, rewriting } from './bends.ts'
import { gateway } from './network.ts'

const areas: readonly Area[] = ['dr-replication', 'performance-replication']
const trigger =
  /^sys\/replication\/(dr|performance)\/(primary|secondary)\/(enable|demote|promote|disable|update-primary|revoke-secondary)$/
const status = /^sys\/replication\/((dr|performance)\/)?status$/

/** Makes a server whose status shows a change of role only after `ms`. It remembers what each status showed before. */
function lateStatus({ now }: DifferenceParts, ms: number): DifferentServer {
  const before = new Map<string, WireAnswer>()
  let untilMs = 0
  const isLate = (): boolean => now() < untilMs

  async function shown(sent: WireSent, pass: Pass): Promise<WireAnswer> {
    const place = placeOf(sent)
    const earlier = before.get(place)
    if (earlier && isLate()) return earlier
    const answer = await pass(sent)
    if (isSuccess(answer)) before.set(place, answer)
    return answer
  }

  async function remember(kind: string, { headers }: WireSent, pass: Pass): Promise<void> {
    for (const place of [`sys/replication/${kind}/status`, 'sys/replication/status']) {
      const seen = await pass({ method: 'GET', path: `/v1/${place}`, query: {}, headers })
      if (isSuccess(seen) && !isLate()) before.set(place, seen)
    }
  }

  return async (sent, pass) => {
    const place = placeOf(sent)
    if (sent.method === 'GET' && status.test(place)) return shown(sent, pass)
    const [, kind] = changes(sent) ? (trigger.exec(place) ?? []) : []
    if (kind === undefined) return pass(sent)
    await remember(kind, sent, pass)
    const answer = await pass(sent)
    if (isSuccess(answer)) untilMs = now() + ms
    return answer
  }
}

const shownAfter = (id: string, ms: number): Difference => ({
  id: `status-after-${id}`,
  says: `The status shows a change of role ${ms / 1000} s after it.`,
  because: 'The documents do not say when a trigger takes effect, nor how old a status may be.',
  areas,
  open: (parts) => lateStatus(parts, ms),
})

/** How long a cluster needs to choose its active node after a change of role. */
const electionMs = 4000

const unavailableAfterChanges: Difference = {
  id: 'unavailable-after-role-changes',
  says: `A cluster answers 503 for ${electionMs / 1000} s after each change of its role.`,
  because:
    '429, 502, 503 and 504 are the way, and the documents do not say when a cluster serves again (readings, 52).',
  areas,
  open({ now }) {
    let untilMs = 0
    return async (sent, pass) => {
      if (now() < untilMs) return gateway(503)
      const answer = await pass(sent)
      if (changes(sent) && trigger.test(placeOf(sent)) && isSuccess(answer)) untilMs = now() + electionMs
      return answer
    }
  },
}

const byGateway = (code: number): Difference => ({
  id: `gateway-${code}-for-triggers`,
  says: `A gateway answers ${code} to changes of roles, which take place all the same.`,
  because: 'After such an answer the state decides, as after a success (readings, 52).',
  areas,
  losses: [
    {
      check: '*-replication/**',
      verdict: 'not-verified',
      why: 'The positive twin is a change of role itself, and its reply is lost: it cannot be seen to be a success.',
    },
  ],
  open: () => async (sent, pass) => {
    const answer = await pass(sent)
    return changes(sent) && trigger.test(placeOf(sent)) && isSuccess(answer) ? gateway(code) : answer
  },
})

/** Changes the fields of a `sys/` reply, which may be at the top level as well as in `data`. */
const atBothPlaces = (change: (fields: JsonObject, sent: WireSent) => JsonObject) =>
  rewriting((json, sent) => {
    const top = change(json, sent)
    return isObject(json.data) ? { ...top, data: change(json.data, sent) } : top
  })

/** Returns the status with its progress as numbers only, and without any sign of how the first copy is made. */
function withOtherNames(status: JsonObject): JsonObject {
  const { last_wal: written, last_remote_wal: applied, merkle_root: _, state: __, ...others } = status
  const progress = written ?? applied
  return progress === undefined
    ? others
    : { ...others, sync_progress: written === undefined ? { applied: progress } : { written: progress } }
}

const progressNamedOtherwise: Difference = {
  id: 'progress-under-other-names',
  says: 'A status shows its progress as numbers in `sync_progress`.',
  because: 'The documents show no field names of the status beside the mode and the cluster id.',
  areas,
  open: atBothPlaces((data, sent) => (status.test(placeOf(sent)) ? withOtherNames(data) : data)),
}

const renamed = (place: string, from: string, to: string) =>
  atBothPlaces((data, sent) => {
    const { [from]: value, ...others } = data
    return placeOf(sent).endsWith(place) && value !== undefined ? { ...others, [to]: value } : data
  })

const encryptedTokenNamedOtherwise: Difference = {
  id: 'encrypted-token-under-another-name',
  says: 'An activation token that is encrypted to a public key is in the field `sealed_token`.',
  because: 'The documents show no reply of secondary-token.',
  areas,
  open: renamed('/primary/secondary-token', 'token', 'sealed_token'),
}

const publicKeyNamedOtherwise: Difference = {
  id: 'public-key-under-another-name',
  says: 'The public key of a secondary is in the field `public_key_base64`.',
  because: 'The documents show no reply of generate-public-key.',
  areas,
  open: renamed('/secondary/generate-public-key', 'secondary_public_key', 'public_key_base64'),
}

export const ofReplication: readonly Difference[] = [
  progressNamedOtherwise,
  encryptedTokenNamedOtherwise,
  publicKeyNamedOtherwise,
  shownAfter('300-ms', 300),
  shownAfter('3-s', 3000),
  shownAfter('8-s', 8000),
  unavailableAfterChanges,
  byGateway(502),
  byGateway(504),
]
