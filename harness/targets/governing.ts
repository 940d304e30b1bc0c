/** Finds out whether a target serves governing policies (RGP and EGP), which only some editions have. */
import {
  blockerOf,
  type Dialect,
  type Exchange,
  fieldOf,
  gatewayOf,
  isDenied,
  isSuccess,
  type OperationArgs,
  type OperationName,
  type Reply,
} from '../vocabulary/index.ts'
import type { WireOutcome } from '../wire/client.ts'
import type { EditionSigns } from './product.ts'

export type AskExchange = (exchange: Exchange) => Promise<WireOutcome>
export type AskOperation = <Name extends OperationName>(
  operation: Name,
  args: OperationArgs[Name],
) => Promise<WireOutcome>

/** Sends requests to the target in the form of its dialect. */
export interface Asker {
  readonly ask: AskOperation
  readonly askExchange: AskExchange
}

/** Matches error messages about a path that the server, or its edition, does not have. */
const notServed = /unsupported|not (supported|served|implemented|available)|enterprise|licen[cs]e|unknown|no handler/i

/** Tells whether the target serves governing policies. Before, it requests the list that is never empty, which decides
 * whether lists are requested by LIST or by GET. */
export async function servesGoverning(
  { ask, askExchange }: Asker,
  { operations }: Dialect,
): Promise<Pick<EditionSigns, 'servesGoverning' | 'hidden'>> {
  const [neverEmpty] = operations.inventory?.({}).exchanges ?? []
  if (neverEmpty?.method === 'LIST') await askExchange(neverEmpty)
  const [asked] = operations.listGoverning?.({}).exchanges ?? []
  const { reply } = await ask('listGoverning', {})
  const who = reply && gatewayOf(reply)
  if (reply && who !== undefined)
    return {
      servesGoverning: undefined,
      hidden: blockerOf('gateway-answered', { asked: reply.asked, status: reply.status, who }),
    }
  if (reply && isDenied(reply)) {
    const lacks = `list on ${asked?.path}`
    return { servesGoverning: undefined, hidden: blockerOf('denied', { asked: reply.asked, lacks, isReported: false }) }
  }
  return { servesGoverning: governingIn(reply) }
}

/** Returns undefined if the reply leaves it open: every edition refuses a token without `list` there. */
function governingIn(reply: Reply | undefined): boolean | undefined {
  if (!reply) return undefined
  if (isSuccess(reply)) return true
  if (![400, 404, 405, 501].includes(reply.status)) return undefined
  const errors = fieldOf(reply, '/errors')
  if (!Array.isArray(errors)) return undefined
  // An empty list is a 404 without an error message, or with one about the list. A path that is not served has another
  // message.
  if (errors.length === 0) return reply.status === 404 ? true : undefined
  return notServed.test(errors.map(String).join(' ')) ? false : undefined
}
