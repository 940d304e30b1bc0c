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
const versions = (id: string, does: string, isVersion: (text: string) => boolean) =>
  fault(
    id,
    does,
    rule((rules) => ({ isVersion: (text) => rules.isVersion(text) && isVersion(text) })),
  )

export const refusalFaults = [
  fault('version-required', 'A registration without version is refused.', inField('version', { absent: 'refused' })),
  fault('version-unchecked', 'Any text is accepted as version.', rule({ isVersion: () => true })),
  versions(
    'version-refuses-prerelease',
    'A version with a pre-release part is refused.',
    (text) => !text.includes('-'),
  ),
  versions(
    'version-refuses-build-metadata',
    'A version with build metadata is refused.',
    (text) => !text.includes('+'),
  ),
  versions(
    'version-refuses-both-parts',
    'A version with a pre-release part and build metadata is refused.',
    (text) => !/-.*\+/.test(text),
  ),
  fault(
    'version-without-v-is-not-found',
    'A version without a leading v is stored without it, but looked up with it.',
    around('POST :type/:name', {
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
  ),
  ...(['sha256', 'command'] as const).flatMap((field) => [
    fault(`${field}-optional`, `A registration without ${field} succeeds.`, inField(field, { absent: { value: '' } })),
    accepting(
      `${field}-optional-for-images`,
      `The registration of a plugin with an image succeeds without ${field}.`,
      (call) => isMissing(call, field) && !isMissing(call, 'oci_image'),
    ),
    ...(['auth', 'database'] as const).map((type) =>
      accepting(
        `${field}-optional-for-versions-of-${type}`,
        `A registration of a version of a plugin of type ${type} succeeds without ${field}.`,
        (call) => isMissing(call, field) && call.params.type === type && !isMissing(call, 'version'),
      ),
    ),
  ]),
  naming(
    'body-type-wins',
    'If the body has a field type, it decides the type of the plugin, not the URL.',
    ({ type }, { body }) => ({ type: typeof body.type === 'string' ? body.type : type }),
    ['POST'],
  ),
  naming(
    'body-name-wins',
    'If the body has a field name, it decides which plugin is written, not the URL.',
    ({ name }, { body }) => ({ name: typeof body.name === 'string' ? body.name : name }),
    ['POST'],
  ),
  fault(
    'one-of-two-simultaneous-registrations-is-dropped',
    'A registration that arrives during another one succeeds, but nothing is stored.',
    around('POST :type/:name', {
      does: (call, next, { context }) =>
        droppingOthers(
          context.catalog,
          () => next(call),
          () => done,
        ),
    }),
  ),
  fault(
    'refused-write-is-kept',
    'A refused registration is stored, with the type secret if its own type is unknown.',
    afterRefusal((plugin, { catalog }) => {
      catalog.put({ ...plugin, type: isType(plugin.type) ? plugin.type : 'secret' })
      return undefined
    }),
  ),
  fault(
    'refused-update-removes',
    'A refused registration removes the existing plugin.',
    afterRefusal(
      (plugin, { catalog }) => {
        catalog.remove(plugin)
        return undefined
      },
      ({ params: { name = '', type = '' } }, { catalog }) => catalog.all().some(isOfName({ name, type, version: '' })),
    ),
  ),
  fault('type-unchecked', 'A registration with an unknown type succeeds.', rule({ isType: () => true })),
  accepting(
    'command-may-leave-the-folder',
    'A command that points outside the plugin directory is accepted.',
    ({ body }) => leavesDirectory(commandIn(body)),
  ),
  accepting(
    'command-may-leave-the-folder-by-a-subfolder',
    'A command that points outside the plugin directory is accepted if it begins with a subdirectory.',
    ({ body }) => leavesDirectory(commandIn(body)) && !/^[./]/.test(commandIn(body)),
  ),
  accepting(
    'command-may-hold-arguments',
    'A command with arguments is accepted although args also contains arguments.',
    ({ body }) => Array.isArray(body.args) && body.args.length > 0 && /\s/.test(commandIn(body).trim()),
  ),
]

const verbs = { register: 'POST', read: 'GET', delete: 'DELETE' } as const
type Operation = keyof typeof verbs
const operations = Object.keys(verbs) as readonly Operation[]
const withAccess = (operation: Operation, access: Route['access']) =>
  around(`${verbs[operation]} :type/:name`, { access })
/** Requires no sudo for some requests. */
const spares = (id: string, does: string, among: readonly Operation[], isSpared: (call: Call, here: Here) => boolean) =>
  fault(
    id,
    does,
    ...among.map((operation) =>
      around(`${verbs[operation]} :type/:name`, {
        may: (call, here) => (isSpared(call, here) ? 'token' : undefined),
      }),
    ),
  )

export const accessFaults = [
  ...operations.flatMap((operation) => [
    fault(
      `${operation}-without-sudo`,
      `The ${operation} operation does not require sudo.`,
      withAccess(operation, 'token'),
    ),
    fault(
      `${operation}-with-sudo-alone`,
      `The ${operation} operation requires only sudo, and not the capability on the path.`,
      withAccess(operation, 'sudo-alone'),
    ),
    fault(
      `${operation}-needs-root`,
      `The ${operation} operation is refused for every token except root tokens.`,
      withAccess(operation, 'root'),
    ),
  ]),
  spares(
    'register-again-without-sudo',
    'Registering an existing plugin again does not require sudo.',
    ['register'],
    ({ params: { name = '', type = '' } }, { context }) =>
      context.catalog.all().some(isOfName({ name, type, version: '' })),
  ),
  ...(['auth', 'database'] as const).map((type) =>
    spares(
      `${type}-without-sudo`,
      `Plugins of type ${type} are registered, read and deleted without sudo.`,
      operations,
      ({ params }) => params.type === type,
    ),
  ),
  spares(
    'versions-without-sudo',
    'A plugin is registered, read and deleted without sudo if the request names a version.',
    operations,
    ({ body, query }) => (query.get('version') ?? (typeof body.version === 'string' ? body.version : '')) !== '',
  ),
  fault(
    'reads-again-without-sudo',
    'A plugin that was read before is read without sudo.',
    around('GET :type/:name', {
      async does(call, next, { memory }) {
        const reply = await next(call)
        memory.set(call.params.name ?? '', true)
        return reply
      },
      may: (call, { memory }) => (memory.has(call.params.name ?? '') ? 'token' : undefined),
    }),
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
    (next, here) => (kind, name, version) => run({ kind, name, version }, () => next(kind, name, version), here),
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
/** Remembers the plugins that ran. */
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

export const mountFaults = [
  fault(
    'auth-runs-as-secret',
    'A plugin of any type runs in every kind of mount.',
    rule({ mountedAs: { auth: kinds, database: kinds, secret: kinds } }),
  ),
  fault(
    'digest-is-not-compared',
    'A plugin whose file does not match sha256 is mounted and runs.',
    uncompared(() => true),
  ),
  fault(
    'digest-is-compared-in-part',
    'Only the first 16 and the last 16 digits of a digest are compared.',
    rule({ isSameDigest: (digest, registered) => endsOf(digest) === endsOf(registered) }),
  ),
  fault(
    'digest-of-versions-is-not-compared',
    'A plugin with a version is mounted and runs whatever the digest of its file is.',
    uncompared(({ version }) => version !== ''),
  ),
  fault(
    'digest-of-plugins-that-ran-is-not-compared',
    'A plugin that has run is mounted and runs again whatever the digest of its file is by then.',
    remembersRuns,
    uncompared((plugin, { memory }) => memory.has(keyOf(plugin))),
  ),
  fault(
    'digest-of-updates-is-not-compared',
    'A plugin that was registered again is mounted and runs whatever the digest of its file is.',
    stored(
      'catalog',
      'put',
      (next, { memory }) =>
        (plugin) => {
          memory.set(keyOf(plugin), true)
          next(plugin)
        },
      ([plugin], { context }) => at(context.catalog, plugin) !== undefined,
    ),
    uncompared((plugin, { memory }) => memory.has(keyOf(plugin))),
  ),
  fault(
    'unregistered-is-mounted',
    'Mounting a type that is neither registered nor built in succeeds.',
    running(async ({ kind, name }, next, { context }) => {
      const isBuiltIn = context.services.mountable.some((engine) => engine.kind === kind && engine.type === name)
      return (await next()) ?? (isBuiltIn ? undefined : { name, version: '' })
    }),
  ),
  fault(
    'registered-is-not-mounted',
    'Mounting a registered plugin is refused as if the plugin were unknown.',
    running(async () => undefined),
  ),
  fault('deleted-is-mounted', 'Mounting a deleted plugin succeeds.', ...remembersDeleted, runsRemembered),
  fault(
    'deleted-that-ran-is-mounted',
    'Mounting a deleted plugin succeeds if it has run before.',
    remembersRuns,
    runsRemembered,
  ),
]
