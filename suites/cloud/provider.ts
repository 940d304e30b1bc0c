/** The provider as checks see it: the calls that it received, and its present state. */
import type {
  AccountState,
  LoggedCall,
  OpenedAccount,
  ProviderAddress,
  ScriptOrder,
  SeenAccount,
  SeenUser,
} from '../../fixtures/servers/provider/index.ts'
import { type AskedBeside, type AskedRequest, type Scope, StepFailed } from '../../harness/vocabulary/index.ts'
import { action } from '../records.ts'

export const needs = ['provider'] as const

export function addressOf(scope: Scope): ProviderAddress {
  const address = scope.provided<ProviderAddress>('provider')
  if (!address?.control) throw new StepFailed('not-provided', { needs: ['provider'], lines: ['provider'] })
  return address
}

export const hasProvider = (scope: Scope): boolean => scope.provided('provider') !== undefined

interface Question {
  /** The reply is recorded only if `words` are given. */
  readonly words?: string
  readonly path: string
  readonly body?: unknown
}

/** The status of the provider's reply if its log is full, and thus incomplete. */
const tooManyCalls = 507

const sentAsJson = { 'content-type': 'application/json' }

async function asked<T>(scope: Scope, { words, path, body }: Question): Promise<T> {
  const url = `${addressOf(scope).control}${path}`
  const sent = body === undefined ? {} : { method: 'POST' as const, headers: sentAsJson, body: JSON.stringify(body) }
  const { request } = await import('undici')
  const [sentAt, started] = [Date.now(), performance.now()]
  const { statusCode: status, body: reply } = await request(url, sent)
  const text = await reply.text()
  const durationMs = performance.now() - started
  if (words !== undefined) noteOnce(scope, { words, method: 'GET', url, ...sent, status, text, sentAt, durationMs })
  if (status === tooManyCalls) throw new StepFailed('provider-log-full', {})
  if (status >= 300) throw new Error(`the provider's control listener answered ${status} at ${path}`)
  return JSON.parse(text) as T
}

interface Noted {
  readonly text: string
  readonly exchange: number | undefined
}
const noted = new WeakMap<Scope, Map<string, Noted>>()
/** Records a reply, unless it repeats the previous reply from the same URL. */
function noteOnce(scope: Scope, answer: AskedBeside): void {
  const known = noted.get(scope) ?? new Map<string, Noted>()
  noted.set(scope, known)
  const { url, text } = answer
  if (known.get(url)?.text !== text) known.set(url, { text, exchange: scope.note(answer) })
}

const pathOf = (scope: Scope): string => `/accounts/${scope.value('account')}`
async function logOf(scope: Scope, words?: string): Promise<readonly LoggedCall[]> {
  const path = `${pathOf(scope)}/log`
  const log = await asked<readonly LoggedCall[]>(scope, { path, ...(words === undefined ? {} : { words }) })
  // The token is a secret: a reader of the report could use the token of a live target.
  for (const { WebIdentityToken } of log.map(({ parameters }) => parameters))
    if (WebIdentityToken !== undefined) scope.save('identityToken', WebIdentityToken, { secret: true })
  return log.filter(({ parameters }) => parameters.UserName !== neighbour)
}

/** Returns the calls that were signed with keys of the check's account. Throws if the target called an action that our
 * provider does not implement, for which the target is not to blame. */
export async function calls(scope: Scope): Promise<readonly LoggedCall[]> {
  const log = await logOf(scope, 'what the provider was asked')
  const unknown = log.find(({ outcome }) => outcome === 'unknown-action')
  if (unknown) throw new Error(`the provider of the suite does not know ${unknown.action}, which the target called`)
  return log
}

export const callCount = async (scope: Scope): Promise<number> => (await logOf(scope)).length

/** Returns the exchange that last showed the account. */
export const accountShownBy = (scope: Scope): AskedRequest => ({
  asked: 'the account at the provider',
  exchange: noted.get(scope)?.get(`${addressOf(scope).control}${pathOf(scope)}`)?.exchange,
})

export const seenAccount = async (scope: Scope): Promise<SeenAccount> =>
  withoutNeighbour(await asked<SeenAccount>(scope, { path: pathOf(scope), words: 'what stands at the provider' }))

/** The users of the account of a check, as they were when it was opened. */
const first = new WeakMap<Scope, readonly SeenUser[]>()
export const usersAtFirst = (scope: Scope): readonly SeenUser[] => first.get(scope) ?? []

/** A user whom no check looks at. Static roles of neighbours change its keys. */
export const neighbour = 'user-of-a-neighbour'
const withoutNeighbour = (account: SeenAccount): SeenAccount => ({
  ...account,
  users: account.users.filter(({ name }) => name !== neighbour),
})

/** Returns what the provider was asked and what stands there, without recording it. */
export async function peeked(scope: Scope) {
  const account = withoutNeighbour(await asked<SeenAccount>(scope, { path: pathOf(scope) }))
  return { log: await logOf(scope), account }
}

export async function anybodyCalled(scope: Scope): Promise<boolean> {
  return (await asked<{ calls: number }>(scope, { path: '/calls' })).calls > 0
}

const withNeighbour = (state: AccountState): AccountState => ({
  ...state,
  users: [...(state.users ?? []), { name: neighbour }],
})

/** Opens an account for the check: `{account}`, and the first user's `{accessKey}` and `{secretKey}`. */
export const account = (state: AccountState = {}) =>
  action(
    'an account at the provider (`iam` and `sts` are its addresses), whose first user has the key `accessKey`',
    { provides: ['account', 'accessKey', 'secretKey', 'iam', 'sts'] },
    async (scope) => {
      const { iam, sts } = hasProvider(scope) ? addressOf(scope) : nowhere
      const words = 'the provider opens an account'
      const opened = hasProvider(scope)
        ? await asked<OpenedAccount>(scope, { path: '/accounts', body: withNeighbour(state), words })
        : madeUp
      scope.save('account', opened.account)
      scope.save('accessKey', opened.accessKey)
      scope.save('secretKey', opened.secretKey, { secret: true })
      scope.save('iam', iam)
      scope.save('sts', sts)
      if (hasProvider(scope)) first.set(scope, (await peeked(scope)).account.users)
    },
  )

/** The addresses for checks that need no provider. Root credentials are not validated, so no server has to exist. */
const nowhere = { iam: 'https://iam.assay.invalid', sts: 'https://sts.assay.invalid' } as const
const madeUp: Omit<OpenedAccount, 'userName'> = {
  account: '123456789012',
  accessKey: 'AKIAASSAYMADETHISUP0',
  secretKey: 'made-up-secret-key-of-nobody-000000000000',
}

const wordsOf = ({ action = 'every call', kind, times = 1 }: ScriptOrder): string =>
  `${action} meets ${kind} ${times === 1 ? 'once' : `${times} times`} at the provider`

/** From this step on the provider has this fault. */
export const script = (order: ScriptOrder) =>
  action(wordsOf(order), {}, (scope) =>
    asked(scope, { path: `${pathOf(scope)}/faults`, body: order, words: wordsOf(order) }),
  )
