/** What gateways in front of a correct server do. Only the method LIST is a statement of the documents; anything else
 * that they change is the way (readings, 72 and 75). */

import type { Difference, Loss, WireAnswer, WireSent } from '../../harness/vocabulary/index.ts'
import { rowsOf } from '../rows.ts'
import { answering, isHealth, isRefusal, type Opening, reading } from './bends.ts'

const because = 'What stands in front of a server is not the server (readings, 75).'

/** Returns a page as gateways send it. */
const page = (status: number): WireAnswer => ({
  status,
  headers: { 'content-type': 'text/html', server: 'nginx' },
  body: Buffer.from(`<html><head><title>${status}</title></head><body><center>nginx</center></body></html>`),
})

const ofMethod: readonly Loss[] = [
  {
    check: '*/*/lists-are-served-by-the-method-list',
    verdict: 'fail',
    why: 'It decides that the method LIST is served (readings, 72).',
  },
]

const insteadOf =
  (isMeant: (sent: WireSent) => boolean, answer: () => WireAnswer): Opening =>
  () =>
  async (sent, pass) =>
    isMeant(sent) ? answer() : pass(sent)

const withoutList = (id: string, says: string, open: Opening): Difference => ({
  ...{ id, says, open, losses: ofMethod },
  because: 'The other lists are requested by GET with `?list=true` (readings, 72).',
})

const isOfList = ({ method }: WireSent): boolean => method === 'LIST'

/** Headers without which a reply cannot be read. */
const framing: ReadonlySet<string> = new Set(['content-type', 'content-length', 'content-encoding', 'location'])

/** Every check that needs a refusal, because no reply shows whose refusal it is. */
const ofRefusals: readonly Loss[] = [
  {
    check: '**',
    verdict: 'not-verified',
    why: 'The refusal is a page of the gateway, which shows nothing about the server.',
  },
]

export const gateways: readonly Difference[] = [
  ...[400, 403, 404, 405, 501].map((status) =>
    withoutList(
      `gateway-refuses-list-${status}`,
      `A gateway answers the method LIST with a page of status ${status}.`,
      insteadOf(isOfList, () => page(status)),
    ),
  ),
  withoutList(
    'gateway-turns-list-into-get',
    'A gateway sends GET in place of the method LIST.',
    reading((sent) => (isOfList(sent) ? { ...sent, method: 'GET' } : sent)),
  ),
  ...rowsOf<Difference>({
    'gateway-replaces-refusals': {
      says: 'A gateway replaces each refusal by a page of its own with the same status.',
      because,
      losses: ofRefusals,
      open: answering((answer, sent) => (isRefusal(answer) && !isHealth(sent) ? page(answer.status) : answer)),
    },
    'gateway-replaces-refusals-by-successes': {
      says: 'A gateway replaces each refusal by a page of its own with status 200.',
      because,
      losses: ofRefusals,
      open: answering((answer, sent) => (isRefusal(answer) && !isHealth(sent) ? page(200) : answer)),
    },
    'gateway-limits-bodies': {
      says: 'A gateway refuses requests with bodies of more than 8 KiB.',
      because,
      losses: [
        {
          check: '**',
          verdict: 'not-verified',
          why: 'The gateway lets no request through that is as large as the check needs.',
        },
      ],
      open: insteadOf(
        ({ body = '' }) => Buffer.byteLength(body) > 8192,
        () => page(413),
      ),
    },
    'gateway-drops-queries': {
      says: 'A gateway drops the query string of each request.',
      because,
      losses: [
        {
          check: '**',
          verdict: 'not-verified',
          why: 'The check sends a query string, and the status of the health reply shows that none arrives.',
        },
      ],
      open: reading((sent) => ({ ...sent, query: {} })),
    },
    'gateway-strips-headers': {
      says: 'A gateway lets only those headers of a reply through without which it cannot be read.',
      because,
      open: answering((answer) => ({
        ...answer,
        headers: Object.fromEntries(Object.entries(answer.headers).filter(([name]) => framing.has(name))),
      })),
    },
    'gateway-rewrites-host': {
      says: 'A gateway sends its own name as `Host`, and tells about itself in further headers.',
      because,
      open: () => async (sent, pass) => {
        const more = {
          host: 'backend.internal',
          'x-forwarded-for': '192.0.2.1',
          'x-forwarded-proto': 'https',
          via: '1.1 proxy',
        }
        const answer = await pass({ ...sent, headers: { ...sent.headers, ...more } })
        return { ...answer, headers: { ...answer.headers, server: 'nginx', via: '1.1 proxy' } }
      },
    },
  }),
]
