/** Makes faults of one variant of TOTP MFA. Most faults are in both. */
import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../engines/mfa/context.ts'
import type { FieldRule, Variant } from '../../engines/mfa/rules.ts'
import type { Enforcement, Field, Method, Secret, Settings } from '../../engines/mfa/store.ts'
import type { Call, Reply } from '../../kernel/contracts.ts'
import { type Form, faultsOf, type Handle, type Scene } from '../fault.ts'
import { during, withMethods } from '../with-methods.ts'

export type Here = Scene<Context>
export type SecretOperation = 'generate' | 'admin-generate' | 'admin-destroy'
type Operation = SecretOperation | 'create' | 'define' | 'list' | 'read' | 'remove'

const paths: Readonly<Record<Variant, Readonly<Record<Operation, readonly string[]>>>> = {
  legacy: {
    create: [],
    define: ['POST method/totp/:name'],
    list: [],
    read: ['GET method/totp/:name'],
    remove: ['DELETE method/totp/:name'],
    generate: ['GET method/totp/:name/generate'],
    'admin-generate': ['POST method/totp/:name/admin-generate'],
    'admin-destroy': ['POST method/:name/admin-destroy', 'POST method/totp/:name/admin-destroy'],
  },
  identity: {
    create: ['POST method/totp'],
    define: ['POST method/totp/:id'],
    list: ['LIST method/totp'],
    read: ['GET method/totp/:id'],
    remove: ['DELETE method/totp/:id'],
    generate: ['POST method/totp/generate'],
    'admin-generate': ['POST method/totp/admin-generate'],
    'admin-destroy': ['POST method/totp/admin-destroy'],
  },
}

/** What a request is about. */
export interface Asked {
  readonly call: Call
  readonly operation: Operation
  /** The name or the id of the method, and the method if there is one. */
  readonly key: string
  readonly method: Method | undefined
  readonly entity: string
  readonly isEntity: boolean
  readonly secret: Secret | undefined
}

function asked(operation: Operation, call: Call, { methods, secrets, services }: Context): Asked {
  const { body, params, token } = call
  const key = params.name ?? (params.id ?? String(body.method_id ?? '')).toLowerCase()
  const method = methods.find(key)
  const entity = operation === 'generate' ? (token?.entityId ?? '') : String(body.entity_id ?? '')
  const secret = method && secrets.find({ method: method.id, entity })
  const isEntity = services.entities.find(entity) !== undefined
  return { call, operation, key, method, entity, isEntity, secret }
}

export const withCall = (call: Call, changed: Partial<Call>): Call =>
  Object.assign(Object.create(call) as Call, changed)
export const withBody = (call: Call, fields: object): Call => withCall(call, { body: { ...call.body, ...fields } })
export const withData = (reply: Reply, change: (data: object) => object): Reply =>
  reply.kind === 'data' && reply.data ? { ...reply, data: change(reply.data) } : reply

const isIn = (enforcements: readonly Enforcement[], { method }: Asked): boolean =>
  enforcements.some(({ methodIds }) => method !== undefined && methodIds.includes(method.id))

type When = (what: Asked, here: Here) => boolean
type Does = (what: Asked, next: (call?: Call) => ReturnType<Handle>, here: Here) => ReturnType<Handle>

export type Kit = ReturnType<typeof kitOf>
export function kitOf(variant: Variant) {
  const make = faultsOf<Context>(variant === 'legacy' ? 'sys/mfa' : 'identity/mfa', `mfa-${variant}`)
  const { around, noting, rule, stored } = make

  /** Handles operations in another way, if `isMeant`. */
  const on = (
    operations: readonly Operation[],
    isMeant: When,
    does: Does,
    more: object = {},
  ): readonly Form<Context>[] =>
    operations.flatMap((operation) =>
      paths[variant][operation].map((path) =>
        around(path, {
          ...more,
          when: (call, here) => isMeant(asked(operation, call, here.context), here),
          does: (call, next, here) =>
            does(asked(operation, call, here.context), (changed = call) => next(changed), here),
        }),
      ),
    )
  /** Does something else after an operation, unless it was refused. */
  const after = (
    operations: readonly Operation[],
    isMeant: When,
    act: (what: Asked, here: Here, reply: Reply) => Reply | undefined | Promise<Reply | undefined>,
  ) =>
    on(operations, isMeant, async (what, next, here) => {
      const reply = await next()
      return (await act(what, here, reply)) ?? reply
    })
  /** Acts as if the methods were others, or had other settings. */
  const finding = (
    operations: readonly Operation[],
    change: (method: Method | undefined, what: Asked, here: Here) => Method | undefined,
  ) =>
    on(
      operations,
      (what, here) => !isDeepStrictEqual(change(what.method, what, here), what.method),
      (what, next, here) => {
        const { methods } = here.context
        const find = (key: string) => (key === what.key ? change(what.method, what, here) : methods.find(key))
        return during(here.context, { methods: withMethods(methods, { find }) }, next)
      },
    )
  const settingsFor = (operations: readonly Operation[], change: (method: Method, here: Here) => Settings) =>
    finding(operations, (method, { secret }, here) =>
      method && !secret ? { ...method, settings: change(method, here) } : method,
    )
  /** Deletes methods as if the enforcements were others. */
  const usedBy = (change: (all: readonly Enforcement[], what: Asked, here: Here) => readonly Enforcement[]) =>
    on(
      ['remove'],
      (what, here) => {
        const all = here.context.enforcements.all()
        return isIn(change(all, what, here), what) !== isIn(all, what)
      },
      (what, next, here) => {
        const { enforcements } = here.context
        const all = () => change(enforcements.all(), what, here)
        return during(here.context, { enforcements: withMethods(enforcements, { all }) }, next)
      },
    )
  /** Stores an update of a method in another way. */
  const updating = (
    change: (method: Method, before: Method, here: Here) => readonly Method[],
    act?: (method: Method, here: Here) => void,
  ) => {
    const changed = (method: Method, here: Here): readonly Method[] => {
      const before = here.context.methods.find(method.key)
      return before ? change(method, before, here) : [method]
    }
    return stored(
      'methods',
      'put',
      ([method], next, here) => {
        for (const one of changed(method, here)) next(one)
        act?.(method, here)
      },
      ([method], here) =>
        here.context.methods.find(method.key) !== undefined &&
        (act !== undefined || !isDeepStrictEqual(changed(method, here), [method])),
    )
  }
  return {
    ...make,
    ...{ variant, on, after, finding, settingsFor, usedBy, updating },
    inField: <Name extends Field>(
      field: Name,
      change: (before: FieldRule<Settings[Name]>) => Partial<FieldRule<Settings[Name]>>,
    ) =>
      rule(({ fields }) => {
        const before: FieldRule<Settings[Name]> = fields[field]
        return { fields: { ...fields, [field]: { ...before, ...change(before) } } }
      }),
    /** Remembers the settings with which methods were first defined. */
    remembersFirst: noting('methods', 'put', ([method], { context, memory }) => {
      if (!context.methods.find(method.key)) memory.set(`first ${method.id}`, method.settings)
    }),
    /** Remembers deleted methods until they are defined again. */
    remembersDeleted: [
      noting('methods', 'remove', ([key], { context, memory }) => {
        memory.set(`deleted ${key}`, context.methods.find(key))
      }),
      noting('methods', 'put', ([{ key }], { memory }) => {
        memory.delete(`deleted ${key}`)
      }),
    ],
    /** Remembers of which methods secrets were made. */
    remembersSecrets: noting('secrets', 'put', ([{ method }], { memory }) => {
      memory.set(`secrets ${method}`, true)
    }),
  }
}

export const firstOf = ({ id, settings }: Method, { memory }: Here): Settings =>
  (memory.get(`first ${id}`) as Settings | undefined) ?? settings
export const isUpdated = (method: Method, here: Here): boolean =>
  !isDeepStrictEqual(method.settings, firstOf(method, here))
export const deletedIn = ({ memory }: Here): readonly Method[] =>
  [...memory].filter(([key]) => key.startsWith('deleted ')).map(([, method]) => method as Method)
export const hasSecrets = ({ id }: Method, { memory }: Here): boolean => memory.has(`secrets ${id}`)
export const isInUse = ({ id }: Method, { context }: Here): boolean =>
  context.enforcements.all().some(({ methodIds }) => methodIds.includes(id))
export const secretsOf = ({ id }: Pick<Method, 'id'>, { context }: Here): readonly Secret[] =>
  context.secrets.filter(({ method }) => method === id)
export const secretsOfEntity = (entity: string, { context }: Here): readonly Secret[] =>
  context.secrets.filter((secret) => secret.entity === entity)
export function removeAll(secrets: readonly Secret[], { context }: Here): void {
  for (const secret of secrets) context.secrets.remove(secret)
}
/** Returns the methods of which the text is longer than that of a method, and begins with it. */
export const longer = (by: (method: Method) => string, method: Method, { context }: Here): readonly Method[] =>
  context.methods.all().filter((other) => by(other).startsWith(by(method)) && by(other).length > by(method).length)
export const issuerOf = ({ settings }: Method): string => settings.issuer
export const nameOf = ({ key }: Method): string => key
