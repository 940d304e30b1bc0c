/** Witnesses: they read the state that a request must leave alone, before the request and again afterwards. */
import { isDeepStrictEqual } from 'node:util'
import { type Expectation, type Judgement, judgementOf, type Mismatch } from './check.ts'
import { type AskedRequest, type Exchange, type Json, type Reply, requestOf } from './exchange.ts'
import { type DoesNotApply, isNothingSeen } from './left-open.ts'
import {
  differences,
  fieldsOf,
  isObject,
  isOfTheWay,
  isRefusal,
  isSuccess,
  keysOf,
  notRefusal,
  notSuccess,
  shown,
  statusSeen,
  substanceOf,
  without,
} from './reply.ts'
import type { Scope } from './scope.ts'
import { requestWords } from './sentence.ts'
import { replyLacks, StepFailed, stepRefused } from './step-failed.ts'
import { useName } from './use-name.ts'

/** What one read showed, and the request that read it. */
export interface Sight extends AskedRequest {
  readonly state: Json
}

/** A read that shows whether a request had an effect. */
export interface Witness {
  readonly kind: 'witness'
  /** Completes "… as before": "GET `pki/ca/pem` reads". */
  readonly words: string
  readonly touches: readonly Exchange[]
  /** True if everything that it shows is documented state. Other witnesses read twice before the request, and ignore
   * what differs between the two reads (counters, clocks, request ids). */
  readonly steady: boolean
  /** Throws `StepFailed` if the state cannot be read. */
  look(scope: Scope, moment: 'before' | 'after'): Promise<Sight>
  /** Another read of the same endpoint, which succeeds after the positive twin. Not needed if the twin creates what the
   * witness reads. */
  readonly beside?: Exchange
}

/** Why no read can show whether a refused request had an effect. */
export interface Unseen {
  readonly kind: 'unseen'
  readonly why: string
}
export const unseen = (why: string): Unseen => ({ kind: 'unseen', why })

/** An exchange stands for a witness of everything that its reply shows. */
export type Watched = Exchange | Witness

/** Statuses that refuse the read itself, so they do not show whether anything is there. */
const silent: ReadonlySet<number> = new Set([401, 403, 405, 408])

interface ReadOptions {
  /** Only these fields count: the other fields of a server may differ from one read to the next (readings 53). */
  readonly fields?: readonly string[]
  /** A 500 means that nothing is there, as on some servers without a CA. Otherwise a 500 shows nothing. */
  readonly absentAs500?: boolean
  readonly beside?: Exchange
}

/** A read was refused: either nothing is there, or the target does not serve the read at all. */
class ReadRefused extends StepFailed<'unreadable'> {}

/** Returns the reply to a read; throws if the read itself was refused. */
export function readable(reply: Reply, absentAs500 = false): Reply {
  if (isOfTheWay(reply)) throw stepRefused(reply)
  if (!silent.has(reply.status) && (reply.status < 500 || (absentAs500 && reply.status === 500))) return reply
  throw new ReadRefused('unreadable', { asked: reply.asked, answer: statusSeen(reply) }, reply)
}

/** Makes the witness of what an exchange shows. */
export function reads(exchange: Exchange, { fields, absentAs500, beside }: ReadOptions = {}): Witness {
  return {
    kind: 'witness',
    words: `${requestWords(exchange)} reads`,
    touches: [exchange, ...(beside ? [beside] : [])],
    ...(beside ? { beside } : {}),
    steady: fields !== undefined,
    async look(scope) {
      const reply = readable(await scope.send(exchange), absentAs500)
      return { ...requestOf(reply), state: fields ? fieldsOf(reply, fields) : substanceOf(reply) }
    },
  }
}

/** Makes the witness of the names in a list, in any order. With `name`, it shows only whether the list contains that name: for
 * lists that others change meanwhile, beside another witness, since one that cannot be read does not contain it. */
export function lists(exchange: Exchange, name?: string): Witness {
  return {
    kind: 'witness',
    words: `${requestWords(exchange)} ${name === undefined ? 'lists' : `shows or lacks \`${name.replace(useName, '')}\``}`,
    touches: [exchange],
    steady: true,
    async look(scope) {
      const reply = await scope.send(exchange)
      const listed = isSuccess(reply) ? keysOf(reply) : undefined
      const keys = listed ?? (name === undefined || isOfTheWay(reply) ? keysOf(readable(reply)) : [])
      if (!keys) throw replyLacks(reply, 'a list of names')
      const wanted = name && [scope.fill(name), `${scope.fill(name)}/`]
      return { ...requestOf(reply), state: keys.filter((key) => !wanted || wanted.includes(key)).toSorted() }
    },
  }
}

/** Makes the witness of whether a request succeeds: for state that no read shows, such as a key. */
export function works(exchange: Exchange): Witness {
  return {
    kind: 'witness',
    words: `${requestWords(exchange)} succeeds`,
    touches: [exchange],
    steady: true,
    async look(scope, moment) {
      const reply = await scope.send(exchange)
      if (!isSuccess(reply) && moment === 'before') throw stepRefused(reply)
      return { ...requestOf(reply), state: isSuccess(reply) ? '2xx' : statusSeen(reply) }
    },
  }
}

/** Expects any 4xx or 5xx, and that the witnesses show the same state as before. The request is sent even if the
 * witnesses can show nothing, because a success alone is a finding. */
export function refused(witness: Watched | Unseen, ...more: readonly Watched[]): Expectation {
  if (witness.kind === 'unseen') {
    const words = `the request is refused (no effect is looked for: ${witness.why})`
    return { words, refuses: true, judge: ({ reply }) => notRefused(reply) }
  }
  const witnesses = [witness, ...more].map(witnessOf)
  return {
    words: `the request is refused, and ${witnesses.map(asBefore).join(', and ')}`,
    refuses: true,
    touches: witnesses.flatMap(({ touches }) => touches),
    before: (scope) => rememberAll(witnesses, scope),
    judge: async ({ reply, scope }, before) =>
      notRefused(reply) ?? (await changeSince(before as readonly Memory[], scope)),
    confirm: (scope, before) => seeReads(before as readonly Memory[], scope),
  }
}

/** Expects the same of the judged request and of further ones, which are sent after it. */
export function eachRefused(further: readonly Exchange[], witness: Watched, ...more: readonly Watched[]): Expectation {
  const one = refused(witness, ...more)
  return {
    ...one,
    words: `${one.words}; so is ${further.map(requestWords).join(', and ')}`,
    touches: [...further, ...(one.touches ?? [])],
    async judge({ reply, scope }, before) {
      let found: Judgement = notRefused(reply)
      for (const exchange of further) found = judgementOf(found, notRefused(await scope.send(exchange)))
      return found ?? one.judge({ reply, scope }, before)
    },
  }
}

/** Expects the witness to show the same state after `when` as before. */
export function unchanged(watched: Watched): Expectation {
  const witness = witnessOf(watched)
  return {
    words: asBefore(witness),
    touches: witness.touches,
    async before(scope) {
      const memories = await rememberAll([witness], scope)
      for (const { trouble } of memories) if (trouble) throw trouble
      return memories
    },
    judge: ({ scope }, before) => changeSince(before as readonly Memory[], scope),
  }
}

/** Expects the request to succeed and the witness to show another state afterwards. If the state is the same, the check
 * is `not-verified`: the effect may show elsewhere. */
export const takesEffect = (watched: Watched): Expectation =>
  effect(watched, (reply, sight) => {
    throw new StepFailed('no-effect', { asked: reply.asked, seenBy: sight.asked }, requestOf(sight))
  })

/** Expects the same of an effect that must be readable: an unchanged state is a mismatch. */
export const appears = (watched: Watched): Expectation =>
  effect(watched, (_, sight) => ({
    ...requestOf(sight),
    ...{ at: 'reply', wanted: `otherwise than before: ${stateShown(sight.state)}`, saw: stateShown(sight.state) },
  }))

function effect(watched: Watched, unseenEffect: (reply: Reply, sight: Sight) => Mismatch): Expectation {
  const witness = witnessOf(watched)
  return {
    words: `the request succeeds, and ${witness.words} otherwise than before`,
    touches: witness.touches,
    before: (scope) => remember(witness, scope),
    async judge({ reply, scope }, before) {
      if (!isSuccess(reply)) return notSuccess(reply)
      const { state, restless, trouble } = before as Memory
      // A read of something absent may be refused with any status; that it can be read afterwards is the effect
      // (readings, 55).
      if (trouble && !(trouble instanceof ReadRefused)) throw trouble
      const sight = await witness.look(scope, 'after')
      const earlier: Json = trouble ? { present: false } : state
      if (!isDeepStrictEqual(without(sight.state, restless), earlier)) return undefined
      return unseenEffect(reply, sight)
    },
  }
}

const witnessOf = (watched: Watched): Witness => (watched.kind === 'witness' ? watched : reads(watched))
const asBefore = ({ words }: Witness): string => `${words} as before`

function notRefused(reply: Reply): Mismatch | undefined {
  if (isOfTheWay(reply)) throw stepRefused(reply)
  return isRefusal(reply) ? undefined : notRefusal(reply)
}

/** What a witness showed before the request. */
interface Memory {
  readonly witness: Witness
  readonly state: Json
  /** JSON pointers of the values that change by themselves. */
  readonly restless: ReadonlySet<string>
  /** Why the state could not be read. */
  readonly trouble?: StepFailed | DoesNotApply
}

const rememberAll = async (witnesses: readonly Witness[], scope: Scope): Promise<readonly Memory[]> => {
  const memories: Memory[] = []
  for (const witness of witnesses) memories.push(await remember(witness, scope))
  return memories
}

async function remember(witness: Witness, scope: Scope): Promise<Memory> {
  try {
    const { state } = await witness.look(scope, 'before')
    const restless = witness.steady
      ? new Set<string>()
      : differences(state, (await witness.look(scope, 'before')).state)
    return { witness, restless, state: without(state, restless) }
  } catch (trouble) {
    if (!isNothingSeen(trouble)) throw trouble
    return { witness, restless: new Set(), state: null, trouble }
  }
}

/** Returns the changes that the witnesses show. They are reported even if another witness could not read its state;
 * without a change, that witness's error is thrown. */
async function changeSince(memories: readonly Memory[], scope: Scope): Promise<Judgement> {
  let found: Judgement
  let troubled: Memory['trouble']
  for (const memory of memories)
    try {
      found = judgementOf(found, await changeOf(memory, scope))
    } catch (error) {
      if (!isNothingSeen(error)) throw error
      troubled ??= error
    }
  if (troubled && !found) throw troubled
  return found
}

async function changeOf({ witness, state, restless, trouble }: Memory, scope: Scope): Promise<Mismatch | undefined> {
  if (trouble instanceof ReadRefused && (await isRefusedAgain(witness, trouble, scope))) return undefined
  if (trouble) throw trouble
  const sight = await witness.look(scope, 'after')
  const after = without(sight.state, restless)
  if (isDeepStrictEqual(after, state)) return undefined
  return { ...requestOf(sight), at: 'reply', wanted: `as before: ${stateShown(state)}`, saw: stateShown(after) }
}

function stateShown(state: Json): string {
  if (!isObject(state) || typeof state.present !== 'boolean') return shown(state)
  return state.present ? shown(state.body) : 'nothing there'
}

/** Any refusal may mean that nothing is there (readings 55), so the same status again may be an unchanged state. */
async function isRefusedAgain(witness: Witness, before: ReadRefused, scope: Scope): Promise<boolean> {
  try {
    await witness.look(scope, 'after')
    return false
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error
    return error instanceof ReadRefused && error.reply?.status === before.reply?.status
  }
}

/** Once the positive twin has created what is read, a read that was refused before must succeed: otherwise its refusals
 * showed nothing about the state. */
async function seeReads(memories: readonly Memory[], scope: Scope): Promise<void> {
  for (const { witness, trouble } of memories) {
    if (!(trouble instanceof ReadRefused)) continue
    if (witness.beside && isSuccess(await scope.send(witness.beside))) continue
    try {
      await witness.look(scope, 'after')
    } catch (error) {
      throw error instanceof StepFailed ? trouble : error
    }
  }
}
