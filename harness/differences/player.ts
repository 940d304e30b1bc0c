/** Plays a legal difference on the wire. It sees every request of a session: those of the checks, the probe, and those that
 * take things back, since a server that differs does so always. */
import type { DifferenceParts, DifferentServer, WireAnswer, WireSent } from '../vocabulary/index.ts'
import type { Attempt, Departure } from '../wire/attempt.ts'
import type { OnTheWay, WireClient } from '../wire/client.ts'

/** An opening is anything that can be played: a difference, or something that only looks on. */
export type Opening = (parts: DifferenceParts) => DifferentServer

/** There was no reply at all, so there is none to change. */
class NoReply extends Error {
  readonly attempt: Attempt

  constructor(attempt: Attempt) {
    super(attempt.trouble?.words ?? 'no reply')
    this.attempt = attempt
  }
}

export function sentOf({ method, path, headers, body }: Departure): WireSent {
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
  const { body: _, ...kept } = original
  return {
    ...kept,
    ...{ method, headers, path: query === '' ? path : `${path}?${query}` },
    ...(body === undefined ? {} : { body }),
  }
}

/** Tells whether two requests are the same for the target. */
export const isSameSent = (one: WireSent, other: WireSent): boolean =>
  one === other ||
  (one.method === other.method &&
    one.path === other.path &&
    one.body === other.body &&
    JSON.stringify(one.query) === JSON.stringify(other.query) &&
    JSON.stringify(one.headers) === JSON.stringify(other.headers))

export const isSameAnswer = (one: WireAnswer, other: WireAnswer): boolean =>
  one === other ||
  (one.status === other.status &&
    JSON.stringify(one.headers) === JSON.stringify(other.headers) &&
    Buffer.from(one.body).equals(Buffer.from(other.body)))

/** `onBent` hears of every request that met another server than the unchanged one. */
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
    const straight: WireAnswer[] = []
    try {
      const answer = await server(sent, async (changed) => {
        const isSame = isSameSent(changed, sent)
        const attempt = await depart(isSame ? departure : departureOf(changed, departure))
        if (attempt.trouble || attempt.status === undefined) throw new NoReply(attempt)
        const { status, headers = {}, bytes = Buffer.alloc(0) } = attempt
        const answered = { status, headers, body: bytes }
        if (isSame) straight.push(answered)
        return answered
      })
      const [own] = straight
      if (straight.length !== 1 || own === undefined || !isSameAnswer(own, answer)) onBent()
      const { status, headers, body } = answer
      return { sentAt, durationMs: performance.now() - started, status, headers, bytes: Buffer.from(body) }
    } catch (error) {
      if (error instanceof NoReply) return error.attempt
      throw error
    }
  }

  return { ...client, send: (request) => client.send({ ...request, onTheWay }) }
}

/** One exchange as it went over the wire. */
export interface Passed {
  readonly sent: WireSent
  readonly answer: WireAnswer
}

/** Looks on, and changes nothing. */
export const onlooker =
  (note: (passed: Passed) => void): Opening =>
  () =>
  async (sent, pass) => {
    const answer = await pass(sent)
    note({ sent, answer })
    return answer
  }

/** Tells whether a difference would change anything in a conversation that took place without it. */
export async function wouldChange(open: Opening, conversation: readonly Passed[]): Promise<boolean> {
  let isBent = false
  const server = open({
    now: () => 0,
    wait: async () => {
      isBent = true
    },
  })
  for (const { sent, answer } of conversation) {
    const given = await server(sent, async (changed) => {
      if (!isSameSent(changed, sent)) isBent = true
      return answer
    })
    if (isBent || !isSameAnswer(given, answer)) return true
  }
  return false
}
