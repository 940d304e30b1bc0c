/** These differences concern how the status shows a change of roles. */
import type { Area, Difference, WireAnswer } from '../../harness/vocabulary/index.ts'
import { changes, isSuccess, placeOf, remembering } from './bends.ts'
import { gateway } from './network.ts'

const areas: readonly Area[] = ['dr-replication', 'performance-replication']
const trigger =
  /^sys\/replication\/(dr|performance)\/(primary|secondary)\/(enable|demote|promote|disable|update-primary|revoke-secondary)$/
const status = /^sys\/replication\/((dr|performance)\/)?status$/

interface Memory {
  readonly before: Map<string, WireAnswer>
  untilMs: number
}

const shownAfter = (id: string, ms: number): Difference => ({
  id: `status-after-${id}`,
  says: `The status shows a change of role ${ms / 1000} s after it.`,
  because: 'The documents do not say when a trigger takes effect, nor how old a status may be.',
  areas,
  isLate: true,
  open: (parts) =>
    remembering<Memory>(
      () => ({ before: new Map(), untilMs: 0 }),
      (memory) => async (sent, pass) => {
        const place = placeOf(sent)
        if (sent.method === 'GET' && status.test(place)) {
          const earlier = memory.before.get(place)
          if (earlier && parts.now() < memory.untilMs) return earlier
          const answer = await pass(sent)
          if (isSuccess(answer)) memory.before.set(place, answer)
          return answer
        }
        const [, kind] = changes(sent) ? (trigger.exec(place) ?? []) : []
        if (kind === undefined) return pass(sent)
        for (const path of [`/v1/sys/replication/${kind}/status`, '/v1/sys/replication/status']) {
          const seen = await pass({ method: 'GET', path, query: {}, headers: sent.headers })
          if (isSuccess(seen) && parts.now() >= memory.untilMs) memory.before.set(path.slice('/v1/'.length), seen)
        }
        const answer = await pass(sent)
        if (isSuccess(answer)) memory.untilMs = parts.now() + ms
        return answer
      },
    )(parts),
})

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

export const ofReplication: readonly Difference[] = [
  shownAfter('300-ms', 300),
  shownAfter('3-s', 3000),
  shownAfter('8-s', 8000),
  byGateway(502),
  byGateway(504),
]
