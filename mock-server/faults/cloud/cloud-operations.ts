/** Makes faults of the cloud engine. */
import type { Context } from '../../engines/cloud/context.ts'
import type { Provider } from '../../engines/cloud/provider/provider.ts'
import type { CloudRules } from '../../engines/cloud/rules/index.ts'
import type { CredentialType } from '../../engines/cloud/rules/types.ts'
import type { LeaseConfig, Role, RootConfig } from '../../engines/cloud/store.ts'
import type { Call } from '../../kernel/contracts.ts'
import type { Fault, Form, Scene } from '../fault.ts'
import { nameIn, operationsOf } from '../operations.ts'
import { during } from '../with-methods.ts'

export { bodyOf, isSet, nameIn, withBody, withCall, without } from '../operations.ts'

export type CloudFault = Fault<Context>
export type Here = Scene<Context>
export type Forms = Form<Context> | readonly Form<Context>[]
type When = (call: Call, here: Here) => boolean

const operations = operationsOf<Context>('cloud', 'cloud')
export const { after, around, byRules, fault, faults, naming, noting, on, refusing, refusingAfterwards } = operations
export const { remembering, rule, sending, showing, stored, whenRefused } = operations

type Cells<Part> = Partial<Part> | ((before: Part) => Partial<Part>)
const settled = <Part>(cells: Cells<Part>, before: Part): Partial<Part> =>
  typeof cells === 'function' ? cells(before) : cells

/** Changes some cells of one table. */
export const inTable = <Name extends keyof CloudRules>(name: Name, cells: Cells<CloudRules[Name]>) =>
  rule((rules) => ({ [name]: { ...rules[name], ...settled(cells, rules[name]) } }))

/** Changes some cells of one row of a table. */
export const inRow = <Name extends keyof CloudRules, Row extends keyof CloudRules[Name]>(
  name: Name,
  row: Row,
  cells: Cells<CloudRules[Name][Row]>,
) =>
  rule((rules) => ({ [name]: { ...rules[name], [row]: { ...rules[name][row], ...settled(cells, rules[name][row]) } } }))

export const kebab = (name: string): string => name.replaceAll('_', '-')

/** Makes the calls to the provider differ while operations are handled. */
export const calling = (
  operations: readonly string[],
  when: When,
  change: (provider: Provider, here: Here) => Provider,
) => [
  ...on(operations, when, async (call, next, { memory }) => {
    const count = (by: number): unknown => memory.set('under way', Number(memory.get('under way') ?? 0) + by)
    count(1)
    try {
      return await next(call)
    } finally {
      count(-1)
    }
  }),
  stored(
    'providers',
    'for',
    ([config], next, here) => change(next(config), here),
    (_given, { memory }) => Number(memory.get('under way') ?? 0) > 0,
  ),
]

export const creds = ['GET creds/:name', 'POST creds/:name'] as const
export const sts = ['GET sts/:name', 'POST sts/:name'] as const
export const issuing = [...creds, ...sts]

export const roleAt = (call: Call, { context }: Here): Role | undefined => context.store.roles.get(nameIn(call))

/** Returns the type of credentials that a request gets. */
export function typeAt(call: Call, here: Here): CredentialType | undefined {
  const role = roleAt(call, here)
  const ways = here.context.rules.ways[role?.legacy ? 'legacy' : 'plain']
  return ways[call.rest.startsWith('sts/') ? 'sts' : 'creds'].find((type) => role?.types.includes(type))
}
export const gets =
  (...types: readonly CredentialType[]): When =>
  (call, here) =>
    types.some((type) => type === typeAt(call, here))

/** Handles operations as if a role was another one. The handler reads it before it first waits. */
export const asRole = (
  operations: readonly string[],
  change: (role: Role | undefined, call: Call, here: Here) => Role | undefined,
) =>
  on(
    operations,
    (call, here) => change(roleAt(call, here), call, here) !== roleAt(call, here),
    (call, next, here) => {
      const { roles } = here.context.store
      const before = roleAt(call, here)
      const other = change(before, call, here)
      if (other) roles.set(nameIn(call), other)
      try {
        return next(call)
      } finally {
        if (before) roles.set(nameIn(call), before)
        else roles.delete(nameIn(call))
      }
    },
  )

/** Handles operations as if the configuration was another one. The handler reads it before it first waits. */
const asStored =
  <Name extends 'root' | 'lease'>(name: Name) =>
  (
    operations: readonly string[],
    when: When,
    change: (here: Here) => { readonly root: RootConfig | undefined; readonly lease: LeaseConfig }[Name],
  ) =>
    on(operations, when, (call, next, here) => during(here.context.store, { [name]: change(here) }, () => next(call)))
export const asRoot = asStored('root')
export const asLease = asStored('lease')

/** Returns a key that the provider never issued. */
export const madeUp = ({ random }: Context) => ({
  access_key: `AKIA${random.token(16).toUpperCase()}`,
  secret_key: random.token(40),
})
