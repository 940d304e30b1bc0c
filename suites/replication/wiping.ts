/** Checks of what a cluster loses when it becomes a secondary, for both kinds of replication: values, mounts, auth
 * mounts, policies and tokens (readings of the documents, 50). */
import type { Check, Exchange, Expectation, Mismatch, Operation, Reply, Scope } from '../../harness/vocabulary/index.ts'
import {
  del,
  fieldOf,
  get,
  isObject,
  isRefusal,
  isSuccess,
  mismatch,
  performanceOf,
  post,
  replyLacks,
  StepFailed,
  unreadable,
} from '../../harness/vocabulary/index.ts'
import { aclDocument, governingDocument, token } from '../given.ts'
import { action } from '../records.ts'
import { activated, primaryEnabled, roleCheck, settledBy, unused } from './given.ts'
import { ownSentinel } from './joining.ts'
import type { Replication } from './kind.ts'
import { assertTaken } from './readiness.ts'
import { isThere, openingUp, openUp } from './reading.ts'
import { secondaryEnable } from './roles.ts'
import { marker, sentinel } from './then/sentinels.ts'
import { eventually } from './timing.ts'

/** Something that a cluster holds. */
interface Held {
  readonly words: string
  readonly reading: Exchange
  /** Returns undefined if the reply shows neither presence nor absence. */
  isThere(scope: Scope, reply: Reply): boolean | undefined
}

const onSecond = { cluster: 'second' } as const

/** Performs an operation of the dialect on `second`: by itself, an operation applies to the main cluster. */
const onSecondToo = (operation: Operation) =>
  action(`on second: ${operation.words}`, { provides: operation.provides }, async (scope) => {
    const performance = performanceOf(scope.dialect.operations, operation)
    if (!performance)
      throw new StepFailed('dialect-lacks', { dialect: scope.dialect.id, operation: operation.operation })
    for (const [name, value] of Object.entries(performance.values ?? {})) scope.save(name, scope.fill(value))
    for (const { undo, ...exchange } of performance.exchanges)
      await scope.perform({ ...exchange, ...onSecond, ...(undo ? { undo: { ...undo, ...onSecond } } : {}) })
  })

const isNamed = (reply: Reply, name: string): boolean => {
  const body = isObject(reply.json) ? reply.json : {}
  return [body.data, body].some((part) => isObject(part) && Object.hasOwn(part, name))
}

/** Looks for the mount in the list of all mounts, which servers of this family serve at this path. */
const mountIn = (path: 'sys/mounts' | 'sys/auth', words: string): Held => ({
  words,
  reading: get(path, { ...onSecond, words: `${path} of second is listed` }),
  isThere: (scope, reply) => (isSuccess(reply) ? isNamed(reply, `${scope.value('own')}/`) : undefined),
})

const value: Held = {
  words: 'the value of `own`',
  reading: marker('own', 'second'),
  isThere: (scope, reply) => isThere(scope, 'own', reply),
}
const mount = mountIn('sys/mounts', 'the mount `own`')
const authMount = mountIn('sys/auth', 'the auth mount `own`')
/** Statuses of refusals that are about the caller or the method, not about the object. */
const notAboutThings: ReadonlySet<number> = new Set([401, 403, 405])

const policyPath = (kind: 'acl' | 'rgp' | 'egp'): string => `sys/policies/${kind}/{own}`
const policy = (kind: 'acl' | 'rgp' | 'egp', called: string): Held => ({
  words: `the ${called} \`own\``,
  reading: get(policyPath(kind), { ...onSecond, words: `the ${called} own is read on second` }),
  isThere(_, reply) {
    const text = isSuccess(reply) ? fieldOf(reply, 'policy') : undefined
    if (typeof text === 'string' && text !== '') return true
    const isAbsent = isRefusal(reply) && reply.status < 500 && !notAboutThings.has(reply.status)
    return isSuccess(reply) || isAbsent ? false : undefined
  },
})
/** After a wipe, an old token must not be able to do anything, not even to look itself up. */
const oldToken: Held = {
  words: 'a token made before',
  reading: get('auth/token/lookup-self', { ...onSecond, as: 'held', words: 'the token reads about itself on second' }),
  isThere(_, reply) {
    if (isSuccess(reply)) return true
    return [400, 401, 403, 404].includes(reply.status) ? false : undefined
  },
}

const shown = ({ words, reading, isThere }: Held) =>
  action(`second has ${words}`, { touches: [reading] }, async (scope) => {
    const reply = await scope.send(reading)
    if (!isThere(scope, reply)) throw replyLacks(reply, words)
  })

/** Reads until it is gone; if no reply shows that, until one shows whether it is there. */
async function lastSeen(
  scope: Scope,
  { reading, isThere }: Held,
  within: Parameters<typeof eventually>[3],
): Promise<Reply> {
  const first = await eventually(scope, reading, (seen) => isThere(scope, seen) === false, within)
  if (isThere(scope, first) !== undefined) return first
  return eventually(scope, reading, (seen) => isThere(scope, seen) !== undefined)
}

/** Expects that the cluster no longer has it after becoming a secondary: by the end of the patience or, with `atOnce`,
 * as soon after the reply as the profile defines as immediate. A DR secondary shows its data once it is promoted. */
export const isGone = (of: Replication, held: Held, atOnce = false): Expectation => ({
  words: `second does not have ${held.words} any more${atOnce ? ', at once' : ''}`,
  touches: [...openingUp(of, 'second'), held.reading],
  async judge({ reply: judged, scope }) {
    const { words, reading, isThere } = held
    const replied = performance.now()
    const unlessGone = (seen: Reply, wanted: string): Mismatch | undefined =>
      isThere(scope, seen) ? mismatch(seen, words, wanted, 'still there') : undefined
    if (atOnce) {
      assertTaken(judged)
      // If a cluster denies all reads, its data is read later, below.
      const seen = await eventually(scope, reading, (one) => isThere(scope, one) !== true, 'immediate')
      const found = unlessGone(seen, `gone within ${scope.immediate} s`)
      if (found) return found
    }
    const refusal = await settledBy(judged, scope, of, 'second')
    if (refusal) return refusal
    await openUp(scope, of, 'second')
    const left = scope.immediate - (performance.now() - replied) / 1000
    const reply = await lastSeen(scope, held, atOnce ? Math.max(0, left) : 'effect')
    if (isThere(scope, reply) === undefined) throw unreadable(reply)
    return unlessGone(reply, 'gone')
  },
})

const authMounted: Exchange = post(
  'sys/auth/{own}',
  { type: 'userpass' },
  { ...onSecond, undo: del('sys/auth/{own}', onSecond) },
)
const rules = [{ path: 'sys/mounts', capabilities: ['read'] }]
const written = post(
  policyPath('acl'),
  { policy: '{ownText}' },
  { ...onSecond, undo: del(policyPath('acl'), onSecond) },
)

/** Makes a governing policy that restricts nobody. */
const governing = (kind: 'rgp' | 'egp'): readonly [Operation, Exchange] => [
  governingDocument('ownText', 'allow'),
  post(
    policyPath(kind),
    { policy: '{ownText}', enforcement_level: 'advisory', ...(kind === 'egp' ? { paths: policyPath('acl') } : {}) },
    { ...onSecond, undo: del(policyPath(kind), onSecond) },
  ),
]

export function wipingOf(of: Replication): readonly Check[] {
  const { requirement } = of
  const wiped = (
    id: string,
    held: Held,
    made: Check['given'] & {},
    requirements = ['secondary-enable.clears-data'],
    applies: Pick<Check, 'applies'> = {},
  ) => {
    return roleCheck(id, {
      requirement: requirements.map(requirement),
      ...applies,
      given: [unused('main', 'second'), ...made, shown(held), primaryEnabled(of), activated(of)],
      when: secondaryEnable(of),
      then: [isGone(of, held, requirements[0] === 'secondary-enable.clears-at-once')],
    })
  }
  return [
    // A mount that is not local may be treated otherwise than one that is.
    wiped('secondary-enable-clears-mounts', mount, [sentinel('own', 'second')]),
    // An auth mount may have the name of a secret mount.
    wiped('secondary-enable-clears-auth-mounts', authMount, [sentinel('own', 'second'), authMounted]),
    wiped(
      'secondary-enable-clears-policies',
      policy('acl', 'policy'),
      [aclDocument('ownText', rules), written],
      undefined,
      { applies: { since: '0.9.0' } },
    ),
    ...(['rgp', 'egp'] as const).map((kind) =>
      wiped(`secondary-enable-clears-${kind}s`, policy(kind, kind.toUpperCase()), governing(kind), undefined, {
        applies: { since: '0.9.0', editions: ['premium'] },
      }),
    ),
    wiped('secondary-enable-ends-tokens', oldToken, [onSecondToo(token('held', ['default']))]),
    wiped('secondary-enable-clears-at-once', value, [ownSentinel(of)], ['secondary-enable.clears-at-once']),
  ]
}
