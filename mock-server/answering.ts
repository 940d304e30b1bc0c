/** A listener in front of answers that somebody else makes. */
import { listen } from './kernel/http/listener.ts'
import type { Answer, IncomingRequest } from './kernel/http/request-context.ts'

export interface AnsweringServer {
  readonly url: string
  close(): Promise<void>
}

/** Starts a server that understands the method LIST and answers by a function. */
export const startAnswering = (
  { host = '127.0.0.1', port = 0 }: { readonly host?: string; readonly port?: number },
  serve: (request: IncomingRequest) => Answer | Promise<Answer>,
): Promise<AnsweringServer> =>
  listen({ host, port, serve, bodyLimit: 32 * 2 ** 20, clock: { now: Date.now }, delay: () => 0 })
