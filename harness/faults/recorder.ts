/** Records the exchanges of checks with the unchanged server, which show which fault can meet which check. */
import { defined } from '../vocabulary/defined.ts'
import type { Reply } from '../vocabulary/index.ts'
import type { WireClient } from '../wire/client.ts'

export interface Recorded {
  readonly method: string
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: string
  readonly as: string
  readonly isOther?: boolean
  /** Caller, method and path of the twin, if the check has one. */
  readonly twin?: { readonly as: string; readonly method: string; readonly path: string }
  readonly reply: Reply
}

export function recordingClient(client: WireClient, note: (recorded: Recorded) => void): WireClient {
  return {
    ...client,
    async send(request) {
      const outcome = await client.send(request)
      const { about, method, path, query, body } = request
      const twin = about?.control?.()
      if (about && outcome.reply)
        note({
          ...{ method, path, as: about.as, reply: outcome.reply },
          ...defined({ query, body, isOther: about.isOther }),
          ...(twin ? { twin: { as: twin.as, method: twin.method, path: twin.path } } : {}),
        })
      return outcome
    },
  }
}
