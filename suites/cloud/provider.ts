/** The provider as checks see it: what was called there, and what stands there now. */
import type {
  AccountState,
  LoggedCall,
  OpenedAccount,
  ProviderAddress,
  ScriptOrder,
  SeenAccount,
} from '../../fixtures/provider/index.ts'
import type { Action, Scope } from '../../harness/vocabulary/index.ts'
import { StepFailed } from '../../harness/vocabulary/index.ts'

export const needs = ['provider'] as const

export function addressOf(scope: Scope): ProviderAddress {
  const address = scope.provided<ProviderAddress>('provider')
  if (!address?.control) throw new StepFailed('no provider was started: give "provider" in the profile')
  return address
}

async function asked<T>(scope: Scope, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${addressOf(scope).control}${path}`, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`the provider's control listener answered ${response.status} at ${path}`)
  return (await response.json()) as T
}

const pathOf = (scope: Scope): string => `/accounts/${scope.value('account')}`

/** What was called with the keys of the check's account. A call that the provider does not know is a gap of the provider. */
export async function calls(scope: Scope, action?: string): Promise<readonly LoggedCall[]> {
  const log = await asked<readonly LoggedCall[]>(scope, `${pathOf(scope)}/log`)
  const unknown = log.find(({ outcome }) => outcome === 'unknown-action')
  if (unknown) throw new Error(`the provider of the suite does not know ${unknown.action}, which the target called`)
  return action === undefined ? log : log.filter((call) => call.action === action)
}

export const seenAccount = (scope: Scope): Promise<SeenAccount> => asked(scope, pathOf(scope))

export async function anybodyCalled(scope: Scope): Promise<boolean> {
  return (await asked<{ calls: number }>(scope, '/calls')).calls > 0
}

/** An account of the check's own: `{account}`, and the first user's `{accessKey}` and `{secretKey}`. `as` puts the last
 * three under other names. */
export const account = (state: AccountState = {}): Action => ({
  kind: 'action',
  words: 'an account at the provider, whose first user has the key `accessKey`',
  touches: [],
  provides: ['account', 'accessKey', 'secretKey', 'iam', 'sts'],
  async run(scope) {
    const { iam, sts } = addressOf(scope)
    const opened = await asked<OpenedAccount>(scope, '/accounts', state)
    scope.save('account', opened.account)
    scope.save('accessKey', opened.accessKey)
    scope.save('secretKey', opened.secretKey, { secret: true })
    scope.save('iam', iam)
    scope.save('sts', sts)
  },
})

/** The provider does something wrong from here on. */
export const script = (order: ScriptOrder): Action => ({
  kind: 'action',
  words: `${order.action ?? 'every call'} meets ${order.kind} ${order.times ?? 1} time(s) at the provider`,
  touches: [],
  run: (scope) => asked(scope, `${pathOf(scope)}/faults`, order),
})
