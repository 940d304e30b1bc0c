/** What can be expected at the provider, and of replies, without asking for more than the document says. */
import { isDeepStrictEqual } from 'node:util'
import { meaningOf } from '../../fixtures/cloud/policies.ts'
import { type LoggedCall, type SeenUser, secondsAsked } from '../../fixtures/provider/index.ts'
import type { Expectation, Mismatch, Reply, Scope, Seen } from '../../harness/vocabulary/index.ts'
import { isRefusal, isSuccess, matcher, mismatch, StepFailed, shown } from '../../harness/vocabulary/index.ts'
import { callCount, calls, seenAccount } from './provider.ts'

const statusOf = (reply: Reply): string => `status ${reply.status} ${shown(reply.text, 120)}`

/** Judges the calls that `when` made, and none before it. */
export const ofCalls = (
  words: string,
  judge: (log: readonly LoggedCall[], seen: Seen, all: readonly LoggedCall[]) => Mismatch | undefined,
): Expectation => ({
  words,
  before: callCount,
  async judge(seen, earlier) {
    const all = await calls(seen.scope)
    return judge(all.slice(Number(earlier)), seen, all)
  },
})

/** A success without the call leaves what it would have carried unseen; that the call is made is judged by itself. */
function callIn(log: readonly LoggedCall[], { reply }: Seen, action: string): LoggedCall | undefined {
  const found = log.findLast((call) => call.action === action)
  if (found || !isSuccess(reply)) return found
  throw new StepFailed(`${reply.asked} succeeded and the provider saw no ${action}`, reply)
}

/** The last call of an action carries what is wanted; `see` says what it carries instead. */
export const sent = (
  action: string,
  words: string,
  see: (call: LoggedCall, scope: Scope, all: readonly LoggedCall[]) => string | undefined,
): Expectation =>
  ofCalls(`\`${action}\` is called with ${words}`, (log, seen, all) => {
    const { reply, scope } = seen
    const call = callIn(log, seen, action)
    if (!call) return mismatch(reply, `${action} at the provider`, words, `no call; ${statusOf(reply)}`)
    const wrong = see(call, scope, all)
    return wrong === undefined ? undefined : mismatch(reply, `${action} at the provider`, words, wrong)
  })

/** One parameter has this value; templates are filled. */
export const parameter = (action: string, name: string, wanted: string): Expectation =>
  sent(action, `${name} ${wanted}`, ({ parameters }, scope) =>
    parameters[name] === scope.fill(wanted) ? undefined : `${name} ${parameters[name] ?? 'not sent'}`,
  )

/** A lifetime in seconds, asked for by number or by leaving it to the provider. */
export const lifetime = (action: string, seconds: number): Expectation =>
  sent(action, `a lifetime of ${seconds} seconds`, (call) =>
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
    if (!call) return isRefusal(reply) ? undefined : mismatch(reply, action, action, statusOf(reply))
    if (secondsAsked(call) <= seconds) return undefined
    return mismatch(reply, `${action} at the provider`, `${seconds} seconds at most`, lifetimeOf(call))
  })

const listIn = (parameters: LoggedCall['parameters'], pattern: RegExp): readonly string[] =>
  Object.entries(parameters)
    .filter(([name]) => pattern.test(name))
    .map(([, value]) => value)
    .toSorted()

const arnsIn = (parameters: LoggedCall['parameters']): readonly string[] =>
  listIn(parameters, /^PolicyArns\.member\.\d+\.arn$/)

export const policyArns = (action: string, wanted: readonly string[]): Expectation =>
  sent(action, `the policy ARNs ${wanted.join(' and ')}`, ({ parameters }) => {
    const saw = arnsIn(parameters)
    return isDeepStrictEqual(saw, wanted.toSorted()) ? undefined : shown(saw)
  })

/** What the managed policies say that the target made of documents, by ARN: those that it has taken back, too. */
const madePolicies = (all: readonly LoggedCall[], scope: Scope): ReadonlyMap<string, string> =>
  new Map(
    all
      .filter(({ action, outcome }) => action === 'CreatePolicy' && outcome === 'ok')
      .map(({ parameters: { Path = '/', PolicyName, PolicyDocument = '' } }) => [
        `arn:aws:iam::${scope.value('account')}:policy${Path}${PolicyName}`,
        PolicyDocument,
      ]),
  )

/** The session's policy, and what managed policies it has that were made, say what all of these documents say together. */
export const policies = (action: string, documents: readonly string[]): Expectation =>
  sent(action, `the policies ${documents.join(' and ')}`, ({ parameters }, scope, all) => {
    const wanted = documents.flatMap((text) => meaningOf(text) ?? []).toSorted()
    const made = madePolicies(all, scope)
    const texts = [parameters.Policy ?? [], arnsIn(parameters).flatMap((arn) => made.get(arn) ?? [])].flat()
    const saw = texts.flatMap((text) => meaningOf(text) ?? []).toSorted()
    return isDeepStrictEqual(saw, wanted) ? undefined : texts.join(' and ') || 'no policy'
  })

export const tag = (action: string, key: string, value: string): Expectation =>
  sent(action, `the tag ${key}=${value}`, ({ parameters }) => {
    const saw = Object.entries(parameters).flatMap(([name, text]) => {
      const member = /^Tags\.member\.(\d+)\.Key$/.exec(name)?.[1]
      return member === undefined ? [] : [`${text}=${parameters[`Tags.member.${member}.Value`]}`]
    })
    return saw.includes(`${key}=${value}`) ? undefined : shown(saw)
  })

export const listed = (log: readonly LoggedCall[]): string =>
  log.map(({ action, outcome }) => `${action} (${outcome})`).join(', ') || 'no call'

/** An action was called, and was not refused. */
export const called = (action: string): Expectation =>
  ofCalls(`\`${action}\` is called`, (log, { reply }) =>
    log.some((call) => call.action === action && call.outcome === 'ok')
      ? undefined
      : mismatch(reply, 'call at the provider', action, `${listed(log)}; ${statusOf(reply)}`),
  )

/** Every call of `when` of these actions was made in this way; how others are made is not judged. */
export const everyCall = (
  words: string,
  actions: RegExp,
  see: (call: LoggedCall, scope: Scope) => string | undefined,
): Expectation =>
  ofCalls(words, (log, { reply, scope }) => {
    const judged = log.filter(({ action }) => actions.test(action))
    if (judged.length === 0) {
      if (isSuccess(reply)) throw new StepFailed(`${reply.asked} called nothing of the kind at the provider`, reply)
      return mismatch(reply, 'what the provider saw', `that ${words}`, `${listed(log)}; ${statusOf(reply)}`)
    }
    const wrong = judged.map((call) => see(call, scope)).find((one) => one !== undefined)
    return wrong === undefined ? undefined : mismatch(reply, 'what the provider saw', `that ${words}`, wrong)
  })

/** The reply holds temporary credentials that the provider gave in this account: key, secret and token, wherever they stand. */
export const givesSession: Expectation = {
  words: 'the reply holds the credentials that the provider gave',
  async judge({ reply, scope }) {
    const { sessions } = await seenAccount(scope)
    const text = unescaped(reply)
    if (sessions.some(({ id, secret, token }) => [id, secret, token].every((part) => text.includes(part))))
      return undefined
    return mismatch(reply, 'body', 'the credentials that the provider gave', statusOf(reply))
  },
}

const unescaped = (reply: Reply): string => (reply.json === undefined ? reply.text : JSON.stringify(reply.json))

/** The users that the engine made: all but those who were there. */
export async function madeUsers(scope: Scope, besides: readonly string[] = []): Promise<readonly SeenUser[]> {
  const { users } = await seenAccount(scope)
  return users.filter(({ name }) => name !== 'operator' && !besides.includes(name))
}

export const givesUser: Expectation = {
  words: 'the reply holds the key of a new user',
  async judge({ reply, scope }) {
    const text = unescaped(reply)
    const users = await madeUsers(scope)
    if (users.some(({ keys }) => keys.some(({ id, secret }) => text.includes(id) && text.includes(secret))))
      return undefined
    return mismatch(reply, 'body', 'the key of a new user', `${users.length} new users; ${statusOf(reply)}`)
  },
}

/** The user that was made is as wanted; `see` says what it is instead. */
export const user = (words: string, see: (user: SeenUser, scope: Scope) => string | undefined): Expectation => ({
  words: `the new user ${words}`,
  async judge({ reply, scope }) {
    const made = (await madeUsers(scope)).at(-1)
    if (!made) {
      if (isSuccess(reply)) throw new StepFailed(`${reply.asked} succeeded and the provider has no new user`, reply)
      return mismatch(reply, 'new user at the provider', `one who ${words}`, `no user; ${statusOf(reply)}`)
    }
    const wrong = see(made, scope)
    return wrong === undefined
      ? undefined
      : mismatch(reply, `user ${made.name} at the provider`, `one who ${words}`, wrong)
  },
})

/** As a policy of the user's own, or as a managed one that was made of it. */
export const hasDocument = (document: string, words = 'has the policy document'): Expectation => ({
  words: `the new user ${words}`,
  async judge(seen, before) {
    const made = madePolicies(await calls(seen.scope), seen.scope)
    return user(words, ({ inline, attached }) => {
      const texts = [...Object.values(inline), ...attached.flatMap((arn) => made.get(arn) ?? [])]
      return texts.some((text) => shown(meaningOf(text)) === shown(meaningOf(document))) ? undefined : shown(texts)
    }).judge(seen, before)
  },
})

const perUnit: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 }
/** A duration in seconds, as digits, or as a string with units. */
export const seconds = (wanted: number) =>
  matcher(`${wanted} seconds`, (value) => {
    const text = String(value)
    if (/^\d+$/.test(text)) return Number(text) === wanted
    if (!/^(\d+[hms])+$/.test(text)) return false
    const sum = [...text.matchAll(/(\d+)([hms])/g)].reduce(
      (all, [, n, unit]) => all + Number(n) * (perUnit[unit ?? ''] ?? 0),
      0,
    )
    return sum === wanted
  })
export const count = (wanted: number) => matcher(String(wanted), (value) => String(value) === String(wanted))
