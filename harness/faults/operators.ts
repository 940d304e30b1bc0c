/** Defines what each fault operator does with a request at its site, and which requests it can bend. */

import { defined } from '../vocabulary/defined.ts'
import { type FaultOperator, isObject, type Json, type JsonObject, type WireFault } from '../vocabulary/index.ts'
import type { WireOutcome, WireRequest } from '../wire/client.ts'
import type { Aside, Play, PlayState } from './play.ts'
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
import { isAt, namedIn, readerBeside, segmentOf, verbOf, withSegment } from './site.ts'
import { isSpelled, mistaken } from './spelled.ts'

/** Longer than the time that the proof calls immediate, and shorter than its patience. */
const lateMs = 700

interface Behaviour {
  /** Tells whether the operator can bend a request that the unchanged server got. `earlier` has the earlier requests
   * of the same check at the site. */
  meets(recorded: Recorded, fault: WireFault, earlier: readonly Recorded[]): boolean
  atSite(play: Play): Promise<WireOutcome>
  /** Handles a request that is not at the site, such as that of a reader. */
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

const fieldIn = (recorded: Recorded, { field = '', at }: WireFault): Json | undefined =>
  bodyOf(recorded)[field] ?? recorded.query?.[field] ?? segmentOf(recorded, at, field)

/** Returns the value of a field in the body, the query or the path of a request. */
const valueIn = ({ body, request, fault: { at } }: Play, field: string): Json | undefined =>
  body?.[field] ?? request.query?.[field] ?? segmentOf(request, at, field)

const withBody = (request: WireRequest, body: JsonObject): WireRequest => ({ ...request, body: JSON.stringify(body) })

const without = <Value>(values: Readonly<Record<string, Value>>, field: string): Record<string, Value> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => name !== field))

/** Returns the request with another value of a field, in the query, the path or the body, wherever the request has
 * it. If the value is undefined, the field is removed. */
function withField(
  { body, request, fault: { at, isQuery } }: Play,
  field: string,
  value: Json | undefined,
): WireRequest {
  if (request.query?.[field] !== undefined || isQuery === true) {
    const others = without(request.query ?? {}, field)
    return { ...request, query: value === undefined ? others : { ...others, [field]: String(value) } }
  }
  if (body?.[field] === undefined && segmentOf(request, at, field) !== undefined)
    return value === undefined ? request : withSegment(request, at, field, String(value))
  const others = without(body ?? {}, field)
  return withBody(request, value === undefined ? others : { ...others, [field]: value })
}

const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  String(one).toLowerCase() === String(other).toLowerCase()

/** Returns the entries of a list in either form, or the keys of an object. */
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

/** Makes an operator that changes a field of each request that has it. */
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
    const value = valueIn(play, field)
    if (value === undefined || !isMet(value)) return play.next()
    return play.next(withField(play, field, change(value, play)))
  },
})

/** Tells whether a valid version of the request is known. */
const isCorrectable = ({ twin }: Recorded, earlier: readonly Recorded[]): boolean =>
  twin !== undefined || earlier.some(served)

/** Tells whether the caller is the right one, so that a refusal is due to the content of the request. */
const isByRightCaller = ({ as, twin }: Recorded): boolean => as === (twin?.as ?? 'operator')

/** Makes an operator that accepts a refused request as if it were its twin, if `isFaulty` is true for it. */
const accepting = (isFaulty: (play: Play) => boolean, meets: Behaviour['meets']): Behaviour => ({
  meets: (recorded, fault, earlier) =>
    refused(recorded) && isCorrectable(recorded, earlier) && meets(recorded, fault, earlier),
  async atSite(play) {
    const outcome = await play.next()
    if (!isRefused(outcome) || !isFaulty(play)) return outcome
    const right = isOtherDeletion(play) ? hiding(play) : await play.doneRight()
    return right && isGood(right) ? right : outcome
  },
  elsewhere: hidingElsewhere,
})

/** Tells whether a deletion was refused because of its object. The server will not delete the object, so it is
 * hidden from readers instead. */
const isOtherDeletion = ({ request, isTwinOfAnother, isByRightCaller: isRight }: Play): boolean =>
  verbOf(request) === 'DELETE' && isTwinOfAnother && isRight

function hiding({ request, state, usual }: Play, answer = usual?.() ?? madeUp(request, 204, '')): WireOutcome {
  state.hidden.add(request.path)
  return isGood(answer) ? answer : madeUp(request, 204, '')
}

/** Makes an operator that changes a field of successful replies. */
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

/** Makes an operator that changes the elements of a list in a reply: of the fault's field, or else of `keys`. */
const elements = (change: (value: Json, state: PlayState) => Json | undefined): Behaviour => ({
  meets: served,
  async atSite({ fault: { field }, request, state, next }) {
    const outcome = await next()
    return fieldChanged(request, outcome, field ?? 'keys', (value) => change(value, state))
  },
})

/** Returns a recorded exchange at the site that was served with another reply than the usual one. */
const sample = ({ fault, all, usual }: Play, isOther: (recorded: Recorded) => boolean): Recorded | undefined => {
  const usualText = usual?.().reply?.text
  return all.find((one) => isAt(one, fault.at) && served(one) && one.reply.text !== usualText && isOther(one))
}

/** Returns the additional requests that an overreaching server would execute: the same request for another value of
 * the fault's field, for the path beside it, for another name in the same collection, or for the same name in
 * another collection. */
function reachedBy(play: Play): readonly WireRequest[] {
  const { fault, request, body, state } = play
  const { field, beside, namesakes, at } = fault
  if (field !== undefined) {
    const own = body?.[field]
    const others = [...(state.values.get(field) ?? [])].filter((value) => value !== own)
    return own === undefined ? [] : others.map((value) => withField(play, field, value))
  }
  if (beside !== undefined) return [{ ...request, path: `/${request.path.split('/')[1]}/${beside}` }]
  const { collection, name } = namedIn(request.path)
  const paths = [...state.shown.keys(), ...state.written.keys()]
  if (namesakes === undefined) {
    const isNext = (one: ReturnType<typeof namedIn>): boolean => one.collection === collection && one.name !== name
    return paths
      .filter((path) => isNext(namedIn(path)))
      .slice(0, 1)
      .map((path) => ({ ...request, path }))
  }
  const isNamesake = (path: string): boolean =>
    isAt({ method: namesakes.method, path }, namesakes) && namedIn(path).name === name && path !== request.path
  return paths.filter(isNamesake).map((path) => {
    const there = state.written.get(path)
    // An object of another kind may need further fields, so they are taken from the request that wrote it.
    return at.method === 'POST' && there !== undefined && body
      ? withBody({ ...request, path }, { ...(JSON.parse(there) as JsonObject), ...body })
      : { ...request, path }
  })
}

/** The meaning of a field may depend on the caller, so the caller's token is used. The caller may have no access to a
 * neighbour, so the operator's token is used for that. */
async function reach(play: Play): Promise<void> {
  const reached = reachedBy(play).filter(({ path }) => path === play.request.path || play.mayTouch(path))
  for (const other of reached) {
    const { method, path, query, body } = other
    if (play.fault.field !== undefined) await play.next(other)
    else await play.asOperator({ method, path, ...defined({ query, body }) })
  }
}

const repeated = ({ request }: Play, { reply }: Recorded): WireOutcome =>
  madeUp(request, reply.status, reply.bytes, reply.headers)

/** Hides objects from readers until they are written again. */
async function hidingElsewhere({ fault, request, state, next }: Aside): Promise<WireOutcome> {
  const verb = verbOf(request)
  if (verb === 'POST') state.hidden.delete(request.path)
  const isReader = fault.readers?.some((reader) => isAt(request, reader)) ?? false
  if (isReader && verb === 'GET' && state.hidden.has(request.path)) return nothingThere(request)
  const outcome = await next()
  if (!isReader || verb !== 'LIST' || state.hidden.size === 0) return outcome
  const hiddenNames = new Set([...state.hidden].map((path) => namedIn(path).name))
  return fieldChanged(request, outcome, 'keys', (keys) =>
    Array.isArray(keys) ? keys.filter((key) => !hiddenNames.has(String(key).replace(/\/$/, ''))) : keys,
  )
}

/** Before a request changes an object, stores what its reader shows, so that the reader can go on showing that. */
const remembering = async ({ fault, request, state, next, ask }: Aside): Promise<WireOutcome> => {
  const path = readerBeside(fault.at, request)
  if (path === undefined || ['GET', 'LIST'].includes(verbOf(request))) return next()
  const before = await ask(path, fault.at.method)
  const outcome = await next()
  if (isGood(outcome)) state.shown.set(path, before)
  return outcome
}

/** The provider stub bends the calls of the target, so nothing is changed on this wire. */
const atProvider: Behaviour = { meets: served, atSite: ({ next }) => next() }

export const plays: Readonly<Record<FaultOperator, Behaviour>> = {
  'spelling-refused': {
    meets: (recorded, fault) => served(recorded) && isSpelled(recorded, fault),
    atSite: async ({ fault, request, next }) => (isSpelled(request, fault) ? refusal(request) : next()),
  },

  'spelling-mistaken': {
    meets: (recorded, fault) => served(recorded) && isSpelled(recorded, fault),
    async atSite({ fault, request, next }) {
      if (!isSpelled(request, fault)) return next()
      const other = mistaken(request, fault)
      return other ? next(other) : madeUp(request, 204, '')
    },
  },

  hollow: {
    meets: served,
    atSite: async ({ isServed, usual, request, next }) => (isServed ? (usual?.() ?? madeUp(request, 204, '')) : next()),
  },

  refuse: { meets: served, atSite: async ({ isServed, request, next }) => (isServed ? refusal(request) : next()) },

  ghost: {
    meets: (recorded, _, earlier) =>
      refused(recorded) && (recorded.as !== 'operator' || isCorrectable(recorded, earlier)),
    async atSite(play) {
      const outcome = await play.next()
      if (!isRefused(outcome)) return outcome
      if (isOtherDeletion(play)) hiding(play)
      else await play.doneRight()
      return outcome
    },
    elsewhere: hidingElsewhere,
  },

  accept: accepting(
    (play) => play.isByRightCaller && (play.differs.size > 0 || play.isTwinOfAnother),
    (recorded) => isByRightCaller(recorded),
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
    atSite: async (play) => (play.isServed ? hiding(play) : play.next()),
    elsewhere: hidingElsewhere,
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
    async atSite(play) {
      if (play.fault.beside !== undefined && play.isServed) {
        await reach(play)
        const outcome = await play.next()
        // The additional request may have made this one fail, but a server with this fault would reply with a success.
        return isGood(outcome) ? outcome : (play.usual?.() ?? outcome)
      }
      const outcome = await play.next()
      if (isGood(outcome)) await reach(play)
      return outcome
    },
    // For a deletion, the neighbours are objects that were written at the same path by another method.
    async elsewhere({ fault, request, state, next }) {
      const outcome = await next()
      const isSame = isAt({ ...request, method: fault.at.method }, fault.at)
      const { namesakes } = fault
      const isNamesake = namesakes !== undefined && isAt({ ...request, method: namesakes.method }, namesakes)
      if ((isSame || isNamesake) && isGood(outcome)) {
        if (verbOf(request) === 'POST') state.written.set(request.path, request.body)
        // An object that can be read exists, even if it was created elsewhere.
        else if (verbOf(request) === 'GET' && !state.written.has(request.path))
          state.written.set(request.path, undefined)
      }
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

  late: {
    meets: served,
    async atSite({ isServed, usual, request, next }) {
      if (!isServed) return next()
      setTimeout(() => void next(), lateMs)
      return usual?.() ?? madeUp(request, 204, '')
    },
  },

  'ignore-field': {
    meets: (recorded, fault) => fieldIn(recorded, fault) !== undefined && served(recorded),
    async atSite(play) {
      const { fault, all } = play
      const { field = '' } = fault
      const value = valueIn(play, field)
      if (value === undefined || !play.isServed) return play.next()
      if (fault.value === undefined && !fault.values) return play.next(withField(play, field, undefined))
      // A required field cannot be removed, so it is ignored by sending its value from another request.
      const other = all
        .map((one) => (isAt(one, fault.at) && served(one) ? fieldIn(one, fault) : undefined))
        .find((one) => one !== undefined && !isSame(JSON.stringify(one), JSON.stringify(value)))
      const outcome = await play.next(withField(play, field, other ?? fault.value ?? value))
      // A server that ignores a value would not refuse it, so a refusal of the other value is replaced by the usual
      // reply.
      return isRefused(outcome) ? (play.usual?.() ?? outcome) : outcome
    },
  },

  'accept-without-field': accepting(
    (play) => valueIn(play, play.fault.field ?? '') === undefined && play.differs.has(play.fault.field ?? ''),
    (recorded, fault) => fieldIn(recorded, fault) === undefined,
  ),

  'accept-other-value': accepting(
    (play) => valueIn(play, play.fault.field ?? '') !== undefined && play.differs.has(play.fault.field ?? ''),
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
    async atSite(play) {
      const { field = '', value = null } = play.fault
      const isMet = play.isServed && valueIn(play, field) === undefined
      return isMet ? play.next(withField(play, field, value)) : play.next()
    },
  },

  'value-refused': {
    meets: (recorded, fault) =>
      (served(recorded) &&
        entriesOf(fieldIn(recorded, fault) ?? String(fieldIn(recorded, fault))).some((one) =>
          isSame(one, fault.value),
        )) ||
      (served(recorded) && isSame(fieldIn(recorded, fault), fault.value)),
    async atSite(play) {
      const value = valueIn(play, play.fault.field ?? '')
      const isMet = value !== undefined && [value, ...entriesOf(value)].some((one) => isSame(one, play.fault.value))
      return play.isServed && isMet ? refusal(play.request) : play.next()
    },
  },

  'value-changed': {
    meets: (recorded, fault) => served(recorded) && isSame(fieldIn(recorded, fault), fault.value),
    async atSite(play) {
      const { field = '', value, values } = play.fault
      const other = values?.[field]
      const isMet = other !== undefined && isSame(valueIn(play, field), value)
      return isMet ? play.next(withField(play, field, other)) : play.next()
    },
  },

  'bound-shifted': {
    meets: (recorded, fault) => served(recorded) && isSame(fieldIn(recorded, fault), fault.value),
    atSite: async (play) =>
      play.isServed && isSame(valueIn(play, play.fault.field ?? ''), play.fault.value)
        ? refusal(play.request)
        : play.next(),
  },

  'resets-neighbours': {
    meets: served,
    atSite: async ({ fault, request, body, state, next }) =>
      body && state.written.has(request.path) ? next(withBody(request, { ...fault.values, ...body })) : next(),
  },

  'reply-without-field': replying(() => undefined),
  'reply-with-other-value': replying(otherValue),

  'one-more-element': elements((value, { prefix = 'assay' }) => oneMore(value, prefix)),
  'one-fewer-element': elements((value, { prefix = 'assay', made }) =>
    oneFewer(value, (text) => text.startsWith(prefix) || made.has(text)),
  ),

  'provider-more': atProvider,
  'provider-fewer': atProvider,
  'provider-other': atProvider,

  'given-though-refused': {
    meets: ({ as, reply }) => as === 'operator' && reply.status >= 400,
    async atSite(play) {
      const outcome = await play.next()
      const isOwn = isRefused(outcome) && play.request.about?.as === 'operator'
      const before = isOwn ? sample(play, () => true) : undefined
      return before ? repeated(play, before) : outcome
    },
  },

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
