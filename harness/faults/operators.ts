/** What each fault operator does with a request at its site, and which requests it can meet at all. The table is long
 * because it is the one place where the ways of being wrong are written down. */
import { type FaultOperator, isObject, type Json, type JsonObject, type WireFault } from '../vocabulary/index.ts'
import type { WireOutcome, WireRequest } from '../wire/client.ts'
import type { Aside, Play } from './player.ts'
import type { Recorded } from './recorder.ts'
import {
  fieldChanged,
  isGood,
  isRefused,
  madeUp,
  nothingThere,
  oneFewer,
  oneMore,
  otherValue,
  refusal,
  withJson,
} from './replies.ts'
import { isAt, namedIn, readerBeside, verbOf } from './site.ts'

interface Behaviour {
  /** Whether a request that the unchanged server got can be bent by this; `earlier` are those of the same check at the site. */
  meets(recorded: Recorded, fault: WireFault, earlier: readonly Recorded[]): boolean
  atSite(play: Play): Promise<WireOutcome>
  /** What happens at other places of the same object. */
  elsewhere?(aside: Aside): Promise<WireOutcome>
}

const served = ({ reply }: Recorded): boolean => reply.status < 400
const refused = ({ reply }: Recorded): boolean => reply.status >= 400

const bodyOf = ({ body }: Recorded): JsonObject => {
  try {
    const value = JSON.parse(body ?? '{}') as Json
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

const fieldIn = (recorded: Recorded, { field = '' }: WireFault): Json | undefined =>
  bodyOf(recorded)[field] ?? recorded.query?.[field]

const withBody = (request: WireRequest, body: JsonObject): WireRequest => ({ ...request, body: JSON.stringify(body) })

function withoutQuery(request: WireRequest, field: string): WireRequest {
  const { [field]: _, ...others } = request.query ?? {}
  return { ...request, query: others }
}

const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  String(one).toLowerCase() === String(other).toLowerCase()

/** The entries of a list in either encoding. */
function entriesOf(value: Json | undefined): readonly Json[] {
  if (Array.isArray(value)) return value as readonly Json[]
  if (typeof value === 'string') return value.split(',')
  return isObject(value) ? Object.keys(value) : []
}

function withEntries(value: Json | undefined, keep: (entries: readonly Json[]) => readonly Json[]): Json {
  if (Array.isArray(value)) return keep(value as readonly Json[])
  if (isObject(value))
    return Object.fromEntries(keep(Object.keys(value)).map((key) => [String(key), value[String(key)] ?? null]))
  return keep(entriesOf(value)).join(',')
}

/** Changes a field of a request that has it. */
const changing = (
  change: (value: Json, play: Play) => Json | undefined,
  isMet: (value: Json) => boolean = () => true,
): Behaviour => ({
  meets: (recorded, fault) => {
    const value = fieldIn(recorded, fault)
    return value !== undefined && served(recorded) && isMet(value)
  },
  async atSite(play) {
    const { field = '' } = play.fault
    const value = play.body?.[field]
    if (!play.body || value === undefined || !isMet(value)) return play.next()
    const { [field]: _, ...others } = play.body
    const changed = change(value, play)
    return play.next(withBody(play.request, changed === undefined ? others : { ...others, [field]: changed }))
  },
})

/** Whether anybody knows how the request should have been. */
const isCorrectable = ({ hasTwin }: Recorded, earlier: readonly Recorded[]): boolean => hasTwin || earlier.some(served)

/** Takes a refused request for its positive twin, where they differ as told. */
const accepting = (isFaulty: (play: Play) => boolean, meets: Behaviour['meets']): Behaviour => ({
  meets: (recorded, fault, earlier) =>
    refused(recorded) && isCorrectable(recorded, earlier) && meets(recorded, fault, earlier),
  async atSite(play) {
    const outcome = await play.next()
    if (!isRefused(outcome) || !isFaulty(play)) return outcome
    const right = await play.doneRight()
    return right && isGood(right) ? right : outcome
  },
})

/** Bends a field of a reply that is a success. */
const replying = (change: (value: Json) => Json | undefined): Behaviour => ({
  meets: (recorded, { field = '' }) => {
    const { json } = recorded.reply
    return (
      served(recorded) &&
      isObject(json) &&
      (Object.hasOwn(json, field) || (isObject(json.data) && Object.hasOwn(json.data, field)))
    )
  },
  atSite: async ({ fault: { field = '' }, request, next }) => fieldChanged(request, await next(), field, change),
})

/** Changes the elements of a list, `keys` unless the fault names a field. */
const elements = (change: (value: Json, prefix: string) => Json | undefined): Behaviour => ({
  meets: served,
  async atSite({ fault: { field }, request, state, next }) {
    const outcome = await next()
    return fieldChanged(request, outcome, field ?? 'keys', (value) => change(value, state.prefix ?? 'assay'))
  },
})

const sample = ({ fault, all, usual }: Play, isOther: (recorded: Recorded) => boolean): Recorded | undefined => {
  const mine = usual?.().reply?.text
  return all.find((one) => isAt(one, fault.at) && served(one) && one.reply.text !== mine && isOther(one))
}

const repeated = ({ request }: Play, { reply }: Recorded): WireOutcome =>
  madeUp(request, reply.status, reply.bytes, reply.headers)

/** Shows at each reader what it showed before the request was done. */
const remembering = async ({ fault, request, state, next, ask }: Aside): Promise<WireOutcome> => {
  const path = readerBeside(fault.at, request)
  if (path === undefined || ['GET', 'LIST'].includes(verbOf(request))) return next()
  const before = await ask(path, fault.at.method)
  const outcome = await next()
  if (isGood(outcome)) state.shown.set(path, before)
  return outcome
}

export const plays: Readonly<Record<FaultOperator, Behaviour>> = {
  hollow: {
    meets: served,
    atSite: async ({ isServed, usual, request, next }) => (isServed ? (usual?.() ?? madeUp(request, 204, '')) : next()),
  },

  refuse: {
    meets: served,
    atSite: async ({ isServed, request, next }) => (isServed ? refusal(request) : next()),
  },

  ghost: {
    meets: (recorded, _, earlier) =>
      refused(recorded) && (recorded.as !== 'operator' || isCorrectable(recorded, earlier)),
    async atSite({ next, doneRight }) {
      const outcome = await next()
      if (isRefused(outcome)) await doneRight()
      return outcome
    },
  },

  accept: accepting(
    ({ differs, request }) => request.about?.as === 'operator' && differs.size > 0,
    ({ as }) => as === 'operator',
  ),

  'open-door': {
    meets: (recorded) => refused(recorded) && recorded.as !== 'operator',
    async atSite({ request, next, doneRight }) {
      const outcome = await next()
      if (request.about?.as === 'operator' || !isRefused(outcome)) return outcome
      return (await doneRight()) ?? outcome
    },
  },

  'closed-door': {
    meets: (recorded) => served(recorded) && recorded.as === 'nobody',
    atSite: async ({ request, next }) => (request.about?.as === 'nobody' ? refusal(request, 403) : next()),
  },

  'kept-working': {
    meets: served,
    async atSite({ isServed, usual, request, state, next }) {
      if (!isServed) return next()
      state.hidden.add(request.path)
      return usual?.() ?? madeUp(request, 204, '')
    },
    async elsewhere({ fault, request, state, next }) {
      const verb = verbOf(request)
      if (verb === 'POST') state.hidden.delete(request.path)
      const isReader = fault.readers?.some((reader) => isAt(request, reader)) ?? false
      if (isReader && verb === 'GET' && state.hidden.has(request.path)) return nothingThere(request)
      const outcome = await next()
      if (!isReader || verb !== 'LIST') return outcome
      const gone = new Set([...state.hidden].map((path) => namedIn(path).name))
      return fieldChanged(request, outcome, 'keys', (keys) =>
        Array.isArray(keys) ? keys.filter((key) => !gone.has(String(key).replace(/\/$/, ''))) : keys,
      )
    },
  },

  stale: {
    meets: served,
    atSite: async ({ request, state, next }) => state.shown.get(request.path.replace(/\/$/, '')) ?? next(),
    elsewhere: remembering,
  },

  constant: {
    meets: () => true,
    async atSite(play) {
      const one = sample(play, () => true)
      return one ? repeated(play, one) : play.next()
    },
  },

  'other-object': {
    meets: served,
    async atSite(play) {
      const outcome = await play.next()
      const other = isGood(outcome) ? sample(play, ({ path }) => path !== play.request.path) : undefined
      return other ? repeated(play, other) : outcome
    },
  },

  overreach: {
    meets: served,
    async atSite({ fault, request, state, next, asOperator }) {
      const outcome = await next()
      if (!isGood(outcome)) return outcome
      if (fault.beside !== undefined) {
        const [, prefix = ''] = request.path.split('/')
        const { method, body } = request
        await asOperator({ method, path: `/${prefix}/${fault.beside}`, ...(body === undefined ? {} : { body }) })
        return outcome
      }
      const { collection, name } = namedIn(request.path)
      const neighbour = [...state.shown.keys(), ...state.written.keys()].find((path) => {
        const other = namedIn(path)
        return other.collection === collection && other.name !== name
      })
      if (neighbour === undefined) return outcome
      const { method, query, body } = request
      await asOperator({
        method,
        path: neighbour,
        ...(query ? { query } : {}),
        ...(body === undefined ? {} : { body }),
      })
      return outcome
    },
    // What is written at the same place by another method of the law is a neighbour of a deletion.
    async elsewhere({ fault, request, state, next }) {
      const outcome = await next()
      const isSame = isAt({ ...request, method: fault.at.method }, fault.at)
      if (isSame && verbOf(request) === 'POST' && isGood(outcome)) state.written.set(request.path, request.body)
      return outcome
    },
  },

  twice: {
    meets: served,
    async atSite({ isServed, next }) {
      if (isServed) await next()
      return next()
    },
  },

  'ignore-field': {
    meets: (recorded, fault) => fieldIn(recorded, fault) !== undefined && served(recorded),
    async atSite(play) {
      const { fault, body, request, all } = play
      const { field = '' } = fault
      if (request.query?.[field] !== undefined) return play.next(withoutQuery(request, field))
      const value = body?.[field]
      if (!body || value === undefined || !play.isServed) return play.next()
      const { [field]: _, ...others } = body
      if (fault.value === undefined && !fault.values) return play.next(withBody(request, others))
      // A required field that is ignored is one whose value makes no difference: another request's value counts.
      const other = all
        .map((one) => (isAt(one, fault.at) && served(one) ? fieldIn(one, fault) : undefined))
        .find((one) => one !== undefined && !isSame(JSON.stringify(one), JSON.stringify(value)))
      return play.next(withBody(request, { ...others, [field]: other ?? fault.value ?? value }))
    },
  },

  'accept-without-field': accepting(
    ({ fault: { field = '' }, body, differs }) => body?.[field] === undefined && differs.has(field),
    (recorded, fault) => fieldIn(recorded, fault) === undefined,
  ),

  'accept-other-value': accepting(
    ({ fault: { field = '' }, body, differs }) => body?.[field] !== undefined && differs.has(field),
    (recorded, fault) => fieldIn(recorded, fault) !== undefined,
  ),

  'first-of-list': changing(
    (value) => withEntries(value, (entries) => entries.slice(0, 1)),
    (value) => entriesOf(value).length > 1,
  ),
  'last-of-list': changing(
    (value) => withEntries(value, (entries) => entries.slice(-1)),
    (value) => entriesOf(value).length > 1,
  ),
  'list-emptied': changing(
    (value) => withEntries(value, () => []),
    (value) => entriesOf(value).length > 0 && value !== '',
  ),

  'default-changed': {
    meets: (recorded, fault) => served(recorded) && fieldIn(recorded, fault) === undefined,
    atSite: async ({ fault: { field = '', value = null }, request, body = {}, isServed, next }) =>
      isServed && body[field] === undefined ? next(withBody(request, { ...body, [field]: value })) : next(),
  },

  'value-refused': {
    meets: (recorded, fault) =>
      (served(recorded) &&
        entriesOf(fieldIn(recorded, fault) ?? String(fieldIn(recorded, fault))).some((one) =>
          isSame(one, fault.value),
        )) ||
      (served(recorded) && isSame(fieldIn(recorded, fault), fault.value)),
    atSite: async ({ fault, request, body, isServed, next }) => {
      const given = body?.[fault.field ?? '']
      const isMet =
        given !== undefined && (isSame(given, fault.value) || entriesOf(given).some((one) => isSame(one, fault.value)))
      return isServed && isMet ? refusal(request) : next()
    },
  },

  'value-changed': {
    meets: (recorded, fault) => served(recorded) && isSame(fieldIn(recorded, fault), fault.value),
    atSite: async ({ fault, request, body, next }) => {
      const { field = '' } = fault
      const other = fault.values?.[field]
      return body && other !== undefined && isSame(body[field], fault.value)
        ? next(withBody(request, { ...body, [field]: other }))
        : next()
    },
  },

  'bound-shifted': {
    meets: (recorded, fault) => served(recorded) && isSame(fieldIn(recorded, fault), fault.value),
    atSite: async ({ fault, request, body, isServed, next }) =>
      isServed && body && isSame(body[fault.field ?? ''], fault.value) ? refusal(request) : next(),
  },

  'resets-neighbours': {
    meets: served,
    atSite: async ({ fault, request, body, state, next }) =>
      body && state.written.has(request.path) ? next(withBody(request, { ...fault.values, ...body })) : next(),
  },

  'reply-without-field': replying(() => undefined),
  'reply-with-other-value': replying(otherValue),

  'one-more-element': elements(oneMore),
  'one-fewer-element': elements((value, prefix) => oneFewer(value, (text) => text.startsWith(prefix))),

  leak: {
    meets: (recorded, fault) => served(recorded) && fieldIn(recorded, fault) !== undefined,
    async atSite({ fault: { field = '' }, body, state, next }) {
      const value = body?.[field]
      if (typeof value === 'string') state.secrets.push(value)
      return next()
    },
    async elsewhere({ fault, request, state, next }) {
      const outcome = await next()
      const json = outcome.reply?.json
      const isReader = fault.readers?.some((reader) => isAt(request, reader)) ?? false
      if (!isReader || !isGood(outcome) || !isObject(json) || state.secrets.length === 0) return outcome
      const data = isObject(json.data) ? json.data : {}
      return withJson(request, outcome, { ...json, data: { ...data, leaked: [...state.secrets] } })
    },
  },
}
