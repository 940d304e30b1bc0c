/** Faults that a server plays on chosen requests, so that tests can check how a client handles them. */
import type { Clock } from '../kernel/contracts.ts'
import type { Answer, IncomingRequest } from '../kernel/http/request-context.ts'
import { wholePathOf } from '../kernel/namespaces/enter.ts'
import { assertName, assertNames, isObject } from './options.ts'

/** Chooses the requests on which a fault is played. */
export interface Chosen {
  /** The path below `/v1/`, preceded by the namespace of the request. A `*` at the end matches any text, and `+`
   * matches one segment. The default is every path. */
  readonly path?: string
  /** The default is every method. `PUT` is the same as `POST`, and `GET` with `list=true` is the same as `LIST`. */
  readonly method?: 'GET' | 'LIST' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** How many matching requests are answered normally before the fault is played; 0 by default. */
  readonly after?: number
  /** How many times the fault is played; unlimited by default. */
  readonly times?: number
}

export type Fault = Chosen &
  (
    | { readonly fault: 'refuse'; readonly status: number; readonly errors?: readonly string[] }
    /** The request is carried out, and answered after this many seconds by the clock of the server. */
    | { readonly fault: 'slow'; readonly seconds: number }
    /** The connection ends without an answer. With `isDone`, the request is carried out first. */
    | { readonly fault: 'cut'; readonly isDone?: boolean }
    /** The request is answered with 429. `seconds` is the value of `Retry-After`; 1 by default. */
    | { readonly fault: 'throttle'; readonly seconds?: number }
    | { readonly fault: 'sealed' }
    /** The request is carried out, and the JSON of its answer is cut off in the middle. */
    | { readonly fault: 'malformed' }
    /** The request is answered as if its token had expired. */
    | { readonly fault: 'expired-token' }
    /** The request is carried out, and answered as `text/html`. */
    | { readonly fault: 'wrong-content-type' }
  )

type Name = Fault['fault']

const own: Readonly<Record<Name, { readonly required?: string; readonly optional?: string }>> = {
  refuse: { required: 'status', optional: 'errors' },
  slow: { required: 'seconds' },
  cut: { optional: 'isDone' },
  throttle: { optional: 'seconds' },
  sealed: {},
  malformed: {},
  'expired-token': {},
  'wrong-content-type': {},
}

const faultNames = Object.keys(own) as readonly Name[]

const methods = ['GET', 'LIST', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0

const rules: Readonly<Record<string, readonly [(value: unknown) => boolean, string]>> = {
  path: [(value) => typeof value === 'string' && value !== '' && !value.startsWith('/'), 'a path below /v1/'],
  method: [(value) => methods.some((method) => method === value), `one of ${methods.join(', ')}`],
  after: [isCount, 'a whole number'],
  times: [isCount, 'a whole number'],
  status: [(value) => isCount(value) && Number(value) >= 400 && Number(value) <= 599, 'a status from 400 to 599'],
  errors: [(value) => Array.isArray(value) && value.every((item) => typeof item === 'string'), 'a list of strings'],
  seconds: [(value) => typeof value === 'number' && value >= 0, 'a number of seconds'],
  isDone: [(value) => typeof value === 'boolean', 'true or false'],
}

/** Throws a RangeError on an invalid fault. It names the fault, the field, and what is allowed. */
export function assertFaults(faults: readonly Fault[]): void {
  if (!Array.isArray(faults)) throw new RangeError('faults must be a list')
  for (const [index, fault] of faults.entries()) {
    const at = `faults[${index}]`
    if (!isObject(fault)) throw new RangeError(`${at} must be an object such as { path: 'sys/*', fault: 'sealed' }`)
    assertName(`fault in ${at}:`, String(fault.fault), faultNames)
    assertFields(fault, at)
  }
}

function assertFields(fault: Readonly<Record<string, unknown>>, at: string): void {
  const { required, optional } = own[fault.fault as Name]
  const known = ['fault', 'path', 'method', 'after', 'times', required, optional].filter((name) => name !== undefined)
  assertNames(`field of ${at} (${fault.fault}):`, fault, known)
  if (required !== undefined && fault[required] === undefined)
    throw new RangeError(`${at} (${fault.fault}) needs "${required}": ${rules[required]?.[1]}`)
  for (const [name, [isValid, wanted]] of Object.entries(rules))
    if (fault[name] !== undefined && !isValid(fault[name]))
      throw new RangeError(`${at}: ${name} must be ${wanted}; saw ${JSON.stringify(fault[name])}`)
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

function patternOf(path: string): RegExp {
  const isOpen = path.endsWith('*')
  const segments = (isOpen ? path.slice(0, -1) : path.replace(/\/+$/, '')).split('/')
  const text = segments.map((segment) => (segment === '+' ? '[^/]+' : escaped(segment))).join('/')
  return new RegExp(`^${text}${isOpen ? '' : '$'}`)
}

function verbOf({ method, url }: IncomingRequest): string {
  if (method === 'GET' && /[?&]list=(1|t|true)(&|$)/i.test(url)) return 'LIST'
  return method === 'PUT' ? 'POST' : method
}

interface Rule {
  readonly fault: Fault
  isFor(incoming: IncomingRequest): boolean
  seen: number
}

function ruleOf(fault: Fault): Rule {
  const pattern = patternOf(fault.path ?? '*')
  const method = fault.method === 'PUT' ? 'POST' : fault.method
  return {
    fault,
    seen: 0,
    isFor(incoming) {
      return pattern.test(wholePathOf(incoming)) && (method === undefined || verbOf(incoming) === method)
    },
  }
}

const refusal = (status: number, errors: readonly string[], headers: readonly string[] = []): Answer => ({
  ...{ status, contentType: 'application/json', body: `${JSON.stringify({ errors })}\n`, headers },
})

/** Returns an answer that rejects: the listener then ends the connection. */
const cut = (): Promise<Answer> => Promise.reject(new Error('the connection is cut by a fault'))

const brokenOff = (answer: Answer): Answer => {
  const text = answer.body?.toString() ?? ''
  const body = text.length > 1 ? text.slice(0, Math.ceil(text.length / 2)) : '{"data":'
  return { ...answer, status: answer.status === 204 ? 200 : answer.status, body }
}

type Serve = () => Answer | Promise<Answer>

export interface Faults {
  /** Returns the fault to play on this request, and counts the request. */
  next(incoming: IncomingRequest): Fault | undefined
  play(fault: Fault, serve: Serve): Answer | Promise<Answer>
  /** Replaces all faults, and starts their counts at 0. */
  set(faults: readonly Fault[]): void
  /** Sends slow answers at once. */
  stop(): void
}

export function createFaults(clock: Pick<Clock, 'now' | 'at'>): Faults {
  let active: readonly Rule[] = []
  const waiting = new Set<() => void>()

  function wait(seconds: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        cancel()
        waiting.delete(end)
        resolve()
      }
      const cancel = clock.at(clock.now() + seconds * 1000, end)
      waiting.add(end)
    })
  }

  async function afterwards(serve: Serve, change: (answer: Answer) => Answer | Promise<Answer>): Promise<Answer> {
    return change(await serve())
  }

  return {
    next(incoming) {
      for (const rule of active) {
        const { after = 0, times = Number.POSITIVE_INFINITY } = rule.fault
        if (!rule.isFor(incoming)) continue
        rule.seen++
        if (rule.seen > after && rule.seen <= after + times) return rule.fault
      }
      return undefined
    },
    play(fault, serve) {
      switch (fault.fault) {
        case 'refuse':
          return refusal(fault.status, fault.errors ?? [])
        case 'slow':
          return afterwards(serve, (answer) => wait(fault.seconds).then(() => answer))
        case 'cut':
          return fault.isDone ? afterwards(serve, cut) : cut()
        case 'throttle':
          return refusal(429, ['request rate limited'], ['Retry-After', String(fault.seconds ?? 1)])
        case 'sealed':
          return refusal(503, ['server is sealed'])
        case 'malformed':
          return afterwards(serve, brokenOff)
        case 'expired-token':
          return refusal(403, ['permission denied'])
        case 'wrong-content-type':
          return afterwards(serve, (answer) => ({ ...answer, contentType: 'text/html; charset=utf-8' }))
      }
    },
    set(faults) {
      assertFaults(faults)
      active = faults.map(ruleOf)
    },
    stop() {
      for (const end of [...waiting]) end()
    },
  }
}
