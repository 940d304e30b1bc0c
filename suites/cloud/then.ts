/** Expectations of the provider's state and of replies, which require no more than the documents state. */
import { isDeepStrictEqual } from 'node:util'
import type { LoggedCall, SeenSession, SeenUser } from '../../fixtures/servers/provider/index.ts'
import { secondsAsked } from '../../fixtures/servers/provider/lifetimes.ts'
import type { Expectation, Judgement, Reply, Scope, Seen } from '../../harness/vocabulary/index.ts'
import {
  about,
  isRefusal,
  isSuccess,
  judgementOf,
  mismatch,
  notSuccess,
  StepFailed,
  shortfall,
  shown,
} from '../../harness/vocabulary/index.ts'
import { expectation } from '../records.ts'
import { callCount, calls, seenAccount } from './provider.ts'
import { sameMeaning } from './same-policies.ts'

/** Judges only the calls that `when` caused; `all` has the earlier calls, too. */
export const ofCalls = (
  words: string,
  judge: (log: readonly LoggedCall[], seen: Seen, all: readonly LoggedCall[]) => Judgement,
): Expectation => ({
  words,
  before: callCount,
  async judge(seen, earlier) {
    const all = await calls(seen.scope)
    return judge(all.slice(Number(earlier)), seen, all)
  },
})

/** Each part of what the provider has is judged under one name, whatever check looks at it. */
const partOf = (part: string, of: string): string => `${part} of ${of} at the provider`
const newUser = 'the new user'

/** If a success caused no such call, its parameters cannot be judged; another check judges that the call is made. */
function callIn(log: readonly LoggedCall[], { reply }: Seen, action: string): LoggedCall | undefined {
  const found = log.findLast((call) => call.action === action)
  if (found || !isSuccess(reply)) return found
  throw new StepFailed('provider-shows-no', { what: `call of ${action}`, asked: reply.asked }, reply)
}

/** The last call of an action has the wanted part; `see` returns what it has instead. */
export const sent = (
  action: string,
  part: string,
  words: string,
  see: (call: LoggedCall, scope: Scope, all: readonly LoggedCall[]) => string | undefined,
): Expectation =>
  ofCalls(`\`${action}\` is called with ${words}`, (log, seen, all) => {
    const { reply, scope } = seen
    const call = callIn(log, seen, action)
    if (!call) return notSuccess(reply)
    const wrong = see(call, scope, all)
    return wrong === undefined ? undefined : mismatch(reply, partOf(part, action), words, wrong)
  })

/** One parameter has this value; templates are filled in. */
export const parameter = (action: string, name: string, wanted: string): Expectation =>
  sent(action, name, `${name} ${wanted}`, ({ parameters }, scope) =>
    parameters[name] === scope.fill(wanted) ? undefined : `${name} ${parameters[name] ?? 'not sent'}`,
  )

export const sessionName = (wanted: string): Expectation => parameter('AssumeRole', 'RoleSessionName', wanted)

/** A lifetime in seconds, requested by number or by relying on the provider's default. */
export const lifetime = (action: string, seconds: number): Expectation =>
  sent(action, 'seconds', `a lifetime of ${seconds} seconds`, (call) =>
    secondsAsked(call) === seconds ? undefined : lifetimeOf(call),
  )

const lifetimeOf = (call: LoggedCall): string => {
  const { DurationSeconds } = call.parameters
  return DurationSeconds === undefined
    ? `no DurationSeconds, which is ${secondsAsked(call)} seconds at the provider`
    : `DurationSeconds ${DurationSeconds}`
}

export const noMoreThan = (action: string, seconds: number): Expectation =>
  ofCalls(`\`${action}\` is asked for ${seconds} seconds at most, or the request is refused`, (log, seen) => {
    const { reply } = seen
    const call = callIn(log, seen, action)
    if (!call) return isRefusal(reply) ? undefined : notSuccess(reply)
    if (secondsAsked(call) <= seconds) return undefined
    return mismatch(reply, partOf('seconds', action), `${seconds} seconds at most`, lifetimeOf(call))
  })

const listIn = (parameters: LoggedCall['parameters'], pattern: RegExp): readonly string[] =>
  Object.entries(parameters)
    .filter(([name]) => pattern.test(name))
    .map(([, value]) => value)
    .toSorted()

export const arnsIn = (parameters: LoggedCall['parameters']): readonly string[] =>
  listIn(parameters, /^PolicyArns\.member\.\d+\.arn$/)

export const policyArns = (action: string, wanted: readonly string[]): Expectation =>
  sent(action, 'PolicyArns', `the policy ARNs ${wanted.join(' and ')}`, ({ parameters }, scope, all) => {
    const made = madePolicies(all, scope)
    const saw = arnsIn(parameters).filter((arn) => !made.has(arn))
    return isDeepStrictEqual(saw, wanted.toSorted()) ? undefined : shown(saw)
  })

/** The documents of the managed policies that the target created, by ARN, including those that it has deleted. */
export const madePolicies = (all: readonly LoggedCall[], scope: Scope): ReadonlyMap<string, string> =>
  new Map(
    all
      .filter(({ action, outcome }) => action === 'CreatePolicy' && outcome === 'ok')
      .map(({ parameters: { Path = '/', PolicyName, PolicyDocument = '' } }) => [
        `arn:aws:iam::${scope.value('account')}:policy${Path}${PolicyName}`,
        PolicyDocument,
      ]),
  )

/** The session's policy and its created managed policies together mean the same as all of these documents together. */
export const policies = (action: string, documents: readonly string[]): Expectation =>
  sent(action, 'policy documents', `the policies ${documents.join(' and ')}`, ({ parameters }, scope, all) => {
    const texts = documentsIn(parameters, madePolicies(all, scope))
    return sameMeaning(texts, documents) ? undefined : texts.join(' and ') || 'no policy'
  })

/** The documents of a session: those in the call, and those of managed policies that were created for it. */
export const documentsIn = (
  parameters: LoggedCall['parameters'],
  made: ReadonlyMap<string, string>,
): readonly string[] => [parameters.Policy ?? [], arnsIn(parameters).flatMap((arn) => made.get(arn) ?? [])].flat()

export const tagsIn = (parameters: LoggedCall['parameters']): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(parameters).flatMap(([name, text]) => {
      const member = /^Tags\.member\.(\d+)\.Key$/.exec(name)?.[1]
      return member === undefined ? [] : [[text, parameters[`Tags.member.${member}.Value`] ?? '']]
    }),
  )

/** Returns the tags without those that the server added, which are allowed (reading 70). */
const ofThese = (tags: Readonly<Record<string, string>>, wanted: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(tags).filter(([key]) => Object.hasOwn(wanted, key)))

/** Returns the tags as `key=value`, in which it does not matter which of several signs ends the key: no document says it. */
export const pairsOf = (tags: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(tags).map(([key, value]) => `${key}=${String(value)}`)

export const holdsPairs = (tags: Readonly<Record<string, string>>, wanted: readonly string[]): boolean =>
  wanted.every((pair) => pairsOf(tags).includes(pair))

/** Expects the tags that a list says. */
export const taggedByList = (action: string, wanted: readonly string[]): Expectation =>
  sent(action, 'Tags', `the tags ${wanted.join(' and ')}`, ({ parameters }) => {
    const saw = tagsIn(parameters)
    return holdsPairs(saw, wanted) ? undefined : shown(saw)
  })

export const tagged = (action: string, wanted: Readonly<Record<string, string>>): Expectation =>
  sent(action, 'Tags', `the tags ${shown(wanted)}`, ({ parameters }) => {
    const saw = tagsIn(parameters)
    return isDeepStrictEqual(ofThese(saw, wanted), wanted) ? undefined : shown(saw)
  })

/** The values that a call for a session must carry. A member that is absent here must be absent from the call, except
 * the name, which the server makes if none is given. */
export interface WantedSession {
  readonly name?: string
  readonly roleArn?: string
  readonly seconds?: number
  readonly documents?: readonly string[]
  readonly arns?: readonly string[]
  readonly tags?: Readonly<Record<string, string>>
  readonly externalId?: string
  readonly serial?: string
  readonly code?: string
}

type Part = readonly [what: string, wanted: unknown, saw: unknown, isSame?: boolean]

const orNone = (value: unknown): string => (value === undefined ? 'none' : shown(value))

/** Returns every part that differs. `of` completes its name. */
const wrongParts = (reply: Reply, of: string, parts: readonly Part[]): Judgement =>
  judgementOf(
    ...parts
      .filter(([, wanted, saw, isSame = isDeepStrictEqual(wanted, saw)]) => !isSame)
      .map(([what, wanted, saw]) => mismatch(reply, partOf(what, of), orNone(wanted), orNone(saw))),
  )

/** The call carries every wanted value, and nothing else that widens or narrows what the session may do. */
export const wholeSession = (action: string, wanted: WantedSession): Expectation =>
  ofCalls(`\`${action}\` is called with what the role and the request say, and nothing more`, (log, seen, all) => {
    const { reply, scope } = seen
    const call = callIn(log, seen, action)
    if (!call) return notSuccess(reply)
    const { parameters } = call
    const made = madePolicies(all, scope)
    const { documents = [], arns = [], tags = {} } = wanted
    const texts = documentsIn(parameters, made)
    // A session policy of an assumed role only restricts it, unless the role has policies too (reading 70).
    const isRestricted = action === 'AssumeRole' && documents.length + arns.length === 0
    const ownArns = arnsIn(parameters).filter((arn) => !made.has(arn))
    const fill = (text: string | undefined) => (text === undefined ? undefined : scope.fill(text))
    return wrongParts(reply, action, [
      ['RoleArn', fill(wanted.roleArn), parameters.RoleArn],
      ['RoleSessionName', wanted.name, wanted.name === undefined ? undefined : parameters.RoleSessionName],
      ['policy documents', documents, texts, isRestricted || sameMeaning(texts, documents)],
      ['PolicyArns', arns.toSorted(), isRestricted ? [] : ownArns],
      ['seconds', wanted.seconds ?? 3600, secondsAsked(call)],
      ['Tags', tags, ofThese(tagsIn(parameters), tags)],
      ['ExternalId', wanted.externalId, parameters.ExternalId],
      ['SerialNumber', wanted.serial, parameters.SerialNumber],
      ['TokenCode', wanted.code, parameters.TokenCode],
    ])
  })

/** Exactly one session is opened: further ones would never be ended. */
export const oneSession: Expectation = ofCalls('one session is opened at the provider', (log, { reply }) => {
  const opened = log.filter(
    ({ action, outcome }) => outcome === 'ok' && /^(AssumeRole|GetFederationToken|GetSessionToken)$/.test(action),
  )
  if (opened.length === 0 && isSuccess(reply))
    throw new StepFailed('provider-shows-no', { what: 'session', asked: reply.asked }, reply)
  return opened.length === 1
    ? undefined
    : shortfall(reply, 'sessions opened at the provider', '1', String(opened.length))
})

export const listed = (log: readonly LoggedCall[]): string =>
  log.map(({ action, outcome }) => `${action} (${outcome})`).join(', ') || 'no call'

/** An action was called, and was not refused. */
export const called = (action: string): Expectation =>
  ofCalls(`\`${action}\` is called`, (log, { reply }) =>
    log.some((call) => call.action === action && call.outcome === 'ok')
      ? undefined
      : shortfall(reply, 'calls at the provider', action, listed(log)),
  )

/** No call of these actions that `when` caused was made at the endpoint of the other service. */
export const madeAt = (service: LoggedCall['endpoint'], actions: RegExp): Expectation =>
  about(
    `cloud.root.${service}-endpoint.used`,
    ofCalls(`no call like ${actions.source} is made elsewhere than at \`${service}_endpoint\``, (log, { reply }) => {
      const stray = log.find(({ action, endpoint }) => actions.test(action) && endpoint !== service)
      return (
        stray && mismatch(reply, stray.action, `a call at ${service}_endpoint`, `one at ${stray.endpoint}_endpoint`)
      )
    }),
  )

/** Every call of these actions that `when` caused has this property; other calls are not judged. */
export const everyCall = (
  words: string,
  actions: RegExp,
  see: (call: LoggedCall, scope: Scope) => string | undefined,
): Expectation =>
  ofCalls(words, (log, { reply, scope }) => {
    const judged = log.filter(({ action }) => actions.test(action))
    if (judged.length === 0) {
      if (isSuccess(reply))
        throw new StepFailed('provider-shows-no', { what: `call like ${actions.source}`, asked: reply.asked }, reply)
      return notSuccess(reply)
    }
    const wrong = judged.map((call) => see(call, scope)).find((one) => one !== undefined)
    return wrong === undefined ? undefined : mismatch(reply, 'what the provider saw', `that ${words}`, wrong)
  })

/** The reply holds the temporary credentials that the provider issued for this request (key, secret and token, in any
 * field), and no other secret of the account. */
export const givesSession: Expectation = {
  words: 'the reply holds the credentials that the provider gave',
  before: async (scope) => (await seenAccount(scope)).sessions.map(({ id }) => id),
  async judge({ reply, scope }, before) {
    const { sessions, users } = await seenAccount(scope)
    const text = unescaped(reply)
    const isNew = ({ id }: SeenSession): boolean => !(before as readonly string[]).includes(id)
    const given = sessions.find(
      (one) => isNew(one) && [one.id, one.secret, one.token].every((part) => text.includes(part)),
    )
    if (!given) return shortfall(reply, 'body', 'the credentials that the provider gave', 'none of them')
    const secrets = [...sessions.filter((one) => one !== given), ...users.flatMap(({ keys }) => keys)]
    return noneOf(reply, secrets)
  },
}

const noneOf = (reply: Reply, keys: readonly { readonly id: string; readonly secret: string }[]) => {
  const text = unescaped(reply)
  const leaked = keys.find(({ secret }) => text.includes(secret))
  return leaked ? mismatch(reply, 'body', 'no other secret', `the secret of ${leaked.id}`) : undefined
}

export const unescaped = (reply: Reply): string => (reply.json === undefined ? reply.text : JSON.stringify(reply.json))

/** The users that the engine created: all except those that existed before. */
export async function madeUsers(scope: Scope, besides: readonly string[] = []): Promise<readonly SeenUser[]> {
  const { users } = await seenAccount(scope)
  return users.filter(({ name }) => name !== 'operator' && !besides.includes(name))
}

export const givesUser: Expectation = {
  words: 'the reply holds the key of a new user',
  before: async (scope) => (await madeUsers(scope)).map(({ name }) => name),
  async judge({ reply, scope }, before) {
    const text = unescaped(reply)
    const users = (await madeUsers(scope)).filter(({ name }) => !(before as readonly string[]).includes(name))
    const keys = users.flatMap((one) => one.keys)
    const given = keys.find(({ id, secret }) => text.includes(id) && text.includes(secret))
    if (!given) return shortfall(reply, 'body', 'the key of a new user', `no key of ${users.length} new users`)
    const all = (await seenAccount(scope)).users.flatMap((one) => one.keys)
    return noneOf(
      reply,
      all.filter(({ id }) => id !== given.id),
    )
  },
}

/** The values that a new user must have. The user must not have what is absent here. */
export interface WantedUser {
  readonly attached?: readonly string[]
  readonly documents?: readonly string[]
  readonly groups?: readonly string[]
  readonly tags?: Readonly<Record<string, string>>
  readonly path?: string
  readonly boundary?: string
}

const byName = (users: readonly SeenUser[]): ReadonlyMap<string, SeenUser> =>
  new Map(users.map((one) => [one.name, one]))

/** Exactly one user is new. It has all wanted values and nothing else, and the existing users are unchanged. */
export const wholeUser = (wanted: WantedUser): Expectation => ({
  words: 'one user is new at the provider and has what the role says, and nothing more',
  before: async (scope) => (await seenAccount(scope)).users,
  async judge({ reply, scope }, before) {
    const made = madePolicies(await calls(scope), scope)
    const now = byName((await seenAccount(scope)).users)
    const known = byName(before as readonly SeenUser[])
    const added = [...now.values()].filter(({ name }) => !known.has(name))
    const [user] = added
    if (!user) {
      if (isSuccess(reply)) throw new StepFailed('provider-shows-no', { what: 'new user', asked: reply.asked }, reply)
      return notSuccess(reply)
    }
    const { documents = [], attached = [], groups = [], tags = {}, path = '/' } = wanted
    const texts = [...Object.values(user.inline), ...user.attached.flatMap((arn) => made.get(arn) ?? [])]
    const changed = [...known.values()].find((one) => !isDeepStrictEqual(one, now.get(one.name)))
    return wrongParts(reply, newUser, [
      ['number of new users', 1, added.length],
      ['attached policies', attached.toSorted(), user.attached.filter((arn) => !made.has(arn)).toSorted()],
      ['policy documents', documents, texts, sameMeaning(texts, documents)],
      ['groups', groups.toSorted(), user.groups.toSorted()],
      ['tags', tags, ofThese(user.tags, tags)],
      ['path', path, user.path],
      ['boundary', wanted.boundary, user.boundary],
      ['number of keys', 1, user.keys.length],
      ['another user', undefined, changed?.name],
    ])
  },
})

/** Nothing but the keys of this user changes; without a name, no user changes. A tag that the server adds to this user
 * is allowed (reading 70). */
export const onlyKeysOf = (name?: string): Expectation => ({
  words: name === undefined ? 'no user changes at the provider' : `only the keys of ${name} change at the provider`,
  before: async (scope) => (await seenAccount(scope)).users,
  async judge({ reply, scope }, before) {
    if (!isSuccess(reply)) return notSuccess(reply)
    const was = byName(before as readonly SeenUser[])
    const is = byName((await seenAccount(scope)).users)
    const judgedOf = (user: SeenUser | undefined) =>
      user?.name === name
        ? user && { ...user, keys: [], tags: ofThese(user.tags, was.get(user.name)?.tags ?? {}) }
        : user
    const changed = [...new Set([...was.keys(), ...is.keys()])].find(
      (one) => !isDeepStrictEqual(judgedOf(was.get(one)), judgedOf(is.get(one))),
    )
    if (changed === undefined) return undefined
    const [wanted, saw] = [was, is].map((users) => shown(judgedOf(users.get(changed)) ?? 'no such user', 400))
    return mismatch(reply, `the user ${changed} at the provider`, wanted ?? '', saw)
  },
})

/** Judges a part of the user whose key is given, or else of the last that was created; `see` returns what is wrong with it. */
export const user = (part: string, words: string, see: (user: SeenUser, scope: Scope) => string | undefined) =>
  expectation(`the new user ${words}`, async ({ reply, scope }) => {
    const all = await madeUsers(scope)
    const text = unescaped(reply)
    const made = all.find(({ keys }) => keys.some(({ id }) => text.includes(id))) ?? all.at(-1)
    if (!made) {
      if (isSuccess(reply)) throw new StepFailed('provider-shows-no', { what: 'new user', asked: reply.asked }, reply)
      return shortfall(reply, 'new user at the provider', `one who ${words}`, 'no user')
    }
    const wrong = see(made, scope)
    return wrong === undefined ? undefined : mismatch(reply, partOf(part, newUser), `one who ${words}`, wrong)
  })

/** The document is an inline policy of the user, or a managed policy that was created from it. */
export const hasDocument = (document: string, words = 'has the policy document') =>
  expectation(`the new user ${words}`, async (seen, before) => {
    const made = madePolicies(await calls(seen.scope), seen.scope)
    return user('policy documents', words, ({ inline, attached }) => {
      const texts = [...Object.values(inline), ...attached.flatMap((arn) => made.get(arn) ?? [])]
      return sameMeaning(texts, [document]) ? undefined : shown(texts)
    }).judge(seen, before)
  })
