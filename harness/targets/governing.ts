/** Finds out whether a target serves governing policies (RGP and EGP), which only some editions have. */
import {
  type Dialect,
  type Exchange,
  fieldOf,
  isSuccess,
  type OperationArgs,
  type OperationName,
  type Reply,
} from '../vocabulary/index.ts'
import type { ListWay, WireOutcome } from '../wire/client.ts'

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

/** Tells whether the target serves governing policies. If something in front of it refuses the method LIST, the list of
 * the first kind, which is never empty, shows whether lists get through by GET, and then this one is asked for again. */
export async function servesGoverning(
  { ask, askExchange }: Asker,
  { operations }: Dialect,
  lists: ListWay,
): Promise<boolean | undefined> {
  const isByGet = () => lists.by === 'GET'
  const wasByGet = isByGet()
  const seen = governingIn((await ask('listGoverning', {})).reply)
  const [neverEmpty] = operations.inventory?.({}).exchanges ?? []
  if (seen !== undefined || wasByGet || !neverEmpty) return seen
  await askExchange(neverEmpty)
  return isByGet() ? governingIn((await ask('listGoverning', {})).reply) : undefined
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
