/** Legal differences between a client and a correct server: load, gateways, standby nodes, clocks. */

import type { Difference, WireAnswer, WireSent } from '../../harness/vocabulary/index.ts'
import { rowsOf } from '../rows.ts'
import { answering, changes, type Opening, remembering } from './bends.ts'
import { endpointOf } from './endpoints.ts'

const because = '429, 502, 503 and 504 are the way, and not the server (readings, 52).'

/** The number of requests that are served between two that are not. */
const every = 4

const words: Readonly<Record<number, string>> = {
  429: 'too many requests',
  502: 'bad gateway',
  503: 'service unavailable',
  504: 'gateway timeout',
}

export const gateway = (status: number, headers: Readonly<Record<string, string>> = {}): WireAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: Buffer.from(JSON.stringify({ errors: [words[status]] })),
})

/** Lets `every` requests through, replies to the next `inRow` requests with `answer`, and repeats this. */
const puttingOff = (answer: WireAnswer, inRow: number, isMeant: (sent: WireSent) => boolean): Opening =>
  remembering(
    () => ({ count: 0 }),
    (state) => async (sent, pass) => {
      if (!isMeant(sent)) return pass(sent)
      state.count += 1
      return state.count % (every + inRow) < every ? pass(sent) : answer
    },
  )

const always = () => true

/** Returns whether the request may be repeated. A GET that creates something may not. */
const isReading = (sent: WireSent): boolean => {
  const does = endpointOf(sent)?.does ?? 'reads'
  return !changes(sent) && (does === 'reads' || does === 'lists')
}

export const network: readonly Difference[] = rowsOf<Difference>({
  'throttled-429': {
    says: 'Every fifth request is answered with 429 and a Retry-After.',
    because,
    open: puttingOff(gateway(429, { 'retry-after': '1' }), 1, always),
  },
  'throttled-503': {
    says: 'Every fifth request is answered with 503.',
    because,
    open: puttingOff(gateway(503), 1, always),
  },
  'sealed-windows': {
    says: 'The server is sealed for three requests in a row, again and again.',
    because,
    open: puttingOff(gateway(503), 3, always),
  },
  'gateway-502-for-reads': {
    says: 'Every fifth reading is answered with 502 by a gateway.',
    because,
    open: puttingOff(gateway(502), 1, isReading),
  },
  'gateway-504-for-reads': {
    says: 'Every fifth reading is answered with 504 by a gateway.',
    because,
    open: puttingOff(gateway(504), 1, isReading),
  },
  'latency-100-ms': {
    says: 'Every reply comes 100 ms later.',
    because: 'The documents say nothing about the time of a reply.',
    isSlow: true,
    open:
      ({ wait }) =>
      async (sent, pass) => {
        await wait(100)
        return pass(sent)
      },
  },
  'no-date-header': {
    says: 'Replies have no Date header.',
    because: 'A server without a clock that it trusts sends none (RFC 9110, 6.6.1).',
    open: answering((answer) => {
      const { date: _, ...headers } = answer.headers
      return { ...answer, headers }
    }),
  },
  'clock-ahead': {
    says: 'The clock of the server is 90 s ahead.',
    because: 'The documents do not ask for clocks that agree.',
    clockAheadSeconds: 90,
  },
  'clock-behind': {
    says: 'The clock of the server is 90 s behind.',
    because: 'The documents do not ask for clocks that agree.',
    clockAheadSeconds: -90,
  },
  'standby-redirects': {
    says: 'A standby node sends every request on to the active node with 307.',
    because: 'Which node answers is not part of the documents.',
    open: remembering(
      () => ({ sent: new Set<string>() }),
      (state) => async (sent, pass) => {
        const marked = sent.query['assay-node'] === undefined
        if (!marked) {
          const { 'assay-node': _, ...query } = sent.query
          return pass({ ...sent, query })
        }
        const query = new URLSearchParams({ ...sent.query, 'assay-node': 'active' })
        state.sent.add(sent.path)
        return { status: 307, headers: { location: `${sent.path}?${query}` }, body: Buffer.alloc(0) }
      },
    ),
  },
})
