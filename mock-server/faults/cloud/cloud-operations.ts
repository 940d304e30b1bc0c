/** Makes faults of the cloud engine. */
import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../engines/cloud/context.ts'
import type { Body } from '../../engines/cloud/fields.ts'
import type { Provider } from '../../engines/cloud/provider/provider.ts'
import type { CloudRules } from '../../engines/cloud/rules/index.ts'
import type { CredentialType } from '../../engines/cloud/rules/types.ts'
import type { LeaseConfig, Role, RootConfig } from '../../engines/cloud/store.ts'
import type { Call, Reply } from '../../kernel/contracts.ts'
import { badRequest, Refusal } from '../../kernel/http/refusal.ts'
import { type AroundForm, type Fault, type Form, faultsOf, type Handle, type Scene } from '../fault.ts'
import { during } from '../with-methods.ts'

const make = faultsOf<Context>('cloud', 'cloud')
export const { around, noting, rule, stored } = make
export type CloudFault = Fault<Context>
export type Here = Scene<Context>
export type Forms = Form<Context> | readonly Form<Context>[]
type When = (call: Call, here: Here) => boolean
type Does = (call: Call, next: Handle, here: Here) => Reply | Promise<Reply>

/** Each fault changes a part of its own of an operation, so that many are judged together. */
export const fault = (id: string, does: string, ...forms: readonly Forms[]): CloudFault =>
  make.fault(id, does, ...forms.flat().map((form) => (form.form === 'around' ? { part: id, ...form } : form)))

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
  rule((rules) => ({
    [name]: { ...rules[name], [row]: { ...rules[name][row], ...settled(cells, rules[name][row]) } },
  }))

export const kebab = (name: string): string => name.replaceAll('_', '-')
export const nameIn = ({ params }: Call): string => params.name ?? ''
export const isSet = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value)
export const withCall = (call: Call, changed: Partial<Call>): Call =>
  Object.assign(Object.create(call) as Call, changed)
export const withBody = (call: Call, fields: object): Call => withCall(call, { body: { ...call.body, ...fields } })

/** Handles operations in another way, if `when` is true. */
export const on = (
  operations: readonly string[],
  when: When,
  does: Does,
  more: Partial<AroundForm<Context>> = {},
): readonly Form<Context>[] => operations.map((operation) => around(operation, { when, does, ...more }))

/** What is done beside an operation may return another reply. */
type Act<Given> = (call: Call, here: Here, given: Given) => unknown
const isReply = (value: unknown): value is Reply => typeof value === 'object' && value !== null && 'kind' in value
const acting =
  (act: Act<Reply>): Does =>
  async (call, next, here) => {
    const reply = await next(call)
    const other = await act(call, here, reply)
    return isReply(other) ? other : reply
  }
/** Does something else after operations that were not refused. */
export const after = (operations: readonly string[], when: When, act: Act<Reply>) => on(operations, when, acting(act))
/** Only remembers what operations did that were not refused. */
export const remembering = (operations: readonly string[], note: Act<Reply>) =>
  on(operations, () => true, acting(note), { remembers: true })

export const refusing = (
  operations: readonly string[],
  when: When,
  code: 'bad-request' | 'not-found' = 'bad-request',
) =>
  on(operations, when, () => {
    throw code === 'not-found' ? new Refusal(code) : badRequest('the request cannot be carried out')
  })
/** Carries operations out, and refuses them all the same. */
export const refusingAfterwards = (operations: readonly string[], when: When) =>
  after(operations, when, () => {
    throw badRequest('the request was not carried out')
  })
/** Does something when operations are refused. A reply accepts them. */
export const whenRefused = (operations: readonly string[], when: When, act: Act<unknown>) =>
  on(operations, when, async (call, next, here) => {
    try {
      return await next(call)
    } catch (error) {
      const reply = await act(call, here, error)
      if (isReply(reply)) return reply
      throw error
    }
  })

/** Handles operations with other fields. */
export const sending = (operations: readonly string[], change: (body: Body, call: Call, here: Here) => object) => {
  const changed = (call: Call, here: Here): Call => withBody(call, change(bodyOf(call), call, here))
  return on(
    operations,
    (call, here) => !isDeepStrictEqual(bodyOf(changed(call, here)), bodyOf(call)),
    (call, next, here) => next(changed(call, here)),
  )
}
/** Clients that send a GET have the fields in the query. */
export const bodyOf = ({ query, body }: Call): Body =>
  Object.fromEntries(
    Object.entries({ ...Object.fromEntries(query ?? []), ...body }).filter(([, value]) => value !== undefined),
  )

/** Handles operations with other names. */
export const naming = (operations: readonly string[], change: (name: string, here: Here) => string) =>
  on(
    operations,
    (call, here) => change(nameIn(call), here) !== nameIn(call),
    (call, next, here) => next(withCall(call, { params: { ...call.params, name: change(nameIn(call), here) } })),
  )

/** Changes the fields of replies. */
export const showing = (
  operations: readonly string[],
  when: When,
  change: (fields: Readonly<Record<string, unknown>>, here: Here, call: Call) => object,
) =>
  after(operations, when, (call, here, reply) =>
    reply.kind === 'data' && reply.data
      ? { ...reply, data: { ...change(reply.data as Record<string, unknown>, here, call) } }
      : undefined,
  )
export const without = (fields: object, name: string): object =>
  Object.fromEntries(Object.entries(fields).filter(([one]) => one !== name))

/** Handles operations by other rules. The handler uses them before it first waits. */
export const byRules = (
  operations: readonly string[],
  when: When,
  change: (rules: CloudRules) => Partial<CloudRules>,
) =>
  on(operations, when, (call, next, { context }) =>
    during(context, { rules: { ...context.rules, ...change(context.rules) } }, () => next(call)),
  )

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
    (next, here) => (config) => change(next(config), here),
    (_given, { memory }) => Number(memory.get('under way') ?? 0) > 0,
  ),
]

export const creds = ['GET creds/:name', 'POST creds/:name'] as const
export const sts = ['GET sts/:name', 'POST sts/:name'] as const
/** The operations that issue credentials. */
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
