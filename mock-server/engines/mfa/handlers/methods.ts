/** Defines, reads, lists and deletes methods. */
import { type Call, done, type Reply } from '../../../kernel/contracts.ts'
import { textField } from '../../../kernel/http/body-fields.ts'
import { Refusal, refuse } from '../../../kernel/http/refusal.ts'
import type { Context } from '../context.ts'
import type { FieldRule, FieldRules } from '../rules.ts'
import type { Field, Method, Settings } from '../store.ts'

/** Returns the name, or the id in lower case, by which the URL names a method. */
export const keyIn = ({ params }: Pick<Call, 'params'>): string =>
  params.name === undefined ? (params.id ?? '').toLowerCase() : params.name

type Body = Call['body']

/** Reads every field by its rule. Refuses the request if a field breaks its rule. */
export function settingsIn(body: Body, fields: FieldRules): Settings {
  const settle = <Name extends Field>(name: Name): Settings[Name] => {
    const { absent, read, fits, wanted }: FieldRule<Settings[Name]> = fields[name]
    const value = read(body, name)
    if (value === undefined) return absent === 'refused' ? refuse(`${name} must be set`) : absent.value
    return fits(value) ? value : refuse(`${name} is ${JSON.stringify(value)}; expected ${wanted}`)
  }
  return {
    issuer: settle('issuer'),
    period: settle('period'),
    key_size: settle('key_size'),
    qr_size: settle('qr_size'),
    algorithm: settle('algorithm'),
    digits: settle('digits'),
    skew: settle('skew'),
    max_validation_attempts: settle('max_validation_attempts'),
  }
}

function put(key: string, id: string, body: Body, { methods, rules }: Context): void {
  const settings = settingsIn(body, rules.fields)
  const known = methods.find(key)
  methods.put({ id: known?.id ?? id, key, name: textField(body, 'method_name') ?? known?.name ?? '', settings })
}

/** Defines a method under the name in the URL. */
export function define(call: Call, context: Context): Reply {
  put(keyIn(call), context.services.mint.uuid(), call.body, context)
  return done
}

/** Creates a method under an id that the server chooses. */
export function create(call: Call, context: Context): Reply {
  const id = context.services.random.uuid()
  put(id, id, call.body, context)
  return { kind: 'data', data: { method_id: id } }
}

/** Updates the method of the id in the URL, or creates it under that id. */
export function putById(call: Call, context: Context): Reply {
  const id = keyIn(call)
  if (!context.rules.isId(id)) refuse(`${JSON.stringify(id)} is not a UUID`)
  const known = context.methods.find(id) !== undefined
  put(id, id, call.body, context)
  return known ? done : { kind: 'data', data: { method_id: id } }
}

export function read(call: Call, context: Context): Reply {
  const method = context.methods.find(keyIn(call))
  if (!method) throw new Refusal('not-found')
  return { kind: 'data', data: view(method, context) }
}

export function view({ id, key, name = '', settings }: Method, { variant, services }: Context): object {
  const isText = services.variation().period !== 'seconds'
  return {
    type: 'totp',
    id,
    name: variant === 'legacy' ? key : name,
    ...settings,
    ...(isText ? { period: `${settings.period}s` } : {}),
    ...(variant === 'identity' ? placeOf(services) : {}),
  }
}

/** Returns the fields of a reply that name the namespace. */
export const placeOf = ({ namespaces: { here } }: Context['services']): object => ({
  namespace_id: here.id,
  namespace_path: here.path,
})

/** Returns the methods of this namespace and of the ones above it, and how each is shown. */
export const listedBelow = (context: Context): readonly (readonly [id: string, shown: object])[] => [
  ...context.above.methods(),
  ...context.methods.listed().map((method) => [method.key, view(method, context)] as const),
]

export function list(context: Context): Reply {
  const methods = [...new Map(listedBelow(context))].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    kind: 'data',
    data: {
      keys: methods.map(([key]) => key),
      ...(methods.length > 0 ? { key_info: Object.fromEntries(methods) } : {}),
    },
  }
}

/** Deletes a method and the secrets that were made from it. Refuses to delete one that a login enforcement uses. */
export function remove(call: Call, { enforcements, methods, secrets }: Context): Reply {
  const method = methods.find(keyIn(call))
  if (!method) return done
  const user = enforcements.all().find(({ methodIds }) => methodIds.includes(method.id))
  if (user) refuse(`method ${method.id} is used by the login enforcement ${user.name}`)
  methods.remove(method.key)
  for (const secret of secrets.filter((one) => one.method === method.id)) secrets.remove(secret)
  return done
}
