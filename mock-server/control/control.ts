/** The control listener: what a test may do to the reference server and no API offers. Off unless asked for, on a port of
 * its own and on the loopback interface only. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closest, distance } from 'fastest-levenshtein'
import { mutants } from '../mutants.ts'

export interface Controlled {
  readonly clock: { now(): number; advance(ms: number): Promise<void> }
  inventory(): Readonly<Record<string, readonly string[]>>
  loadMutants(ids: readonly string[]): void
  vary(seed: number): void
  reset(): Promise<void>
  /** Of a group of clusters. */
  readonly links?: {
    cut(one: number, other: number): void
    slow(one: number, other: number, ms: number): void
    heal(): void
  }
}

export interface ControlListener {
  readonly url: string
  close(): Promise<void>
}

type Body = Readonly<Record<string, unknown>>
type Action = (body: Body) => unknown

/** Thrown for a request that does not fit; its text goes back with 400. */
class Unfit extends Error {
  override readonly name = 'Unfit'
}

function numberIn(body: Body, name: string): number {
  const value = body[name]
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value
  throw new Unfit(`${name} must be a number that is not negative; saw ${JSON.stringify(value)}`)
}

function namesIn(body: Body, name: string): readonly string[] {
  const value = body[name]
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw new Unfit(`${name} must be a list of strings; saw ${JSON.stringify(value)}`)
}

function actionsOf(server: Controlled): Readonly<Record<string, Action>> {
  return {
    'GET /clock': () => ({ now: server.clock.now() }),
    'POST /clock/advance': async (body) => {
      await server.clock.advance(numberIn(body, 'seconds') * 1000)
      return { now: server.clock.now() }
    },
    'GET /inventory': () => server.inventory(),
    'POST /reset': () => server.reset(),
    'POST /mutants': (body) => {
      const ids = namesIn(body, 'ids')
      try {
        server.loadMutants(ids)
      } catch (error) {
        throw error instanceof RangeError ? new Unfit(`${error.message}${suggestion(ids)}`) : error
      }
    },
    'POST /variation': (body) => server.vary(numberIn(body, 'seed')),
    ...(server.links ? { 'POST /links': (body: Body) => trouble(server.links, body) } : {}),
  }
}

/** `{"action":"cut","from":0,"to":1}`, `{"action":"slow","from":0,"to":1,"ms":50}`, `{"action":"heal"}` */
function trouble(links: Controlled['links'], body: Body): void {
  const { action } = body
  if (action === 'heal') links?.heal()
  else if (action === 'cut') links?.cut(numberIn(body, 'from'), numberIn(body, 'to'))
  else if (action === 'slow') links?.slow(numberIn(body, 'from'), numberIn(body, 'to'), numberIn(body, 'ms'))
  else throw new Unfit(`action must be cut, slow or heal; saw ${JSON.stringify(action)}`)
}

/** Of what stands near the names that no mutant has; empty where nothing does. */
function suggestion(ids: readonly string[]): string {
  const known = mutants.map(({ id }) => id)
  const meant = ids
    .filter((id) => !known.includes(id))
    .map((id) => ({ id, near: closest(id, known) }))
    .filter(({ id, near }) => distance(id, near) <= Math.max(2, id.length / 3))
    .map(({ near }) => `"${near}"`)
  return meant.length > 0 ? `; did you mean ${meant.join(', ')}?` : ''
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Body
  } catch {}
  throw new Unfit('the body must be a JSON object')
}

/** Listens on 127.0.0.1. Answers 200 with JSON, 204 where there is nothing to tell, and `{ "error": … }`. */
export async function listenForControl(server: Controlled, port: number): Promise<ControlListener> {
  const actions = actionsOf(server)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const tell = (status: number, body?: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      response.end(body === undefined ? undefined : `${JSON.stringify(body)}\n`)
    }
    const name = `${request.method} ${request.url}`
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (!action) return tell(404, { error: `no such control: ${name}; there are ${Object.keys(actions).join(', ')}` })
    try {
      const result = await action(await bodyOf(request))
      tell(result === undefined ? 204 : 200, result)
    } catch (error) {
      tell(error instanceof Unfit ? 400 : 500, { error: error instanceof Error ? error.message : String(error) })
    }
  }

  const listener = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject)
    listener.listen(port, '127.0.0.1', () => resolve())
  })
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        listener.close(() => resolve())
        listener.closeAllConnections()
      }),
  }
}
