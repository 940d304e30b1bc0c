/** Plays a legal difference on the wire. It applies to every request of a session, also to those of the probe and of
 * the clean-up, because a server that differs always does so. */
import type { DifferenceParts, DifferentServer, WireAnswer, WireSent } from '../vocabulary/index.ts'
import type { Attempt, Departure } from '../wire/attempt.ts'
import type { OnTheWay, WireClient } from '../wire/client.ts'

/** Starts a server that is played on the wire: one with a difference, or an onlooker. */
export type Opening = (parts: DifferenceParts) => DifferentServer

/** Thrown inside a difference if the target sent no reply, so that the difference has nothing to change. */
class NoReply extends Error {
  readonly attempt: Attempt

  constructor(attempt: Attempt) {
    super(attempt.trouble?.words ?? 'no reply')
    this.attempt = attempt
  }
}

function sentOf({ method, path, headers, body }: Departure): WireSent {
  const [bare = '', query = ''] = path.split('?')
  return {
    ...{ method, path: bare, headers },
    query: Object.fromEntries(new URLSearchParams(query)),
    ...(body === undefined ? {} : { body }),
  }
}

function departureOf(sent: WireSent, original: Departure): Departure {
  const { method, path, headers, body } = sent
  const query = new URLSearchParams(sent.query).toString()
  const { body: _, ...rest } = original
  return {
    ...rest,
    ...{ method, headers, path: query === '' ? path : `${path}?${query}` },
    ...(body === undefined ? {} : { body }),
  }
}

/** Tells whether two requests are the same for the target. */
const isSameSent = (one: WireSent, other: WireSent): boolean =>
  one === other ||
  (one.method === other.method &&
    one.path === other.path &&
    one.body === other.body &&
    JSON.stringify(one.query) === JSON.stringify(other.query) &&
    JSON.stringify(one.headers) === JSON.stringify(other.headers))

const isSameAnswer = (one: WireAnswer, other: WireAnswer): boolean =>
  one === other ||
  (one.status === other.status &&
    JSON.stringify(one.headers) === JSON.stringify(other.headers) &&
    Buffer.from(one.body).equals(Buffer.from(other.body)))

/** Returns a client that plays a difference. `onBent` is called for each request for which the difference changed
 * something, or waited. */
export function differingClient(
  client: WireClient,
  open: Opening,
  parts: DifferenceParts,
  onBent: () => void = () => {},
): WireClient {
  const server = open({
    now: parts.now,
    wait(ms) {
      onBent()
      return parts.wait(ms)
    },
  })

  const onTheWay: OnTheWay = async (departure, depart) => {
    const sentAt = Date.now()
    const started = performance.now()
    const sent = sentOf(departure)
    const unchanged: WireAnswer[] = []
    try {
      const answer = await server(sent, async (changed) => {
        const isSame = isSameSent(changed, sent)
        const attempt = await depart(isSame ? departure : departureOf(changed, departure))
        if (attempt.trouble || attempt.status === undefined) throw new NoReply(attempt)
        const { status, headers = {}, bytes = Buffer.alloc(0) } = attempt
        const answered = { status, headers, body: bytes }
        if (isSame) unchanged.push(answered)
        return answered
      })
      const [own] = unchanged
      if (unchanged.length !== 1 || own === undefined || !isSameAnswer(own, answer)) onBent()
      const { status, headers, body } = answer
      return { sentAt, durationMs: performance.now() - started, status, headers, bytes: Buffer.from(body) }
    } catch (error) {
      if (error instanceof NoReply) return error.attempt
      throw error
    }
  }

  return { ...client, send: (request) => client.send({ ...request, onTheWay }) }
}

/** One exchange on the wire. */
export interface Passed {
  readonly sent: WireSent
  readonly answer: WireAnswer
}

/** Records every exchange, and changes nothing. */
export const onlooker =
  (note: (passed: Passed) => void): Opening =>
  () =>
  async (sent, pass) => {
    const answer = await pass(sent)
    note({ sent, answer })
    return answer
  }

/** Tells whether a difference would change anything in exchanges that were recorded without it. */
export async function wouldChange(open: Opening, conversation: readonly Passed[]): Promise<boolean> {
  let isBent = false
  const server = open({
    now: () => 0,
    wait: async () => {
      isBent = true
    },
  })
  for (const { sent, answer } of conversation) {
    const changedAnswer = await server(sent, async (changed) => {
      if (!isSameSent(changed, sent)) isBent = true
      return answer
    })
    if (isBent || !isSameAnswer(changedAnswer, answer)) return true
  }
  return false
}
