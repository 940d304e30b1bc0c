/** What checks send to the unchanged server and what it answers, kept to know which fault can meet which check. */
import type { Reply } from '../vocabulary/index.ts'
import type { WireClient } from '../wire/client.ts'

export interface Recorded {
  readonly method: string
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: string
  readonly as: string
  readonly hasTwin: boolean
  readonly reply: Reply
}

export function recordingClient(client: WireClient, note: (recorded: Recorded) => void): WireClient {
  return {
    ...client,
    async send(request) {
      const outcome = await client.send(request)
      const { about, method, path, query, body } = request
      if (about && outcome.reply)
        note({
          ...{ method, path, as: about.as, hasTwin: about.control?.() !== undefined, reply: outcome.reply },
          ...(query ? { query } : {}),
          ...(body === undefined ? {} : { body }),
        })
      return outcome
    },
  }
}
