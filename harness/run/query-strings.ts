/** Finds out whether query strings reach the target. A gateway that drops them takes the version from the request that
 * removes a plugin, so a check that sends one could neither be judged nor undone. */
import { performed } from '../targets/prober.ts'
import { sentBy } from '../targets/sent-by.ts'
import { blockerOf, type Check, type Dialect, type Exchange } from '../vocabulary/index.ts'
import { mainCluster } from './clusters.ts'
import type { Outcome } from './outcome.ts'
import type { Session } from './session.ts'

const found = new WeakMap<Session, Promise<string | undefined>>()

/** Returns why a check that sends a query string of its own cannot be judged, or undefined if it can. */
export async function withoutQueries(check: Check, session: Session): Promise<Outcome | undefined> {
  if (!sendsQuery(check, session.dialect)) return undefined
  const asked = found.get(session) ?? lostRequest(session)
  found.set(session, asked)
  const lost = await asked
  return lost === undefined
    ? undefined
    : { verdict: 'not-verified', blocker: blockerOf('query-strings-lost', { asked: lost }) }
}

/** What only an expectation reads is left out: it may read a list that comes without a query string, too. */
function sendsQuery(check: Check, dialect: Dialect): boolean {
  const read = new Set(check.then.flatMap(({ touches = [] }) => touches))
  return sentBy(check, dialect).some((exchange) => !read.has(exchange) && (exchange.query ?? exchange.undo?.query))
}

/** Returns the request that shows that query strings get lost. They count as lost only if the target has a health reply
 * of this family, and neither chooses its status nor shows its help text as the query string says. */
async function lostRequest({ ask, dialect }: Session): Promise<string | undefined> {
  const { queries, product } = dialect
  if (!queries) return undefined
  const seen = async (exchange: Exchange) => (await performed(ask(mainCluster), exchange)).reply
  const reply = await seen(queries.exchange)
  if (!reply || queries.arrived(reply) !== false) return undefined
  const help = product && (await seen(product.exchange))
  return help && product.read(help) !== undefined ? undefined : reply.asked
}
