/** Static roles, the users they rotate, and what the provider shows of them. */
import { managedPolicy } from '../../fixtures/cloud/policies.ts'
import type { AccountState, SeenUser } from '../../fixtures/servers/provider/index.ts'
import type {
  Exchange,
  Expectation,
  Json,
  JsonObject,
  Judgement,
  Reply,
  Scope,
  Step,
} from '../../harness/vocabulary/index.ts'
import { del, get, isSuccess, mismatch, post, replyLacks, StepFailed, shown } from '../../harness/vocabulary/index.ts'
import { action, expectation } from '../records.ts'
import { rootBody, rooted, writeRoot } from './given.ts'
import { seenAccount } from './provider.ts'

export const adopted = 'adopted'
/** The shortest allowed period, so that a run in real time waits as little as possible. */
export const period = 60

export const staticPath = '{mount}/static-roles/{use}keeper'
export const staticBody = (fields: JsonObject = {}): JsonObject => ({
  username: adopted,
  rotation_period: period,
  ...fields,
})
export const writeStatic = (fields: JsonObject = {}): Exchange => post(staticPath, staticBody(fields))
export const readStatic = get(staticPath)
export const deleteStatic = del(staticPath)
/** The name of the first one begins with this one, which some checks delete. */
export const otherStaticPath = '{mount}/static-roles/{use}keep'
export const deleteOtherStatic = del(otherStaticPath)
export const staticCreds = get('{mount}/static-creds/{use}keeper')

/** An account with the adopted user and a second one. Both have groups or policies, so that their loss is noticed. */
export const twoUsers: AccountState = {
  groups: [{ name: 'devs' }],
  users: [
    { name: adopted, groups: ['devs'], policyArns: [managedPolicy('ReadOnlyAccess')] },
    { name: 'second-user', groups: ['devs'], keys: 1 },
  ],
}

/** Prepares a mount, and a user at the provider with this number of keys. */
export const withUser = (keys = 0): readonly Step[] => rooted(userWith(keys))
const userWith = (keys: number): AccountState => ({ users: [{ name: adopted, keys }] })

export async function adoptedUser(scope: Scope): Promise<SeenUser | undefined> {
  return (await seenAccount(scope)).users.find(({ name }) => name === adopted)
}

/** Returns the id of the user's key that is in the reply, in any field, together with its secret. */
export function keyIn(reply: Reply, user: SeenUser | undefined): string | undefined {
  const text = shown(reply.json, 1e6)
  return user?.keys.find(({ id, secret }) => text.includes(id) && text.includes(secret))?.id
}

/** The second user of `twoUsers`, which has a key of its own. */
export const userBeside = 'second-user'

/** Replaces the key in the root configuration by that of the user `spare`, which the account must have. */
export const rootReplaced: readonly Step[] = [
  action('the key of another user is `second`', { provides: ['second', 'secondSecret'] }, async (scope) => {
    const key = (await seenAccount(scope)).users.find(({ name }) => name === 'spare')?.keys[0]
    if (!key) throw new StepFailed('provider-shows-no', { what: 'key of spare' })
    scope.save('second', key.id)
    scope.save('secondSecret', key.secret, { secret: true })
  }),
  writeRoot(rootBody({ access_key: '{second}', secret_key: '{secondSecret}' })),
]

/** Repeats the request until `see` finds something, or the target has had its time. */
async function foundSoon<Found>(
  scope: Scope,
  exchange: Exchange,
  first: Reply,
  see: (reply: Reply) => Promise<Found | undefined>,
): Promise<{ readonly reply: Reply; readonly found: Found | undefined }> {
  let found = await see(first)
  if (found !== undefined) return { reply: first, found }
  const reply = await scope.poll(exchange, async (next) => {
    found = await see(next)
    return found !== undefined
  })
  return { reply, found }
}

/** Judges replies to `exchange` until the expectation is met or the target has had its time: the documents do not say
 * that a key exists before the reply to the request for which it is made. */
export const soon = (expectation: Expectation, exchange: Exchange = staticCreds): Expectation => ({
  ...expectation,
  touches: [...(expectation.touches ?? []), exchange],
  async judge({ reply: first, scope }, before) {
    let wrong: Judgement
    await foundSoon(scope, exchange, first, async (reply) => {
      wrong = await expectation.judge({ reply, scope }, before)
      return wrong === undefined ? true : undefined
    })
    return wrong
  },
})

const remember = (as: string, words: string) =>
  action(words, { touches: [staticCreds], provides: [as] }, async (scope) => {
    const { reply, found } = await foundSoon(scope, staticCreds, await scope.send(staticCreds), async (reply) =>
      isSuccess(reply) ? keyIn(reply, await adoptedUser(scope)) : undefined,
    )
    if (found === undefined) throw replyLacks(reply, 'a key of the user')
    scope.save(as, found)
  })

/** Saves as `{first}` the key that the static role gives. */
export const firstGiven = remember('first', 'the static role gives the key `first`')

/** The static role exists; `{first}` is the key that it gives. */
export const configured = (fields: JsonObject = {}, keys = 0): readonly Step[] => [
  ...withUser(keys),
  writeStatic(fields),
  firstGiven,
]

export const passes = (seconds: number, why = 'keys are rotated by time') =>
  action(`${seconds} seconds pass`, {}, (scope) => scope.time.pass(seconds, why))

/** Servers look for due keys periodically, so time passes in steps of these seconds until a key is rotated. */
const step = 10
const steps = 8

/** Lets the period pass, and then the time that a server may need to notice its end. */
async function rotationAwaited(scope: Scope, known: string): Promise<void> {
  await scope.time.pass(period + 2, 'keys are rotated by time')
  for (let n = 0; n < steps && (await newestKey(scope)) === known; n++)
    await scope.time.pass(step, 'a rotation may come a little late')
}

/** Waits as long as the longest wait for a rotation, for checks in which no rotation may happen. */
export const withoutRotation = {
  kind: 'ceremony' as const,
  words: `more than the rotation period of ${period} seconds passes`,
  touches: [staticCreds],
  async run(scope: Scope): Promise<Reply> {
    await scope.time.pass(period + 2, 'keys are rotated by time')
    for (let n = 0; n < steps; n++) await scope.time.pass(step, 'a rotation may come a little late')
    return scope.send(staticCreds)
  },
}

const newestKey = async (scope: Scope): Promise<string | undefined> => (await adoptedUser(scope))?.keys.at(-1)?.id

/** Waits for a rotation while the key of this name is the newest, and returns the reply to `static-creds`. */
export const afterRotation = (known: string) => ({
  kind: 'ceremony' as const,
  words: `the rotation period of ${period} seconds passes`,
  touches: [staticCreds],
  async run(scope: Scope): Promise<Reply> {
    await rotationAwaited(scope, scope.value(known))
    return scope.send(staticCreds)
  },
})

const rotatedFrom = (known: string, made: string, which: string) =>
  action(`the ${which} rotation has come, and \`${made}\` is its key`, { provides: [made] }, async (scope) => {
    await rotationAwaited(scope, scope.value(known))
    const newest = await newestKey(scope)
    if (newest === undefined || newest === scope.value(known))
      throw new StepFailed('not-in-time', { what: `the ${which} rotation`, saw: `the key \`${known}\`` })
    scope.save(made, newest)
  })

/** The first rotation has happened; `{second}` is the key that is given since then. */
export const rotatedOnce: readonly Step[] = [rotatedFrom('first', 'second', 'first')]
/** The second rotation has happened, too; `{third}` is its key. */
export const rotatedAgain: readonly Step[] = [rotatedFrom('second', 'third', 'second')]

/** Judges the user's keys, oldest first; `see` returns what is wrong. */
export const keysAre = (words: string, see: (keys: readonly string[], scope: Scope) => string | undefined) =>
  expectation(words, async ({ reply, scope }) => {
    const seen = await adoptedUser(scope)
    const wrong = see(
      (seen?.keys ?? []).map(({ id }) => id),
      scope,
    )
    return wrong === undefined
      ? undefined
      : mismatch(reply, `what the provider has of ${adopted}`, `such that ${words}`, wrong)
  })

/** Judges the user's keys after a success until they are right, or the target has had its time. */
export const keysComeToBe = (...parameters: Parameters<typeof keysAre>): Expectation => {
  const now = keysAre(...parameters)
  return { ...soon(now), judge: (seen, before) => (isSuccess(seen.reply) ? soon(now) : now).judge(seen, before) }
}

/** Lets time pass, and returns the reply to `static-creds` afterwards. */
export const after = (seconds: number) => ({
  kind: 'ceremony' as const,
  words: `${seconds} seconds pass`,
  touches: [staticCreds],
  async run(scope: Scope): Promise<Reply> {
    await scope.time.pass(seconds, 'keys are rotated by time')
    return scope.send(staticCreds)
  },
})

export const periods: readonly (readonly [id: string, value: Json])[] = [
  ['duration', '24h'],
  ['number', 86_400],
]
