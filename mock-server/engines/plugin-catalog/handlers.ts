import type { Call, Reply } from '../../kernel/contracts.ts'
import { done } from '../../kernel/contracts.ts'
import { listField, textField } from '../../kernel/http/body-fields.ts'
import { Refusal, refuse } from '../../kernel/http/refusal.ts'
import { droppingOthers } from '../../kernel/lost-writes.ts'
import { isSince } from '../../kernel/versions.ts'
import type { Context } from './context.ts'
import { fileOf, leavesDirectory } from './plugins/plugin-files.ts'
import { canonical, compareVersions } from './plugins/semver.ts'
import type { Field, Fields, Registered } from './store.ts'
import { type FieldRule, type Form, isType, type ListRule, type PluginType, types } from './tables.ts'

type Body = Call['body']
export const formOf = ({ services }: Context): Form =>
  services.facts.forms['plugin-catalog'] === 'older' ? 'older' : 'newer'

/** Returns the names of the plugins of a type that are built into the server. */
function builtinsOf(type: PluginType, { services }: Context): readonly string[] {
  return services.mountable
    .filter((engine) => engine.kind === type && engine.available?.(services.facts) !== false)
    .map((engine) => engine.type)
}

function typeIn(call: Call, { tables }: Context, type = call.params.type ?? ''): string {
  if (!isType(type) && tables().otherTypes === 'refused')
    refuse(`plugin type is ${JSON.stringify(type)}; expected one of ${types.join(', ')}`)
  return type
}

function named({ states, types: ofTypes, names, most }: ListRule, { catalog }: Context): readonly Registered[] {
  const deleted = catalog.all(['deleted'])
  return catalog
    .all(states)
    .filter((plugin) => ofTypes.includes(plugin.type) && names(plugin, deleted))
    .slice(0, most)
}

const namesOf = (type: PluginType, plugins: readonly Registered[], context: Context): readonly string[] =>
  [...new Set([...builtinsOf(type, context), ...plugins.map(({ name }) => name)])].sort()

export function list(call: Call, context: Context): Reply {
  const type = typeIn(call, context)
  if (!isType(type)) return { kind: 'data', data: { keys: [] } }
  return { kind: 'data', data: { keys: namesOf(type, named(context.tables().listed[type], context), context) } }
}

export function listAll(context: Context): Reply {
  const { services, tables } = context
  const plugins = (type: PluginType) => named(tables().catalog[type], context)
  const detailed = types.flatMap((type) => [
    ...builtinsOf(type, context).map((name) => ({ builtin: true, name, type, version: builtinVersion(context) })),
    ...plugins(type).map(({ name, sha256, version }) => ({ builtin: false, name, sha256, type, version })),
  ])
  const byType = Object.fromEntries(types.map((type) => [type, namesOf(type, plugins(type), context)]))
  return { kind: 'data', data: { ...byType, ...(isSince(services.facts.version, '1.12.0') ? { detailed } : {}) } }
}

const builtinVersion = ({ services }: Context): string => `v${services.facts.version}+builtin`

export function read(call: Call, context: Context): Reply {
  const { catalog, tables } = context
  const type = typeIn(call, context)
  const { find, readable, readTypes, name: nameFrom } = tables()
  const name = nameFrom(call.params.name ?? '', undefined)
  const version = canonical(call.query.get('version') ?? '')
  const known = catalog.all(readable(type))
  const plugins = known.filter((plugin) => plugin.type === type)
  const all = readTypes === 'every' ? known : []
  const plugin = find(plugins, name, version) ?? find(all, name, version)
  if (plugin) return { kind: 'data', data: view(plugin, context) }
  if (!isType(type) || !builtinsOf(type, context).includes(name) || !['', builtinVersion(context)].includes(version))
    throw new Refusal('not-found')
  const nothing = { args: null, command: '', sha256: '', version: builtinVersion(context) }
  return { kind: 'data', data: { ...nothing, builtin: true, name } }
}

function view(plugin: Registered, context: Context): object {
  const { fields, shownName, shownType } = context.tables()
  const form = formOf(context)
  const shown = (Object.keys(fields) as Field[]).filter((name) => fields[name].forms.includes(form))
  return {
    builtin: false,
    name: shownName(plugin.name),
    type: shownType(plugin.type),
    ...Object.fromEntries(shown.map((name) => [name, shownValue(name, plugin, context)])),
  }
}

function shownValue<Name extends Field>(name: Name, plugin: Registered, { services, tables }: Context): unknown {
  const { emptyLists, pluginVersions } = services.variation()
  const { shown }: FieldRule<Name> = tables().fields[name]
  const value = shown(plugin[name])
  if (name === 'version' && typeof value === 'string' && pluginVersions === 'bare') return value.replace(/^v/, '')
  return Array.isArray(value) && value.length === 0 && emptyLists === 'null' ? null : value
}

/** Registers a plugin, perhaps while another one is registered. */
export function registerAmongOthers(call: Call, context: Context): Promise<Reply> {
  const registered = () => register(call, context)
  return context.tables().simultaneous === 'stored'
    ? registered()
    : droppingOthers<Reply>(context.catalog, registered, () => done)
}

async function register(call: Call, context: Context): Promise<Reply> {
  const { catalog, tables } = context
  const { name: nameFrom, type: typeFrom, refusedWrite, registers } = tables()
  const name = nameFrom(call.params.name ?? '', call.body.name)
  const given = givenFields(call.body, context)
  let type = 'secret'
  try {
    type = typeIn(call, context, typeFrom(call.params.type ?? '', call.body.type))
    await assertAcceptable(given, type, context)
  } catch (error) {
    const before = catalog.find(type, name, given.version ?? '')
    if (refusedWrite === 'stored') catalog.put({ type, name, ...settled(given, undefined, context) })
    if (refusedWrite === 'removes' && before) catalog.remove(before)
    throw error
  }
  const version = given.version ?? ''
  const plugin = { type, name, ...settled(given, catalog.find(type, name, version), context) }
  const stored = registers(catalog, plugin)
  if (stored) catalog.put(stored)
  reach(plugin, context)
  return done
}

/** Applies a registration to other plugins of the same name. Only mutants change any of them. */
function reach(plugin: Registered, { catalog, tables }: Context): void {
  const { types: others, otherVersions } = tables().registrationReaches
  const { args, env, name, type, version } = plugin
  for (const other of others) if (catalog.find(other, name, version)) catalog.put({ ...plugin, type: other })
  if (otherVersions === 'kept') return
  for (const other of catalog.all(['registered'])) {
    if (other.type !== type || other.name !== name || other.version === version) continue
    if (otherVersions === 'dropped') catalog.remove(other)
    else if (version === '') catalog.put({ ...other, args, env })
  }
}

type Given = { readonly [Name in Field]?: Fields[Name] | undefined }

function givenFields(body: Body, context: Context): Given {
  const { fields, storedVersion } = context.tables()
  const form = formOf(context)
  const isKnown = (name: Field): boolean => fields[name].forms.includes(form)
  const text = (name: Field): string | undefined => (isKnown(name) ? textField(body, name) || undefined : undefined)
  const version = text('version')
  return {
    version: version === undefined ? undefined : storedVersion(version),
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

async function assertAcceptable(given: Given, type: string, context: Context): Promise<void> {
  const { fields, isVersion, argumentsTwice, optionalFor, optionalForImages } = context.tables()
  const isNeeded = (name: Field): boolean =>
    fields[name].absent === 'refused' &&
    !optionalFor(name, type, given.version ?? '') &&
    !(given.oci_image !== undefined && optionalForImages.includes(name))
  for (const name of Object.keys(fields) as Field[])
    if (given[name] === undefined && isNeeded(name)) refuse(`missing ${name}`)
  const { version, sha256 = '', command = '', args, oci_image } = given
  if (version !== undefined && !isVersion(version))
    refuse(`version ${JSON.stringify(version)} is not a valid semantic version`)
  if (!/^(?:[\da-f]{2})*$/i.test(sha256)) refuse('sha256 must be hexadecimal')
  if (args && /\s/.test(command.trim()) && argumentsTwice === 'refused')
    refuse('command must hold only the program where args holds arguments')
  if (oci_image === undefined && command !== '') await assertFile(command, args, context)
}

/** Refuses a command that does not name a file in the plugin directory. */
async function assertFile(command: string, args: Given['args'], context: Context): Promise<void> {
  const { takenOutside } = context.tables()
  if (leavesDirectory(command) && takenOutside(command)) return
  // With this variation, a missing file is refused only when the plugin is mounted.
  if (context.services.variation().pluginFile === 'mount' && !leavesDirectory(command)) return
  await fileOf(context.services.pluginDirectory, args ? (command.split(/\s/)[0] ?? '') : command)
}

function settled(given: Given, before: Fields | undefined, { tables }: Context): Fields {
  const { fields } = tables()
  const settle = <Name extends Field>(name: Name, none: Fields[Name]): Fields[Name] => {
    const { absent, keep, update }: FieldRule<Name> = fields[name]
    if (before && update === 'kept') return before[name]
    const value: Fields[Name] | undefined = given[name]
    if (value !== undefined) return keep(value)
    return absent === 'refused' ? none : absent.value
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
  const { catalog, tables } = context
  const { deletionTakes, name: nameFrom } = tables()
  const type = typeIn(call, context)
  const name = nameFrom(call.params.name ?? '', undefined)
  const asked = deletionTakes.asked(canonical(call.query.get('version') ?? ''))
  const versions = catalog.all(['registered']).filter((plugin) => plugin.type === type && plugin.name === name)
  const latest = newest(versions.filter(({ version: one }) => one !== ''))?.version ?? ''
  const unasked = deletionTakes.version === 'newest-unless-asked' ? latest : ''
  const version = deletionTakes.version === 'none' || asked === '' ? unasked : asked
  const isOfEveryType = deletionTakes.types === 'every' || (deletionTakes.types === 'every-by-version' && asked !== '')
  const affected = catalog
    .all(['registered'])
    .filter(
      (plugin) =>
        deletionTakes.names(name, plugin.name) &&
        (isOfEveryType || plugin.type === type) &&
        (deletionTakes.version === 'every' || plugin.version === version),
    )
  for (const plugin of deletionTakes.also(affected, catalog.all(['registered']), { type, name, version }))
    catalog.remove(plugin)
  if (deletionTakes.answer === 'refused') refuse(`plugin ${name} was not deleted`)
  return done
}

/** Returns the newest registered version of a name. A plugin that was registered without a version wins. */
export const newest = (plugins: readonly Registered[]): Registered | undefined =>
  plugins.find(({ version }) => version === '') ?? [...plugins].sort((a, b) => compareVersions(b.version, a.version))[0]
