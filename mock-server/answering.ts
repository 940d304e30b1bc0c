/** A listener that serves answers from a function of the caller, without a reference server behind it. */
import { listen } from './kernel/http/listener.ts'
import type { Answer, IncomingRequest } from './kernel/http/request-context.ts'

export interface AnsweringServer {
  readonly url: string
  close(): Promise<void>
}

/** Starts a server that understands the method LIST and answers each request with the result of `serve`. */
export const startAnswering = (
  { host = '127.0.0.1', port = 0 }: { readonly host?: string; readonly port?: number },
  serve: (request: IncomingRequest) => Answer | Promise<Answer>,
): Promise<AnsweringServer> =>
  listen({ host, port, serve, bodyLimit: 32 * 2 ** 20, clock: { now: Date.now }, delay: () => 0 })
