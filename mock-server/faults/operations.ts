/** Makes forms of faults that change the operations of an engine. */
import { isDeepStrictEqual } from 'node:util'
import type { Call, Reply } from '../kernel/contracts.ts'
import { badRequest, Refusal } from '../kernel/http/refusal.ts'
import {
  type AroundForm,
  allOf,
  type Fault,
  type Form,
  type Forms,
  faultsOf,
  type Handle,
  type Scene,
  tableOf,
} from './fault.ts'
import { during } from './with-methods.ts'

type Body = Call['body']
type Fields = Readonly<Record<string, unknown>>

export const nameIn = ({ params }: Call): string => params.name ?? ''
export const isSet = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value)
export const withCall = (call: Call, changed: Partial<Call>): Call =>
  Object.assign(Object.create(call) as Call, changed)
export const withBody = (call: Call, fields: object): Call => withCall(call, { body: { ...call.body, ...fields } })
export const without = (fields: object, name: string): object =>
  Object.fromEntries(Object.entries(fields).filter(([one]) => one !== name))
/** Clients that send a GET have the fields in the query. */
export const bodyOf = ({ query, body }: Call): Body =>
  Object.fromEntries(
    Object.entries({ ...Object.fromEntries(query ?? []), ...body }).filter(([, value]) => value !== undefined),
  )
const isReply = (value: unknown): value is Reply => typeof value === 'object' && value !== null && 'kind' in value

/** Returns the functions that make faults of one engine, and their forms. */
export function operationsOf<Context extends { readonly rules: object }>(engine: string, area: string) {
  type Here = Scene<Context>
  type When = (call: Call, here: Here) => boolean
  type Does = (call: Call, next: Handle, here: Here) => Reply | Promise<Reply>
  /** What is done beside an operation may return another reply. */
  type Act<Given> = (call: Call, here: Here, given: Given) => unknown
  type Operations = readonly string[]
  const make = faultsOf<Context>(engine, area)

  /** Each fault changes a part of its own of an operation or a method, so that many are judged together. */
  const fault = (id: string, does: string, ...forms: readonly Forms<Context>[]): Fault<Context> =>
    make.fault(id, does, ...allOf(forms).map((form) => (form.form === 'rule' ? form : { part: id, ...form })))
  /** Handles operations in another way, if `when` is true. */
  const on = (
    operations: Operations,
    when: When,
    does: Does,
    more: Partial<AroundForm<Context>> = {},
  ): readonly Form<Context>[] => operations.map((operation) => make.around(operation, { when, does, ...more }))
  const acting =
    (act: Act<Reply>): Does =>
    async (call, next, here) => {
      const reply = await next(call)
      const other = await act(call, here, reply)
      return isReply(other) ? other : reply
    }
  /** Does something else after operations that were not refused. */
  const after = (operations: Operations, when: When, act: Act<Reply>) => on(operations, when, acting(act))

  return {
    ...make,
    ...{ fault, faults: tableOf(fault), on, after },
    /** Only remembers what operations did that were not refused. */
    remembering: (operations: Operations, note: Act<Reply>) =>
      on(operations, () => true, acting(note), { remembers: true }),
    refusing: (operations: Operations, when: When, code: 'bad-request' | 'not-found' = 'bad-request') =>
      on(operations, when, () => {
        throw code === 'not-found' ? new Refusal(code) : badRequest('the request cannot be carried out')
      }),
    /** Carries operations out, and refuses them all the same. */
    refusingAfterwards: (operations: Operations, when: When) =>
      after(operations, when, () => {
        throw badRequest('the request was not carried out')
      }),
    /** Does something when operations are refused. A reply accepts them. */
    whenRefused: (operations: Operations, when: When, act: Act<unknown>) =>
      on(operations, when, async (call, next, here) => {
        try {
          return await next(call)
        } catch (error) {
          const reply = await act(call, here, error)
          if (isReply(reply)) return reply
          throw error
        }
      }),
    /** Handles operations with other fields. */
    sending(operations: Operations, change: (body: Body, call: Call, here: Here) => object) {
      const changed = (call: Call, here: Here): Call => withBody(call, change(bodyOf(call), call, here))
      return on(
        operations,
        (call, here) => !isDeepStrictEqual(bodyOf(changed(call, here)), bodyOf(call)),
        (call, next, here) => next(changed(call, here)),
      )
    },
    naming: (operations: Operations, change: (name: string, here: Here) => string) =>
      on(
        operations,
        (call, here) => change(nameIn(call), here) !== nameIn(call),
        (call, next, here) => next(withCall(call, { params: { ...call.params, name: change(nameIn(call), here) } })),
      ),
    showing: (operations: Operations, when: When, change: (fields: Fields, here: Here, call: Call) => object) =>
      after(operations, when, (call, here, reply) =>
        reply.kind === 'data' && reply.data
          ? { ...reply, data: { ...change(reply.data as Fields, here, call) } }
          : undefined,
      ),
    /** Handles operations by other rules. The handler uses them before it first waits. */
    byRules: (
      operations: Operations,
      when: When,
      change: (rules: Context['rules'], call: Call, here: Here) => Partial<Context['rules']>,
    ) =>
      on(operations, when, (call, next, here) => {
        const { context } = here
        const rules = { ...context.rules, ...change(context.rules, call, here) }
        return during(context, { rules } as unknown as Partial<Context>, () => next(call))
      }),
  }
}
