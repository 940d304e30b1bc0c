/** Legal differences in the statuses of successes and refusals, of which the documents fix only two. */
import type { Difference, Json, Loss, WireAnswer, WireSent } from '../../harness/vocabulary/index.ts'
import {
  answering,
  changes,
  isHealth,
  isList,
  isRefusal,
  isSuccess,
  jsonOf,
  objectIn,
  placeOf,
  withJson,
  withText,
} from './bends.ts'
import { endpointOf } from './endpoints.ts'

const isSecret = /secret|password|token|key/

const isBare = (answer: WireAnswer): boolean => answer.body.length === 0

/** Returns whether the reply contains nothing but an envelope. */
function saysNothing(answer: WireAnswer): boolean {
  if (isBare(answer)) return true
  const json = jsonOf(answer)
  return json !== undefined && Object.values(json).every((value) => !value || typeof value === 'string')
}

const success = (status: number): Difference => ({
  id: `success-${status}`,
  says: `Requests that change something are answered with ${status} where they succeed.`,
  because: 'The documents give no status of a success.',
  open: answering((answer, sent) => {
    if (!isSuccess(answer) || !changes(sent) || isHealth(sent)) return answer
    if (status === 204) return saysNothing(answer) ? { ...withText(answer, ''), status } : answer
    return { ...answer, status }
  }),
})

/** Only refusals of documented endpoints may differ; other requests belong to the dialect. The documents fix the status
 * for a missing cloud role (404) and for a generated name that is too long (500). The reply to an empty list may be 404
 * but no other refusal. The server itself does not refuse with 429, 502, 503 or 504. */
function mayDiffer(answer: WireAnswer, sent: WireSent): boolean {
  if (!isRefusal(answer) || !endpointOf(sent) || [429, 500, 502, 503, 504].includes(answer.status)) return false
  if (answer.status !== 404) return true
  return !isList(sent) && !/\/(roles|static-roles|creds|sts|static-creds)\//.test(placeOf(sent))
}

const wipedPolicies = ['policies', 'rgps', 'egps'].map(
  (kind): Loss => ({
    check: `*-replication/transitions/secondary-enable-clears-${kind}`,
    verdict: 'not-verified',
    why: 'A cluster that is wiped answers so for other reasons as well, and nothing shows that the policy could be read.',
  }),
)

const deniedPromotions: Loss = {
  check: '*-replication/transitions-secondary/promote-with*-is-not-forced',
  verdict: 'not-verified',
  why: 'A secondary without its primary does not report what a token may do, so the refusal may be about the token (readings, 71).',
}

/** A refused read with one of these statuses may mean that the endpoint does not exist. */
const ofReading: readonly number[] = [403, 405, 500, 501]

const refusals = (status: number): Difference => ({
  id: `refusals-${status}`,
  says: `Refusals have the status ${status}.`,
  because: 'Refused is any 4xx or 5xx (readings, preamble).',
  ...(ofReading.includes(status) ? { losses: [...wipedPolicies, ...(status === 403 ? [deniedPromotions] : [])] } : {}),
  open: answering((answer, sent) => (mayDiffer(answer, sent) ? { ...answer, status } : answer)),
})

export const statuses: readonly Difference[] = [
  ...[200, 201, 202, 204].map(success),
  ...[400, 403, 405, 409, 422, 500, 501].map(refusals),
  {
    id: 'refusals-with-records',
    says: 'Refusals give each error as an object with a code and a message.',
    because: 'The documents do not say what a refusal shows.',
    open: answering((answer) => {
      const json = isRefusal(answer) ? jsonOf(answer) : undefined
      if (!Array.isArray(json?.errors)) return answer
      return withJson(answer, { ...json, errors: json.errors.map((message) => ({ code: 'refused', message })) as Json })
    }),
  },
  {
    id: 'writes-echoed',
    says: 'A write that succeeds without a body is answered with the fields of the request, except secrets.',
    because: 'The documents give no reply to such a write.',
    open: answering((answer, sent) => {
      const fields = isSuccess(answer) && isBare(answer) && endpointOf(sent) ? objectIn(sent.body) : undefined
      if (!fields || !changes(sent)) return answer
      const data = Object.fromEntries(Object.entries(fields).filter(([name]) => !isSecret.test(name)))
      const type = { 'content-type': 'application/json' }
      return { ...withJson(answer, { data }), status: 200, headers: { ...answer.headers, ...type } }
    }),
  },
  {
    id: 'refusals-without-body',
    says: 'Refusals have no body.',
    because: 'The documents do not say what a refusal shows.',
    open: answering((answer, sent) => (isRefusal(answer) && !isHealth(sent) ? withText(answer, '') : answer)),
  },
]
