/** The endpoints `sys/mounts` and `sys/auth` mount engines at paths, and tune them. */

import { systemTtl } from '../../kernel/auth/tokens.ts'
import { type Call, done, type Reply, type Route, type ServerFacts } from '../../kernel/contracts.ts'
import { flagField, mapField, requiredText, textField } from '../../kernel/http/body-fields.ts'
import { durationField } from '../../kernel/http/duration.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
import { type Mount, type MountConfig, type MountKind, prefixOf } from '../../kernel/mounts/mount.ts'
import { assertBuiltIn, assertOptions, assertServed, ignoredIn } from '../../kernel/mounts/mount-settings.ts'
import type { Plugin } from '../../kernel/mounts/plugins.ts'
import { noSuchEngine } from '../../kernel/served.ts'
import type { Services } from '../../kernel/services.ts'

const reserved = ['sys', 'auth', 'identity', 'cubbyhole'] as const

/** Builds the data that replies contain about a mount. A built-in engine has the version of the server. */
export const mountView = (mount: Mount, facts: ServerFacts): object => ({
  accessor: mount.accessor,
  config: mount.config,
  description: mount.description,
  external_entropy_access: false,
  local: mount.local,
  options: mount.options,
  seal_wrap: mount.sealWrap,
  type: mount.type,
  uuid: mount.uuid,
  plugin_version: mount.plugin?.version ?? '',
  running_plugin_version: mount.plugin ? mount.plugin.version : `v${facts.version}+builtin`,
  running_sha256: '',
  ...(mount.builtIn ? {} : { deprecation_status: 'supported' }),
})

type Fields = Readonly<Record<string, unknown>>

/** Settings that are stored without conversion. */
const keptSettings = ['listing_visibility', 'token_type'] as const

function tuned(config: MountConfig, fields: Fields): MountConfig {
  assertServed(fields)
  /** The word `system` returns to the lifetimes of the system. */
  const ttlOf = (name: 'default_lease_ttl' | 'max_lease_ttl'): number =>
    fields[name] === 'system' ? 0 : (durationField(fields, name) ?? config[name])
  const [defaults, maximum] = [ttlOf('default_lease_ttl'), ttlOf('max_lease_ttl')]
  if (defaults > (maximum || Math.max(systemTtl, defaults)))
    throw badRequest('default_lease_ttl must not be above max_lease_ttl')
  const kept = keptSettings.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]] as const)
  return {
    ...config,
    ...Object.fromEntries(kept),
    default_lease_ttl: defaults,
    max_lease_ttl: maximum,
    force_no_cache: flagField(fields, 'force_no_cache') ?? config.force_no_cache,
  }
}

const plainConfig: MountConfig = { default_lease_ttl: 0, max_lease_ttl: 0, force_no_cache: false }

const pathIn = (call: Call): string => `${(call.params.path ?? '').replace(/\/+$/, '')}/`

function load(kind: MountKind, call: Call, { mounts }: Services): Mount {
  const mount = mounts.find(kind, pathIn(call))
  if (!mount) throw badRequest(`no mount at ${pathIn(call)}`)
  return mount
}

/** Finds the plugin or the engine for the requested type. A registered plugin takes precedence over a built-in
 * engine. */
async function find(
  kind: MountKind,
  call: Call,
  services: Services,
): Promise<{ readonly type: string; readonly plugin?: Plugin; readonly options?: Mount['options'] }> {
  const { extensions, facts, mountable } = services
  const config = (call.body.config ?? {}) as Fields
  const asked = requiredText(call.body, 'type')
  const named = textField(call.body, 'plugin_name') || textField(config, 'plugin_name')
  const type = asked === 'plugin' && named ? named : asked
  const version = textField(call.body, 'plugin_version') || textField(config, 'plugin_version')
  const plugin = await extensions.plugins?.assertRunnable(kind, type, version)
  if (plugin) return { type, plugin }
  assertBuiltIn(version, type, facts)
  // Clients also mount `kv` as `kv-v1`, `kv-v2` or `generic`.
  const kvVersion = kind === 'secret' ? /^kv-v([12])$/.exec(type === 'generic' ? 'kv-v1' : type)?.[1] : undefined
  if (kvVersion) return { type: 'kv', options: { version: kvVersion } }
  const engine = mountable.find((one) => one.kind === kind && one.type === type)
  if (!engine || engine.available?.(facts) === false)
    throw badRequest(`plugin not found in the catalog: ${type}; ${noSuchEngine(kind, type, services)}`)
  return { type }
}

export function assertMountable(kind: MountKind, path: string, { namespaces }: Services): void {
  if (kind === 'secret' && reserved.some((word) => path === `${word}/` || path.startsWith(`${word}/`)))
    throw badRequest(`cannot mount under existing mount "${path.split('/')[0]}/"`)
  if (path.split('/').some((part, index, parts) => part === '' && index < parts.length - 1))
    throw badRequest(`no path to mount at: "${path}"`)
  const [first = ''] = path.split('/')
  if (kind === 'secret' && namespaces.find(first)) throw badRequest(`existing mount at ${first}/: it is a namespace`)
}

async function add(kind: MountKind, call: Call, services: Services): Promise<Reply> {
  const { mint, mounts, namespaces } = services
  const { type, plugin, options } = await find(kind, call, services)
  const path = pathIn(call)
  assertMountable(kind, path, services)
  const config = typeof call.body.config === 'object' ? (call.body.config as Fields | null) : null
  assertServed(call.body)
  const given = options ?? mapField(call.body, 'options') ?? null
  if (!plugin) assertOptions(type, given ?? {})
  mounts.add({
    kind,
    path,
    type,
    accessor: mint.mountAccessor(kind === 'auth' ? `auth_${type}` : type),
    uuid: mint.uuid(),
    description: textField(call.body, 'description') ?? '',
    config: tuned(plainConfig, config ?? {}),
    options: given,
    local: flagField(call.body, 'local') ?? false,
    sealWrap: flagField(call.body, 'seal_wrap') ?? false,
    builtIn: false,
    ...(namespaces.here.path === '' ? {} : { namespace: namespaces.here.path }),
    ...(plugin ? { plugin } : {}),
  })
  return { kind: 'empty', warnings: [...ignoredIn(call.body, 'mount'), ...ignoredIn(config ?? {}, 'config')] }
}

async function remove(kind: MountKind, call: Call, { leases, mounts, tokens }: Services): Promise<Reply> {
  const mount = mounts.find(kind, pathIn(call))
  if (!mount) return done
  if (mount.builtIn) throw badRequest(`cannot unmount "${mount.path}"`)
  const prefix = `${prefixOf(mount)}/`
  await leases.revokePrefix(prefix)
  if (kind === 'auth')
    for (const token of tokens.filter(({ path }) => path.startsWith(prefix))) await tokens.revoke(token.id)
  mounts.remove(mount)
  return done
}

/** Changes the options of a mount. An upgrade to version 2 of `kv` converts its values, and cannot be reversed. */
function changeOptions(mount: Mount, options: Readonly<Record<string, string>>, { mounts }: Services): void {
  if (!mount.plugin) assertOptions(mount.type, options)
  if (mount.options?.version === '2' && options.version === '1')
    throw badRequest('a kv mount of version 2 cannot become version 1 again')
  const isUpgrade = mount.type === 'kv' && options.version === '2' && mount.options?.version !== '2'
  mount.options = { ...mount.options, ...options }
  if (isUpgrade) mounts.reopen(mount)
}

function tune(kind: MountKind, call: Call, services: Services): Reply {
  const mount = load(kind, call, services)
  Object.assign(mount.config, tuned(mount.config, call.body))
  mount.description = textField(call.body, 'description') ?? mount.description
  const options = mapField(call.body, 'options')
  const version = textField(call.body, 'plugin_version')
  if (version && version !== mount.plugin?.version)
    throw badRequest('plugin_version: this reference server does not change the plugin of a mount')
  if (options) changeOptions(mount, options, services)
  return { kind: 'empty', warnings: ignoredIn(call.body, 'tune') }
}

function readTune(kind: MountKind, call: Call, services: Services): Reply {
  const { config, description, options } = load(kind, call, services)
  const shown = {
    ...config,
    default_lease_ttl: config.default_lease_ttl || systemTtl,
    max_lease_ttl: config.max_lease_ttl || systemTtl,
    description,
    ...(options ? { options } : {}),
  }
  return { kind: 'data', data: shown }
}

/** Returns whether a request is about a local mount. Such a mount is not replicated, so this cluster handles it. */
const isLocal =
  (kind: MountKind, { mounts }: Services) =>
  (call: Call): boolean =>
    mounts.find(kind, pathIn(call))?.local ?? (call.verb === 'POST' && flagField(call.body, 'local') === true)

const list = (kind: MountKind, { mounts, facts }: Services): Reply => ({
  kind: 'data',
  verbatim: true,
  data: Object.fromEntries(mounts.all(kind).map((mount) => [mount.path, mountView(mount, facts)])),
})

export function mountRoutes(services: Services): readonly Route[] {
  const rows = (kind: MountKind, at: 'mounts' | 'auth'): readonly Route[] => {
    // Whoever can mount a login method can get tokens with any policies, so this requires sudo.
    const access = kind === 'auth' ? 'sudo' : 'token'
    const stays = isLocal(kind, services)
    return [
      { verb: 'GET', path: at, access: 'token', handle: () => list(kind, services) },
      {
        verb: 'GET',
        path: `${at}/:path*`,
        access: 'token',
        handle: (call) => ({ kind: 'data', data: mountView(load(kind, call, services), services.facts) }),
      },
      { verb: 'POST', path: `${at}/:path*`, access, stays, handle: (call) => add(kind, call, services) },
      { verb: 'DELETE', path: `${at}/:path*`, access, stays, handle: (call) => remove(kind, call, services) },
      { verb: 'GET', path: `${at}/:path*/tune`, access, handle: (call) => readTune(kind, call, services) },
      { verb: 'POST', path: `${at}/:path*/tune`, access, stays, handle: (call) => tune(kind, call, services) },
    ]
  }
  return [...rows('secret', 'mounts'), ...rows('auth', 'auth')]
}
