/** Faults of what is refused: registrations, requests without sudo, and mounts. */

import { pluginFor } from '../../engines/plugin-catalog/plugins/mounted-plugins.ts'
import { leavesDirectory } from '../../engines/plugin-catalog/plugins/plugin-files.ts'
import { canonical } from '../../engines/plugin-catalog/plugins/semver.ts'
import { isType, type PluginType } from '../../engines/plugin-catalog/rules.ts'
import type { Registered } from '../../engines/plugin-catalog/store.ts'
import { type Call, done, type Route } from '../../kernel/contracts.ts'
import type { Plugin } from '../../kernel/mounts/plugins.ts'
import { droppingOthers } from '../lost-writes.ts'
import {
  accepting,
  afterRefusal,
  around,
  at,
  deletedIn,
  extended,
  fault,
  faults,
  type Here,
  inField,
  isOfName,
  keyOf,
  naming,
  remembersDeleted,
  rule,
  stored,
} from './catalog-operations.ts'

type Body = Call['body']
const isMissing = ({ body }: Call, field: string): boolean => body[field] === undefined || body[field] === ''
const commandIn = ({ command }: Body): string => (typeof command === 'string' ? command : '')
const versions = (isVersion: (text: string) => boolean) =>
  rule((rules) => ({ isVersion: (text) => rules.isVersion(text) && isVersion(text) }))

export const refusalFaults = [
  ...faults({
    'version-required': 'A registration without version is refused.',
    'version-unchecked': 'Any text is accepted as version.',
    'version-refuses-prerelease': 'A version with a pre-release part is refused.',
    'version-refuses-build-metadata': 'A version with build metadata is refused.',
    'version-refuses-both-parts': 'A version with a pre-release part and build metadata is refused.',
    'version-without-v-is-not-found': 'A version without a leading v is stored without it, but looked up with it.',
    'body-type-wins': 'If the body has a field type, it decides the type of the plugin, not the URL.',
    'body-name-wins': 'If the body has a field name, it decides which plugin is written, not the URL.',
    'one-of-two-simultaneous-registrations-is-dropped':
      'A registration that arrives during another one succeeds, but nothing is stored.',
    'refused-write-is-kept': 'A refused registration is stored, with the type secret if its own type is unknown.',
    'refused-update-removes': 'A refused registration removes the existing plugin.',
    'type-unchecked': 'A registration with an unknown type succeeds.',
    'command-may-leave-the-folder': 'A command that points outside the plugin directory is accepted.',
    'command-may-leave-the-folder-by-a-subfolder':
      'A command that points outside the plugin directory is accepted if it begins with a subdirectory.',
    'command-may-hold-arguments': 'A command with arguments is accepted although args also contains arguments.',
  }).by({
    'version-required': inField('version', { absent: 'refused' }),
    'version-unchecked': rule({ isVersion: () => true }),
    'version-refuses-prerelease': versions((text) => !text.includes('-')),
    'version-refuses-build-metadata': versions((text) => !text.includes('+')),
    'version-refuses-both-parts': versions((text) => !/-.*\+/.test(text)),
    'version-without-v-is-not-found': around('POST :type/:name', {
      when: ({ body: { version } }) => typeof version === 'string' && canonical(version) !== version,
      async does(call, next, { context: { catalog } }) {
        const reply = await next(call)
        const { name = '', type = '' } = call.params
        const version = String(call.body.version)
        const plugin = at(catalog, { name, type, version: canonical(version) })
        if (!plugin) return reply
        catalog.remove(plugin)
        catalog.put({ ...plugin, version })
        return reply
      },
    }),
    'body-type-wins': naming(
      ({ type }, { body }) => ({ type: typeof body.type === 'string' ? body.type : type }),
      ['POST'],
    ),
    'body-name-wins': naming(
      ({ name }, { body }) => ({ name: typeof body.name === 'string' ? body.name : name }),
      ['POST'],
    ),
    'one-of-two-simultaneous-registrations-is-dropped': around('POST :type/:name', {
      does: (call, next, { context }) =>
        droppingOthers(
          context.catalog,
          () => next(call),
          () => done,
        ),
    }),
    'refused-write-is-kept': afterRefusal((plugin, { catalog }) => {
      catalog.put({ ...plugin, type: isType(plugin.type) ? plugin.type : 'secret' })
      return undefined
    }),
    'refused-update-removes': afterRefusal(
      (plugin, { catalog }) => {
        catalog.remove(plugin)
        return undefined
      },
      ({ params: { name = '', type = '' } }, { catalog }) => catalog.all().some(isOfName({ name, type, version: '' })),
    ),
    'type-unchecked': rule({ isType: () => true }),
    'command-may-leave-the-folder': accepting(({ body }) => leavesDirectory(commandIn(body))),
    'command-may-leave-the-folder-by-a-subfolder': accepting(
      ({ body }) => leavesDirectory(commandIn(body)) && !/^[./]/.test(commandIn(body)),
    ),
    'command-may-hold-arguments': accepting(
      ({ body }) => Array.isArray(body.args) && body.args.length > 0 && /\s/.test(commandIn(body).trim()),
    ),
  }),
  ...(['sha256', 'command'] as const).flatMap((field) => [
    fault(`${field}-optional`, `A registration without ${field} succeeds.`, inField(field, { absent: { value: '' } })),
    fault(
      `${field}-optional-for-images`,
      `The registration of a plugin with an image succeeds without ${field}.`,
      accepting((call) => isMissing(call, field) && !isMissing(call, 'oci_image')),
    ),
    ...(['auth', 'database'] as const).map((type) =>
      fault(
        `${field}-optional-for-versions-of-${type}`,
        `A registration of a version of a plugin of type ${type} succeeds without ${field}.`,
        accepting((call) => isMissing(call, field) && call.params.type === type && !isMissing(call, 'version')),
      ),
    ),
  ]),
]

const verbs = { register: 'POST', read: 'GET', delete: 'DELETE' } as const
type Operation = keyof typeof verbs
const operations = Object.keys(verbs) as readonly Operation[]
const withAccess = (operation: Operation, access: Route['access']) =>
  around(`${verbs[operation]} :type/:name`, { access })
/** Requires no sudo for some requests. */
const spares = (among: readonly Operation[], isSpared: (call: Call, here: Here) => boolean) =>
  among.map((operation) =>
    around(`${verbs[operation]} :type/:name`, { may: (call, here) => (isSpared(call, here) ? 'token' : undefined) }),
  )

export const accessFaults = [
  ...faults({
    'register-again-without-sudo': 'Registering an existing plugin again does not require sudo.',
    'versions-without-sudo': 'A plugin is registered, read and deleted without sudo if the request names a version.',
    'reads-again-without-sudo': 'A plugin that was read before is read without sudo.',
  }).by({
    'register-again-without-sudo': spares(['register'], ({ params: { name = '', type = '' } }, { context }) =>
      context.catalog.all().some(isOfName({ name, type, version: '' })),
    ),
    'versions-without-sudo': spares(
      operations,
      ({ body, query }) => (query.get('version') ?? (typeof body.version === 'string' ? body.version : '')) !== '',
    ),
    'reads-again-without-sudo': around('GET :type/:name', {
      async does(call, next, { memory }) {
        const reply = await next(call)
        memory.set(call.params.name ?? '', true)
        return reply
      },
      may: (call, { memory }) => (memory.has(call.params.name ?? '') ? 'token' : undefined),
    }),
  }),
  ...operations.flatMap((operation) =>
    faults({
      [`${operation}-without-sudo`]: `The ${operation} operation does not require sudo.`,
      [`${operation}-with-sudo-alone`]: `The ${operation} operation requires only sudo, and not the capability on the path.`,
      [`${operation}-needs-root`]: `The ${operation} operation is refused for every token except root tokens.`,
    }).by({
      [`${operation}-without-sudo`]: withAccess(operation, 'token'),
      [`${operation}-with-sudo-alone`]: withAccess(operation, 'sudo-alone'),
      [`${operation}-needs-root`]: withAccess(operation, 'root'),
    }),
  ),
  ...(['auth', 'database'] as const).map((type) =>
    fault(
      `${type}-without-sudo`,
      `Plugins of type ${type} are registered, read and deleted without sudo.`,
      spares(operations, ({ params }) => params.type === type),
    ),
  ),
]

type Run = (
  asked: { readonly kind: 'auth' | 'secret'; readonly name: string; readonly version: string | undefined },
  next: () => Promise<Plugin | undefined>,
  here: Here,
) => Promise<Plugin | undefined>
/** Changes which plugin a mount runs. */
const running = (run: Run, when?: (asked: Parameters<Run>[0], here: Here) => boolean) =>
  extended(
    'plugins',
    'assertRunnable',
    ([kind, name, version], next, here) => run({ kind, name, version }, () => next(kind, name, version), here),
    ([kind, name, version], here) => when?.({ kind, name, version }, here) !== false,
  )
const asPlugin = ({ name, version }: Registered): Plugin => ({ name, version })
const wanted = ({ kind, name, version }: Parameters<Run>[0], { context }: Here): Registered | undefined =>
  pluginFor(kind, name, version, context)

/** Runs plugins without comparing their digests. */
const uncompared = (isMeant: (plugin: Registered, here: Here) => boolean) =>
  running(
    async (asked, next, here) => {
      const plugin = wanted(asked, here)
      return plugin && isMeant(plugin, here) ? asPlugin(plugin) : next()
    },
    (asked, here) => {
      const plugin = wanted(asked, here)
      return plugin !== undefined && isMeant(plugin, here)
    },
  )
const remembersRuns = running(async (asked, next, here) => {
  const plugin = wanted(asked, here)
  const ran = await next()
  if (plugin && ran) here.memory.set(keyOf(plugin), plugin)
  return ran
})
/** Runs a plugin that is remembered, if none is registered. */
const runsRemembered = running(async ({ kind, name, version }, next, { context, memory }) => {
  const ran = await next()
  const isMeant = (plugin: Registered): boolean =>
    plugin.name === name &&
    context.rules.mountedAs[plugin.type as PluginType].includes(kind) &&
    (version === undefined || plugin.version === canonical(version))
  const remembered = deletedIn(memory).find(isMeant)
  return ran ?? (remembered && asPlugin(remembered))
})

const endsOf = (digest: string): string => `${digest.slice(0, 16)}${digest.slice(-16)}`.toLowerCase()
const kinds = ['auth', 'secret'] as const

export const mountFaults = faults({
  'auth-runs-as-secret': 'A plugin of any type runs in every kind of mount.',
  'digest-is-not-compared': 'A plugin whose file does not match sha256 is mounted and runs.',
  'digest-is-compared-in-part': 'Only the first 16 and the last 16 digits of a digest are compared.',
  'digest-of-versions-is-not-compared':
    'A plugin with a version is mounted and runs whatever the digest of its file is.',
  'digest-of-plugins-that-ran-is-not-compared':
    'A plugin that has run is mounted and runs again whatever the digest of its file is by then.',
  'digest-of-updates-is-not-compared':
    'A plugin that was registered again is mounted and runs whatever the digest of its file is.',
  'unregistered-is-mounted': 'Mounting a type that is neither registered nor built in succeeds.',
  'registered-is-not-mounted': 'Mounting a registered plugin is refused as if the plugin were unknown.',
  'deleted-is-mounted': 'Mounting a deleted plugin succeeds.',
  'deleted-that-ran-is-mounted': 'Mounting a deleted plugin succeeds if it has run before.',
}).by({
  'auth-runs-as-secret': rule({ mountedAs: { auth: kinds, database: kinds, secret: kinds } }),
  'digest-is-not-compared': uncompared(() => true),
  'digest-is-compared-in-part': rule({ isSameDigest: (digest, registered) => endsOf(digest) === endsOf(registered) }),
  'digest-of-versions-is-not-compared': uncompared(({ version }) => version !== ''),
  'digest-of-plugins-that-ran-is-not-compared': [
    remembersRuns,
    uncompared((plugin, { memory }) => memory.has(keyOf(plugin))),
  ],
  'digest-of-updates-is-not-compared': [
    stored(
      'catalog',
      'put',
      ([plugin], next, { memory }) => {
        memory.set(keyOf(plugin), true)
        next(plugin)
      },
      ([plugin], { context }) => at(context.catalog, plugin) !== undefined,
    ),
    uncompared((plugin, { memory }) => memory.has(keyOf(plugin))),
  ],
  'unregistered-is-mounted': running(async ({ kind, name }, next, { context }) => {
    const isBuiltIn = context.services.mountable.some((engine) => engine.kind === kind && engine.type === name)
    return (await next()) ?? (isBuiltIn ? undefined : { name, version: '' })
  }),
  'registered-is-not-mounted': running(async () => undefined),
  'deleted-is-mounted': [remembersDeleted, runsRemembered],
  'deleted-that-ran-is-mounted': [remembersRuns, runsRemembered],
})
