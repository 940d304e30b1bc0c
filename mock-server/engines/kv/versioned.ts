/** Version 2 of `kv`, whose values have versions that can be deleted, undeleted and destroyed one by one. */
import { type Call, type Clock, done, type Reply, type Route } from '../../kernel/contracts.ts'
import type { EngineInstance } from '../../kernel/engine.ts'
import { flagField, listField, mapField, numberField } from '../../kernel/http/body-fields.ts'
import { durationField, durationText } from '../../kernel/http/duration.ts'
import { badRequest, Refusal } from '../../kernel/http/refusal.ts'
import { namesBelow } from './names.ts'
import { createStore, type Entry, type Settings, type Store, type Value, type Version } from './store.ts'

interface Context {
  readonly store: Store
  readonly clock: Clock
}

const timeOf = (ms: number): string => new Date(ms).toISOString()
const pathIn = (call: Call): string => call.params.path ?? ''
const isObject = (value: unknown): value is Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const versionView = ({ createdAt, deletedAt, destroyed }: Version) => ({
  created_time: timeOf(createdAt),
  deletion_time: deletedAt === undefined ? '' : timeOf(deletedAt),
  destroyed,
})
const metadataView = ({ custom }: Entry, [number, version]: readonly [number, Version]) => ({
  ...versionView(version),
  custom_metadata: custom,
  version: number,
})
const settingsView = ({ maxVersions, casRequired, deleteAfter }: Settings) => ({
  max_versions: maxVersions,
  cas_required: casRequired,
  // Servers of this family leave out leading units that are zero: `30m0s`, `0s`.
  delete_version_after: durationText(deleteAfter).replace(/^0h(?:0m)?/, ''),
})

function load(call: Call, { store }: Context): Entry {
  const entry = store.find(pathIn(call))
  if (!entry) throw new Refusal('not-found')
  return entry
}

/** Finds the version that the query names, or else the newest one. */
function versionIn(call: Call, context: Context): { entry: Entry; found: readonly [number, Version]; live: boolean } {
  const entry = load(call, context)
  const wanted = Math.max(numberField({ version: call.query.get('version') }, 'version') ?? 0, 0) || entry.current
  const found = entry.versions.find(([number]) => number === wanted)
  if (!found) throw new Refusal('not-found')
  const [, { deletedAt, destroyed }] = found
  return { entry, found, live: !destroyed && (deletedAt ?? Number.POSITIVE_INFINITY) > context.clock.now() }
}

function read(call: Call, context: Context): Reply {
  const { entry, found, live } = versionIn(call, context)
  const data = { data: live ? found[1].data : null, metadata: metadataView(entry, found) }
  return { kind: 'data', data, verbatim: true, ...(live ? {} : { status: 404 }) }
}

/** Replaces every value by null, and at the last level of `depth` every object as well; 0 means unlimited depth. */
function withoutValues(value: Value, depth: number): Value {
  const deeper = (item: unknown): unknown =>
    isObject(item) && Object.keys(item).length > 0 && depth !== 1 ? withoutValues(item, depth - 1) : null
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, deeper(item)]))
}

function readSubkeys(call: Call, context: Context): Reply {
  const { entry, found, live } = versionIn(call, context)
  const depth = Number(call.query.get('depth') || 0)
  const subkeys = live ? withoutValues(found[1].data ?? {}, depth) : null
  const data = { subkeys, metadata: metadataView(entry, found) }
  return { kind: 'data', data, verbatim: true, ...(live ? {} : { status: 404 }) }
}

function assertCheckAndSet(call: Call, { store }: Context): void {
  const entry = store.ensure(pathIn(call))
  const { options = {} } = call.body
  if (!isObject(options)) throw badRequest('options must be a map')
  const cas = numberField(options, 'cas')
  if (cas === undefined) {
    if (entry.settings.casRequired || store.settings.casRequired)
      throw badRequest('check-and-set parameter required for this call')
  } else if (cas !== entry.current) throw badRequest('check-and-set parameter did not match the current version')
}

function write(call: Call, context: Context): Reply {
  const { data } = call.body
  if (data !== null && !isObject(data)) throw badRequest('no data provided')
  assertCheckAndSet(call, context)
  const added = context.store.write(pathIn(call), data)
  return { kind: 'data', data: metadataView(load(call, context), added) }
}

/** Merges a patch (RFC 7396): null removes a name, an object is merged, and anything else replaces the value. */
function merged(target: Value, patch: Value): Value {
  const result: Record<string, unknown> = { ...target }
  for (const [name, item] of Object.entries(patch)) {
    const known = result[name]
    if (item === null) delete result[name]
    else result[name] = isObject(item) ? merged(isObject(known) ? known : {}, item) : item
  }
  return result
}

function patch(call: Call, context: Context): Reply {
  const { data } = call.body
  if (!isObject(data)) throw badRequest('no data provided')
  const { entry, found, live } = versionIn(call, context)
  if (!live) return { kind: 'data', data: { data: null, metadata: metadataView(entry, found) }, status: 404 }
  assertCheckAndSet(call, context)
  const added = context.store.write(pathIn(call), merged(found[1].data ?? {}, data))
  return { kind: 'data', data: metadataView(load(call, context), added) }
}

/** Changes the versions with these numbers, and ignores numbers of versions that are not stored. */
function change(call: Call, numbers: readonly number[], to: (version: Version) => Version, { store }: Context): Reply {
  const entry = store.find(pathIn(call))
  if (!entry) return done
  const versions = entry.versions.map(([number, version]) =>
    numbers.includes(number) ? ([number, to(version)] as const) : ([number, version] as const),
  )
  store.put(pathIn(call), { ...entry, versions })
  return done
}

function numbersIn(call: Call): readonly number[] {
  const { versions } = call.body
  const items = Array.isArray(versions) ? versions.map(String) : (listField(call.body, 'versions') ?? [])
  const numbers = items.map(Number)
  if (numbers.length === 0) throw badRequest('No version number provided')
  if (!numbers.every(Number.isInteger))
    throw badRequest(`versions must be a list of whole numbers: ${items.join(', ')}`)
  return numbers
}

const deleted =
  ({ clock }: Context) =>
  (version: Version): Version =>
    version.destroyed ? version : { ...version, deletedAt: clock.now() }
const undeleted = (version: Version): Version => (version.destroyed ? version : { ...version, deletedAt: undefined })
const destroyed = (version: Version): Version => ({ ...version, data: null, destroyed: true })

function readMetadata(call: Call, context: Context): Reply {
  const { settings, custom, createdAt, updatedAt, current, versions } = load(call, context)
  const data = {
    ...settingsView(settings),
    created_time: timeOf(createdAt),
    updated_time: timeOf(updatedAt),
    current_version: current,
    oldest_version: versions.length > 0 && current > versions.length ? (versions[0]?.[0] ?? 0) : 0,
    custom_metadata: custom,
    versions: Object.fromEntries(versions.map(([number, version]) => [number, versionView(version)])),
  }
  return { kind: 'data', data, verbatim: true }
}

function settingsIn(call: Call, known: Settings): Settings {
  const maxVersions = numberField(call.body, 'max_versions') ?? known.maxVersions
  if (maxVersions < 0) throw badRequest('max_versions must not be negative')
  return {
    maxVersions,
    casRequired: flagField(call.body, 'cas_required') ?? known.casRequired,
    deleteAfter: durationField(call.body, 'delete_version_after') ?? known.deleteAfter,
  }
}

function writeMetadata(call: Call, { store, clock }: Context): Reply {
  if (Object.keys(call.body).length === 0) return done
  const entry = store.ensure(pathIn(call))
  const custom = mapField(call.body, 'custom_metadata') ?? entry.custom
  store.put(pathIn(call), { ...entry, settings: settingsIn(call, entry.settings), custom, updatedAt: clock.now() })
  return done
}

/** Merges the custom metadata of the request into the stored ones; null removes a name. */
function patchMetadata(call: Call, context: Context): Reply {
  const entry = load(call, context)
  const patched = call.body.custom_metadata
  const custom = isObject(patched)
    ? (mapField({ custom: merged(entry.custom ?? {}, patched) }, 'custom') ?? null)
    : entry.custom
  context.store.put(pathIn(call), {
    ...{ ...entry, custom, settings: settingsIn(call, entry.settings), updatedAt: context.clock.now() },
  })
  return done
}

function configure(call: Call, { store }: Context): Reply {
  store.settings = settingsIn(call, store.settings)
  return done
}

/** Real servers give this reason as a warning. */
const wrongPath = (): Reply => ({
  ...{ kind: 'data', data: null, status: 404 },
  warnings: [
    'Invalid path for a versioned K/V secrets engine: values are below data/, and their versions below metadata/',
  ],
})

const routesOf = (context: Context): readonly Route[] => {
  const { store } = context
  const at = (verb: Route['verb'], path: string, handle: (call: Call, context: Context) => Reply): Route => ({
    ...{ verb, path, access: 'token', handle: (call: Call) => handle(call, context) },
  })
  const exists = (call: Call): boolean => store.find(pathIn(call)) !== undefined
  const each = (to: (version: Version) => Version) => (call: Call) => change(call, numbersIn(call), to, context)
  const list = (call: Call): Reply => ({ ...{ kind: 'data', data: { keys: namesBelow(pathIn(call), store.paths()) } } })
  return [
    at('GET', 'config', () => ({ kind: 'data', data: settingsView(store.settings) })),
    at('POST', 'config', configure),
    at('GET', 'data/:path*', read),
    { ...at('POST', 'data/:path*', write), exists },
    at('PATCH', 'data/:path*', patch),
    at('DELETE', 'data/:path*', (call) =>
      change(call, [store.find(pathIn(call))?.current ?? 0], deleted(context), context),
    ),
    at('POST', 'delete/:path*', each(deleted(context))),
    at('POST', 'undelete/:path*', each(undeleted)),
    at('POST', 'destroy/:path*', each(destroyed)),
    at('GET', 'subkeys/:path*', readSubkeys),
    at('LIST', 'metadata/:path*', list),
    at('GET', 'metadata/:path*', readMetadata),
    { ...at('POST', 'metadata/:path*', writeMetadata), exists },
    at('PATCH', 'metadata/:path*', patchMetadata),
    at('DELETE', 'metadata/:path*', (call) => {
      store.remove(pathIn(call))
      return done
    }),
    at(['GET', 'LIST', 'POST', 'PATCH', 'DELETE'], ':path*', wrongPath),
  ]
}

export function openVersioned(clock: Clock): EngineInstance {
  const store = createStore(clock)
  return { routes: routesOf({ store, clock }), inventory: () => ({ values: store.paths() }), state: store }
}
