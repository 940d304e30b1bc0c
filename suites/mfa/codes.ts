/** One-time codes as an authenticator makes them (otplib), and logins with a code. The dialect provides the login,
 * because no documented endpoint validates a code. */
import type { Action, Ceremony, Expectation, Operation, Reply, Scope, Step } from '../../harness/vocabulary/index.ts'
import { DoesNotApply, isSuccess, mismatch, operation, StepFailed, shortfall } from '../../harness/vocabulary/index.ts'
import { action } from '../records.ts'

/** A method with all fields that a code depends on, so that a code can be computed without asking the server. */
export interface Authenticator {
  readonly period: number
  readonly digits: 6 | 8
  readonly algorithm: 'SHA1' | 'SHA256' | 'SHA512'
}

const hashes = { SHA1: 'sha1', SHA256: 'sha256', SHA512: 'sha512' } as const

async function codeAt(
  scope: Scope,
  { period, digits, algorithm }: Authenticator,
  seconds: number,
  secret = 'secret',
): Promise<string> {
  const { createGuardrails, generateSync } = await import('otplib')
  return generateSync({
    secret: scope.value(secret),
    period,
    digits,
    algorithm: hashes[algorithm],
    epoch: seconds,
    // Another check judges the length of keys.
    guardrails: createGuardrails({ MIN_SECRET_BYTES: 1 }),
  })
}

const secondsNow = async (scope: Scope): Promise<number> => Math.floor((await scope.time.now()) / 1000)

/** Returns the code of a time step relative to the present one; -1 is the step before. */
async function codeOfStep(scope: Scope, authenticator: Authenticator, step: number): Promise<string> {
  return codeAt(scope, authenticator, (await secondsNow(scope)) + step * authenticator.period)
}

/** Returns a code that no nearby time step has. */
async function wrongCode(scope: Scope, authenticator: Authenticator): Promise<string> {
  const now = await secondsNow(scope)
  const steps = [-3, -2, -1, 0, 1, 2, 3]
  const near = await Promise.all(steps.map((step) => codeAt(scope, authenticator, now + step * authenticator.period)))
  const codes = Array.from({ length: 8 }, (_, digit) => String(digit).repeat(authenticator.digits))
  return codes.find((code) => !near.includes(code)) ?? ''
}

/** Sends the login. Its token, if there is one, is `{signedIn}`. */
async function signIn(scope: Scope, code: string, user = 'user'): Promise<Reply> {
  scope.save('code', code, { secret: true })
  const args = { user, method: 'method', code: 'code', as: 'signedIn' }
  const exchanges = scope.dialect.operations.loginWithCode?.(args).exchanges
  if (!exchanges) throw new StepFailed('dialect-lacks', { dialect: scope.dialect.id, operation: 'loginWithCode' })
  let last: Reply | undefined
  for (const exchange of exchanges) last = await scope.send(exchange)
  if (!last) throw new StepFailed('dialect-lacks', { dialect: scope.dialect.id, operation: 'loginWithCode' })
  return last
}

const isSignedIn = (scope: Scope, reply: Reply, as = 'signedIn'): boolean =>
  isSuccess(reply) && scope.has(as) && scope.value(as) !== ''

export const givesToken: Expectation = {
  words: 'the login gives a token',
  judge: ({ reply, scope }) => (isSignedIn(scope, reply) ? undefined : shortfall(reply, 'token', 'a token', 'none')),
}

const givesNone = (as: string): Expectation => ({
  words: 'the login gives no token',
  judge: ({ reply, scope }) =>
    isSignedIn(scope, reply, as) ? mismatch(reply, 'token', 'no token', 'a token') : undefined,
})
export const givesNoToken = givesNone('signedIn')
/** The same for a login without a code. */
export const givesNoTokenPlainly = givesNone('plainly')

const stepWords = (step: number): string =>
  step === 0
    ? 'the code of now'
    : `the code of ${Math.abs(step)} step${Math.abs(step) > 1 ? 's' : ''} ${step < 0 ? 'ago' : 'ahead'}`

/** Logs `user` in with the code of a time step. */
export const login = (authenticator: Authenticator, step: number): Ceremony => ({
  kind: 'ceremony',
  words: `\`user\` logs in with ${stepWords(step)}`,
  touches: [],
  run: async (scope) => signIn(scope, await codeOfStep(scope, authenticator, step)),
})

/** Logs `user` in with the present code of another secret. */
export const loginBy = (secret: string, authenticator: Authenticator): Ceremony => ({
  kind: 'ceremony',
  words: `\`user\` logs in with the code of now of \`${secret}\``,
  touches: [],
  run: async (scope) => signIn(scope, await codeAt(scope, authenticator, await secondsNow(scope), secret)),
})

/** Logs `user` in with a code that was saved as `{name}`. */
export const loginWith = (name: string): Ceremony => ({
  kind: 'ceremony',
  words: `\`user\` logs in with \`${name}\``,
  touches: [],
  run: (scope) => signIn(scope, scope.value(name)),
})

/** Logs `user` in without a code. Its token, if there is one, is `{plainly}`. */
export const loginWithoutCode: Ceremony = {
  kind: 'ceremony',
  words: '`user` logs in without a code',
  touches: [],
  async run(scope) {
    const [exchange] = scope.dialect.operations.login?.({ user: 'user', as: 'plainly' }).exchanges ?? []
    if (!exchange) throw new StepFailed('dialect-lacks', { dialect: scope.dialect.id, operation: 'login' })
    return scope.send(exchange)
  },
}

const decidingLogins = 'mfa-identity/access-login'

/** Requires that this login works with a correct code, before another code is judged. A login is nothing that a token
 * allows, so its denial is about the code. */
export const proven = (authenticator: Authenticator, step: number) => {
  const check =
    step === 0 ? 'login-takes-a-code-by-default' : `skew-1-takes-a-code-one-step-${step < 0 ? 'late' : 'early'}`
  const restsOn = `${decidingLogins}/${check}`
  const words = `\`user\` can log in with ${stepWords(step)}`
  const logged = action(words, {}, async (scope) => {
    const reply = await signIn(scope, await codeOfStep(scope, authenticator, step))
    if (isSignedIn(scope, reply)) return
    const { asked, exchange } = reply
    const { at, wanted, saw } = shortfall(reply, 'token', 'a token', 'none')
    throw new StepFailed('rests-on', { asked, at, wanted, saw, check: restsOn }, { asked, exchange })
  })
  return { ...logged, restsOn }
}

export const failedLogins = (authenticator: Authenticator, times: number, user = 'user') =>
  action(`${times} login${times > 1 ? 's' : ''} of \`${user}\` with a wrong code`, {}, async (scope) => {
    for (let n = 0; n < times; n++) {
      const reply = await signIn(scope, await wrongCode(scope, authenticator), user)
      if (isSignedIn(scope, reply))
        throw new StepFailed('indistinct', { asked: reply.asked, absent: 'a wrong code' }, reply)
    }
  })

export const remembered = (authenticator: Authenticator, as: string) =>
  action(`\`${as}\` is the code of now`, { provides: [as] }, async (scope) =>
    scope.save(as, await codeOfStep(scope, authenticator, 0), { secret: true }),
  )

/** Makes sure that the following requests are in one time step. Waits at most until the next step begins. */
export const stepOfItsOwn = ({ period }: Authenticator) =>
  action('a step of the code has just begun or will last', {}, async (scope) => {
    const left = period - ((await secondsNow(scope)) % period)
    if (left <= Math.min(20, period / 2)) await scope.time.pass(left + 1, 'the code changes soon')
  })

export const periodPassed = ({ period }: Authenticator) =>
  action('one period passes', {}, (scope) => scope.time.pass(period, 'a code is judged after its period'))

const whose = { entity: '', mount: 'the login method of ', group: 'a group with ' } as const
type Whose = keyof typeof whose

/** Requires a code of one of these methods when `user` logs in. */
export const enforcedBy = (methods: readonly string[], as = '{rule}', by: Whose = 'entity', user = 'user'): Operation =>
  operation(
    'enforceLogin',
    { as, methods, user, by },
    `the login enforcement \`${as}\` uses ${methods.map((one) => `\`${one}\``).join(', ')} for ${whose[by]}\`${user}\``,
  )
export const enforced = enforcedBy(['method'])
/** Makes a login enforcement that names the login method of `user`. A server may not show the accessor of that
 * method. */
export const enforcedByMount = (methods: readonly string[]): readonly Step[] => [
  action('the target shows the accessor of the login method of `user`', {}, async (scope) => {
    try {
      scope.value('userMount')
    } catch (error) {
      throw DoesNotApply.ofStep(error, () => 'the accessor of a login method is not shown')
    }
  }),
  enforcedBy(methods, '{rule}', 'mount'),
]
/** Makes a login enforcement that names a group whose only member is the entity of `user`. No document describes
 * groups, so a server may have none. */
export function enforcedForGroup(methods: readonly string[]): Action {
  const enforcing = enforcedBy(methods, '{rule}', 'group')
  return {
    ...action(`${enforcing.words}, if the target accepts it`, {}, async (scope) => {
      try {
        await scope.perform(enforcing)
      } catch (error) {
        throw DoesNotApply.ofStep(error, ({ message }) => `${message}, and no statement says that it must be taken`)
      }
    }),
    performs: [enforcing],
  }
}
export const releasedFrom = (as: string): Operation =>
  operation('releaseLogin', { as }, `the login enforcement \`${as}\` is deleted`)
export const released = releasedFrom('{rule}')
