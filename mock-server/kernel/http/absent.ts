/** Parts of the family's API that this server does not have, within engines that it has. A request for one is refused in
 * words, so that its caller does not look for a fault of its own. */
import type { Route, Verb } from '../contracts.ts'
import { Refusal } from './refusal.ts'

const verbs: readonly Verb[] = ['GET', 'LIST', 'POST', 'PATCH', 'DELETE']

/** `what` continues "this reference server has …". */
export const absentRoutes = (path: string, what: string, verb: readonly Verb[] = verbs): readonly Route[] => [
  {
    ...{ verb, path, access: 'token' },
    handle() {
      throw new Refusal('wrong-path', { message: `this reference server has ${what}` })
    },
  },
]
