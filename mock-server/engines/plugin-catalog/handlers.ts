/** Lists, reads, registers and deletes plugins: document 2, Plugin catalog. */
import { type Call, done, type Reply } from '../../kernel/contracts.ts'
import { listField, textField } from '../../kernel/http/body-fields.ts'
import { Refusal, refuse } from '../../kernel/http/refusal.ts'
import { isSince } from '../../kernel/versions.ts'
import type { Context } from './context.ts'
import { fileOf, leavesDirectory } from './plugins/plugin-files.ts'
import { canonical } from './plugins/semver.ts'
import { type FieldRule, type Form, types } from './rules.ts'
import type { Field, Fields, Registered } from './store.ts'

type Body = Call['body']
export const formOf = ({ services }: Context): Form =>
  services.facts.forms['plugin-catalog'] === 'older' ? 'older' : 'newer'

/** Returns the names of the plugins of a type that are built into the server. */
function builtinsOf(type: string, { services }: Context): readonly string[] {
  return services.mountable
    .filter((engine) => engine.kind === type && engine.available?.(services.facts) !== false)
    .map((engine) => engine.type)
}

function typeIn({ params: { type = '' } }: Call, { rules }: Context): string {
  if (!rules.isType(type)) refuse(`plugin type is ${JSON.stringify(type)}; expected one of ${types.join(', ')}`)
  return type
}

const namesOf = (type: string, plugins: readonly Registered[], context: Context): readonly string[] =>
  [...new Set([...builtinsOf(type, context), ...plugins.map(({ name }) => name)])].sort()

export function list(call: Call, context: Context): Reply {
  const type = typeIn(call, context)
  return { kind: 'data', data: { keys: namesOf(type, context.catalog.ofType(type), context) } }
}

export function listAll(context: Context): Reply {
  const { catalog, services } = context
  const all = types.map((type) => ({ type, plugins: catalog.ofType(type) }))
  const detailed = all.flatMap(({ type, plugins }) => [
    ...builtinsOf(type, context).map((name) => ({ builtin: true, name, type, version: builtinVersion(context) })),
    ...plugins.map(({ name, sha256, version }) => ({ builtin: false, name, sha256, type, version })),
  ])
  const byType = Object.fromEntries(all.map(({ type, plugins }) => [type, namesOf(type, plugins, context)]))
  return { kind: 'data', data: { ...byType, ...(isSince(services.facts.version, '1.12.0') ? { detailed } : {}) } }
}

const builtinVersion = ({ services }: Context): string => `v${services.facts.version}+builtin`

export function read(call: Call, context: Context): Reply {
  const type = typeIn(call, context)
  const { name = '' } = call.params
  const version = canonical(call.query.get('version') ?? '')
  const plugin = context.catalog.find({ type, name, version })
  if (plugin) return { kind: 'data', data: view(plugin, context) }
  if (!builtinsOf(type, context).includes(name) || !['', builtinVersion(context)].includes(version))
    throw new Refusal('not-found')
  const nothing = { args: null, command: '', sha256: '', version: builtinVersion(context) }
  return { kind: 'data', data: { ...nothing, builtin: true, name } }
}

function view(plugin: Registered, context: Context): object {
  const { fields } = context.rules
  const shown = (Object.keys(fields) as Field[]).filter((name) => fields[name].forms.includes(formOf(context)))
  const { name, type } = plugin
  const values = Object.fromEntries(shown.map((field) => [field, shownValue(field, plugin, context)]))
  return { builtin: false, name, type, ...values }
}

function shownValue(name: Field, plugin: Registered, { services }: Context): unknown {
  const { emptyLists, pluginVersions } = services.variation()
  const value = plugin[name]
  if (name === 'version' && typeof value === 'string' && pluginVersions === 'bare') return value.replace(/^v/, '')
  return Array.isArray(value) && value.length === 0 && emptyLists === 'null' ? null : value
}

export async function register(call: Call, context: Context): Promise<Reply> {
  const type = typeIn(call, context)
  const { name = '' } = call.params
  const given = givenFields(call.body, context)
  await assertAcceptable(given, context)
  context.catalog.put({ type, name, ...settled(given, context) })
  return done
}

type Given = { readonly [Name in Field]?: Fields[Name] | undefined }

export function givenFields(body: Body, context: Context): Given {
  const { fields } = context.rules
  const form = formOf(context)
  const isKnown = (name: Field): boolean => fields[name].forms.includes(form)
  const text = (name: Field): string | undefined => (isKnown(name) ? textField(body, name) || undefined : undefined)
  const version = text('version')
  return {
    version: version === undefined ? undefined : canonical(version),
    sha256: text('sha256'),
    ...commandIn(text('command'), argumentsIn(body)),
    env: environmentIn(body),
    oci_image: text('oci_image'),
    runtime: text('runtime'),
  }
}

/** Reads an array as it is, because `listField` would split arguments at commas and trim their blanks. */
function argumentsIn(body: Body): readonly string[] | undefined {
  const { args } = body
  if (args === undefined || args === null) return undefined
  if (!Array.isArray(args) || !args.every((one) => typeof one === 'string')) return listField(body, 'args')
  return args.length > 0 ? args : undefined
}

function environmentIn(body: Body): readonly string[] | undefined {
  const { env } = body
  const entries = Array.isArray(env) && env.every((one) => typeof one === 'string') ? env : listField(body, 'env')
  const wrong = entries?.find((entry) => !/^[^=]+=/.test(entry))
  if (wrong !== undefined) refuse(`env holds ${JSON.stringify(wrong)}; expected key=value`)
  return entries && entries.length > 0 ? entries : undefined
}

/** `command` may contain the whole command line if `args` is empty. */
function commandIn(command: string | undefined, args: readonly string[] | undefined): Pick<Given, 'command' | 'args'> {
  if (command === undefined || args !== undefined) return { command, args }
  const [program = '', ...rest] = command.trim().split(/\s+/)
  return rest.length > 0 ? { command: program, args: rest } : { command, args }
}

async function assertAcceptable(given: Given, context: Context): Promise<void> {
  const { fields, isVersion } = context.rules
  for (const name of Object.keys(fields) as Field[])
    if (given[name] === undefined && fields[name].absent === 'refused') refuse(`missing ${name}`)
  const { version, sha256 = '', command = '', args, oci_image } = given
  if (version !== undefined && !isVersion(version))
    refuse(`version ${JSON.stringify(version)} is not a valid semantic version`)
  if (!/^(?:[\da-f]{2})*$/i.test(sha256)) refuse('sha256 must be hexadecimal')
  if (args && /\s/.test(command.trim())) refuse('command must hold only the program where args holds arguments')
  if (oci_image === undefined && command !== '') await assertFile(command, context)
}

/** Refuses a command that does not name a file in the plugin directory. */
async function assertFile(command: string, { services }: Context): Promise<void> {
  // With this variation, a missing file is refused only when the plugin is mounted.
  if (services.variation().pluginFile === 'mount' && !leavesDirectory(command)) return
  await fileOf(services.pluginDirectory, command)
}

/** Returns the fields as they are stored: with the defaults of those that were not given. */
export function settled(given: Given, { rules: { fields } }: Context): Fields {
  // A required field is there by now: `none` is only for the types.
  const settle = <Name extends Field>(name: Name, none: Fields[Name]): Fields[Name] => {
    const { absent }: FieldRule<Name> = fields[name]
    return given[name] ?? (absent === 'refused' ? none : absent.value)
  }
  return {
    version: given.version ?? '',
    sha256: settle('sha256', ''),
    command: settle('command', ''),
    args: settle('args', []),
    env: settle('env', []),
    oci_image: settle('oci_image', ''),
    runtime: settle('runtime', ''),
  }
}

/** Deletes a plugin. Deleting a plugin that does not exist succeeds as well. */
export function remove(call: Call, context: Context): Reply {
  const type = typeIn(call, context)
  const { name = '' } = call.params
  context.catalog.remove({ type, name, version: canonical(call.query.get('version') ?? '') })
  return done
}
