/** The control listener lets tests do to the reference server what the API does not offer. It is off by default, has a
 * port of its own, listens on the loopback interface only, and accepts only callers that know its URL. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Fault } from '../client-tests/faults.ts'
import { assertFields, type Body, InvalidRequest, namesIn, numberIn, parseBody } from './fields.ts'
import { admit, isJson } from './gate.ts'

export interface Controlled {
  readonly clock: { now(): number; advance(ms: number): Promise<void> }
  inventory(): Readonly<Record<string, readonly string[]>>
  loadMutants(ids: readonly string[]): void
  vary(seed: number): void
  reset(): Promise<void>
  readonly requests?: readonly object[]
  setFaults?(faults: readonly Fault[]): void
  /** Only a group of clusters has links. */
  readonly links?: {
    cut(from: number, to: number): void
    slow(from: number, to: number, ms: number): void
    heal(): void
  }
  settle?(ms: number): Promise<void>
}

export interface ControlListener {
  /** The URL ends in a key that is new with each start. */
  readonly url: string
  close(): Promise<void>
}

interface Action {
  readonly fields: readonly string[]
  readonly run: (body: Body) => unknown
}

type Methods = Readonly<Partial<Record<string, Action>>>

const mebibyte = 2 ** 20
/** The longest time for clusters to settle, in seconds. The wait takes real time if something never arrives. */
const mostSettling = 20
const mostSeconds = 10 * 366 * 86_400
/** Dates of the API have a valid format only up to this year. */
const lastMoment = Date.UTC(9999, 0)

function actionsOf(server: Controlled): Readonly<Record<string, Methods>> {
  const clock = (): object => ({ now: server.clock.now() })

  async function advance(body: Body): Promise<object> {
    const ms = numberIn(body, 'seconds', { atMost: mostSeconds }) * 1000
    if (server.clock.now() + ms > lastMoment)
      throw new InvalidRequest('the clock cannot be moved past the year 9999: reset the server first')
    await server.clock.advance(ms)
    return clock()
  }

  async function settle(body: Body): Promise<object> {
    await server.settle?.(numberIn(body, 'seconds', { atMost: mostSettling }) * 1000)
    return clock()
  }

  function loadMutants(body: Body): void {
    const ids = namesIn(body, 'ids')
    try {
      server.loadMutants(ids)
    } catch (error) {
      throw error instanceof RangeError ? new InvalidRequest(error.message) : error
    }
  }

  function setFaults(body: Body): void {
    try {
      server.setFaults?.((body.faults ?? []) as readonly Fault[])
    } catch (error) {
      throw error instanceof RangeError ? new InvalidRequest(error.message) : error
    }
  }

  const vary = (body: Body): void => server.vary(numberIn(body, 'seed', { atMost: 2 ** 32 - 1, whole: true }))
  const { links } = server
  return {
    '/clock': { GET: { fields: [], run: clock } },
    '/clock/advance': { POST: { fields: ['seconds'], run: advance } },
    ...(server.settle ? { '/clock/settle': { POST: { fields: ['seconds'], run: settle } } } : {}),
    '/inventory': { GET: { fields: [], run: () => server.inventory() } },
    '/reset': { POST: { fields: [], run: () => server.reset() } },
    '/mutants': { POST: { fields: ['ids'], run: loadMutants } },
    '/variation': { POST: { fields: ['seed'], run: vary } },
    ...(server.setFaults ? { '/faults': { POST: { fields: ['faults'], run: setFaults } } } : {}),
    ...(server.requests ? { '/requests': { GET: { fields: [], run: () => ({ requests: server.requests }) } } } : {}),
    ...(links
      ? { '/links': { POST: { fields: ['action', 'from', 'to', 'ms'], run: (body) => changeLinks(links, body) } } }
      : {}),
  }
}

/** Accepts `{"action":"cut","from":0,"to":1}`, `{"action":"slow","from":0,"to":1,"ms":50}` and `{"action":"heal"}`. */
function changeLinks(links: NonNullable<Controlled['links']>, body: Body): void {
  const { action } = body
  const cluster = (name: string): number => numberIn(body, name, { atMost: 100, whole: true })
  if (action === 'heal') links.heal()
  else if (action === 'cut') links.cut(cluster('from'), cluster('to'))
  else if (action === 'slow') links.slow(cluster('from'), cluster('to'), numberIn(body, 'ms', { atMost: 60_000 }))
  else throw new InvalidRequest(`action must be cut, slow or heal; saw ${JSON.stringify(action)}`)
}

/** How long the rest of a body that is too long is read and dropped before the answer, in milliseconds: a client that
 * is still sending might not read the answer. */
const drainMs = 2000

function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  return new Promise((resolve, reject) => {
    const refuse = (): void => reject(new InvalidRequest(`the body must not be longer than ${mebibyte} bytes`, 413))
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= mebibyte) chunks.push(chunk)
      else if (chunks.length > 0) {
        chunks.length = 0
        setTimeout(refuse, drainMs).unref()
      }
    })
    request.on('end', () => (length > mebibyte ? refuse() : resolve(Buffer.concat(chunks).toString('utf8'))))
    request.on('error', reject)
  })
}

const memberOf = <Member>(table: Readonly<Record<string, Member>>, name: string): Member | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

const refusalOf = (error: unknown): [status: number, body: object] => [
  error instanceof InvalidRequest ? error.status : 500,
  { error: error instanceof Error ? error.message : String(error) },
]

/** Listens on 127.0.0.1. Answers 200 with JSON, 204 without content, or an error status with `{ "error": … }`. */
export async function listenForControl(server: Controlled, port: number): Promise<ControlListener> {
  const actions = actionsOf(server)
  const key = randomBytes(18).toString('base64url')
  const portTaken = (): number => (listener.address() as AddressInfo).port

  function actionFor(request: IncomingMessage, response: ServerResponse): Action {
    const admitted = admit(request, portTaken(), key)
    if ('error' in admitted) throw new InvalidRequest(admitted.error, admitted.status)
    const { path } = admitted
    const methods = memberOf(actions, path)
    if (!methods)
      throw new InvalidRequest(`unknown path ${path.slice(0, 200)}; known are ${Object.keys(actions).join(', ')}`, 404)
    const method = request.method ?? ''
    const action = memberOf(methods, method)
    if (!action) {
      response.setHeader('allow', Object.keys(methods).join(', '))
      throw new InvalidRequest(`${path} does not support ${method}; use ${Object.keys(methods).join(', ')}`, 405)
    }
    if (method !== 'GET' && !isJson(request)) throw new InvalidRequest('content-type must be application/json', 415)
    return action
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, body?: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      response.end(body === undefined ? undefined : `${JSON.stringify(body)}\n`)
    }
    try {
      const { fields, run } = actionFor(request, response)
      const body = parseBody(await textOf(request))
      assertFields(body, fields)
      const result = await run(body)
      send(result === undefined ? 204 : 200, result)
    } catch (error) {
      // The rest of the body is not read, so the connection cannot be used again.
      if (!request.complete) response.setHeader('connection', 'close')
      send(...refusalOf(error))
    }
  }

  const listener = process
    .getBuiltinModule('node:http')
    .createServer(
      { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 2000 },
      (request, response) => void answer(request, response),
    )
  listener.maxConnections = 100
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject)
    listener.listen(port, '127.0.0.1', () => resolve())
  })
  return {
    url: `http://127.0.0.1:${portTaken()}/${key}`,
    close: () =>
      new Promise((resolve) => {
        listener.close(() => resolve())
        listener.closeAllConnections()
      }),
  }
}
