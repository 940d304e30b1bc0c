/** Situations with plugins of a catalog, which use a file that an operator placed on the target. */
import {
  type Action,
  check as bare,
  type Ceremony,
  type Check,
  type CheckBody,
  DoesNotApply,
  del,
  type Exchange,
  type Expectation,
  fieldOf,
  get,
  isRefusal,
  isSuccess,
  isUnserved,
  type JsonObject,
  list,
  notSuccess,
  post,
  type Reply,
  readable,
  requestOf,
  restsOn,
  type Scope,
  type Step,
  StepFailed,
  shown,
  shownBefore as shownAsJudged,
  statusSeen,
  stepRefused,
  type Witness,
} from '../../harness/vocabulary/index.ts'
import { aclPolicy, shownSoFar, token } from '../given.ts'
import { action } from '../records.ts'
import { absent, nothing, pluginFields, showsPlugin, tellsBy, types, versionOf } from './then.ts'

export { types }
export type PluginType = (typeof types)[number]

interface PluginFile {
  readonly command: string
  readonly sha256: string
  readonly type?: PluginType
  readonly reads?: string
}

const filesOf = (scope: Scope): readonly PluginFile[] => scope.provided<readonly PluginFile[]>('plugin-files') ?? []
const fileOf = (scope: Scope): PluginFile => {
  const [file] = filesOf(scope)
  if (!file) throw new StepFailed('not-provided', { needs: ['a plugin file'], lines: ['a first entry of pluginFiles'] })
  return file
}

/** What a check that registers plugins needs, because a server may look for the file at once. */
export const needs = ['plugin-files'] as const
export const check = (id: string, body: CheckBody): Check => bare(id, { needs, ...body })

const collection = 'sys/plugins/catalog'
const pathOf = (type: string, name: string): string => `${collection}/${type}/${name}`
const versioned = (version?: string) => (version === undefined ? {} : { query: { version } })

export const read = (type: string, name = '{plugin}', version?: string): Exchange =>
  get(pathOf(type, name), versioned(version))
export const removed = (type: string, name = '{plugin}', version?: string): Exchange =>
  del(pathOf(type, name), versioned(version))
/** Makes the witness that shows whether the read finds the plugin, and which documented fields it shows. A reply may
 * show none of them, so a success alone counts as found. */
export const pluginShown = (reading: Exchange, beside?: Exchange): Witness => ({
  kind: 'witness',
  words: `GET \`${reading.path}\` reads`,
  touches: [reading, ...(beside ? [beside] : [])],
  ...(beside ? { beside } : {}),
  steady: true,
  async look(scope) {
    const reply = readable(await scope.send(reading))
    const fields = pluginFields.map((name) => [name, fieldOf(reply, name) ?? null] as const)
    return { ...requestOf(reply), state: isSuccess(reply) ? Object.fromEntries(fields) : { present: false } }
  },
})
export const listed = (type: string): Exchange => list(`${collection}/${type}`)
export const catalog: Exchange = get(collection)

/** Returns the smallest valid registration with further fields; `without` names a field to leave out. */
export const bodyOf = (more: JsonObject = {}, without?: string): JsonObject =>
  Object.fromEntries(
    Object.entries({ sha256: '{sha256}', command: '{command}', ...more }).filter(([name]) => name !== without),
  )

/** A server need not look for the image and its runtime at registration; a server that does registers nothing. */
export const container = {
  oci_image: 'registry.example:5000/assay/plugin',
  runtime: 'assay-Runtime',
  version: 'v1.0.0',
} as const

/** Registers a plugin; the undo is a DELETE of the same version. */
export const registered = (type: string, body: JsonObject = bodyOf(), name = '{plugin}'): Exchange => {
  const version = typeof body.version === 'string' ? body.version : undefined
  return post(pathOf(type, name), body, { undo: removed(type, name, version) })
}

const trial = '{plugin}-trial'
/** A stand-in for the version that the file reports, which only the target knows. */
const reported = 'v1.0.0'

/** Returns the version under which the server stores a plugin that is registered without one. A server may run the file
 * at registration and store it under the version that the file reports; the plugin is then neither found nor deleted
 * without that version. Returns an empty string if the server does not do so. */
async function reportedVersion(scope: Scope): Promise<string> {
  const { type = 'secret' } = fileOf(scope)
  const reply = await scope.send(registered(type, bodyOf(), trial))
  if (!isSuccess(reply)) {
    await assertTaken(scope, type, reply)
    return ''
  }
  const isFound = isSuccess(await scope.send(read(type, trial)))
  const version = isFound ? '' : versionOf(await scope.send(catalog), scope.fill(trial))
  if (version === '') await scope.send(removed(type, trial))
  // The undo of the registration has no version, so it would remove nothing.
  else await scope.send({ ...read(type, trial, version), undo: removed(type, trial, version) })
  return version
}

/** Throws if the target accepts the file neither without nor with a version: the profile may name a wrong file, so the
 * target is not judged by it. A target that accepts the file once its digest is also given by an older name has the file,
 * so that its refusals are findings. */
async function assertTaken(scope: Scope, type: string, refusal: Reply): Promise<void> {
  for (const more of [{ version: reported }, { sha_256: '{sha256}' }]) {
    if (!isSuccess(await scope.send(registered(type, bodyOf(more), trial)))) continue
    await scope.send(removed(type, trial, 'version' in more ? more.version : undefined))
    return
  }
  throw unusable('registered', refusal)
}
const answered = ({ asked, status, text }: Reply): string => `${asked} answered ${status} ${shown(text, 200)}`

/** Requires that a read of an unregistered name shows nothing: otherwise a read would prove nothing. */
export const unregistered = (type = 'secret'): Action => shownSoFar(read(type, '{plugin}-none'), absent)

/** One trial is enough for a target. Checks that begin meanwhile wait for it, and make their own trial if it failed. */
const trials = new WeakMap<object, Promise<string>>()

async function versionReported(file: PluginFile, scope: Scope): Promise<string> {
  const earlier = await trials.get(file)?.catch(() => undefined)
  if (earlier !== undefined) return earlier
  const trial = reportedVersion(scope)
  trials.set(file, trial)
  return trial
}

/** Changes one digit in the middle: a server that compares only the beginning or the end would accept the result. */
function otherDigest(sha256: string): string {
  const middle = sha256.length >> 1
  return `${sha256.slice(0, middle)}${sha256[middle] === '0' ? '1' : '0'}${sha256.slice(middle + 1)}`
}

/** Provides `{command}` and `{sha256}` of a file in the plugin folder, and `{wrongSha256}`, the digest of another
 * file. */
export const placedFile = action(
  'the operator has placed a plugin that reports no version of its own: its `command` and `sha256` are known',
  {
    touches: [
      registered('secret', bodyOf(), trial),
      read('secret', trial),
      catalog,
      removed('secret', trial),
      { ...read('secret', trial, reported), undo: removed('secret', trial, reported) },
    ],
    provides: ['command', 'sha256', 'wrongSha256'],
  },
  async (scope) => {
    const file = fileOf(scope)
    const { command, sha256 } = file
    scope.save('command', command)
    scope.save('sha256', sha256)
    scope.save('wrongSha256', otherDigest(sha256))
    const version = await versionReported(file, scope)
    if (version === '') return
    throw new StepFailed('plugin-version-fixed', { command, version })
  },
)

/** Judges a registration unless the target takes the file, but not for a plugin of this type. The file has one type, and
 * no statement says that a server registers it under another. If the profile names a file of this type, that one is
 * tried instead. */
export const unlessOfAnotherType = (type: string, expectation: Expectation): Expectation => ({
  ...expectation,
  touches: [
    ...(expectation.touches ?? []),
    ...['secret', type].flatMap((one) => [registered(one, bodyOf(), trial), removed(one, trial)]),
  ],
  async judge(seen, before) {
    const { type: own = 'secret' } = fileOf(seen.scope)
    if (isRefusal(seen.reply) && own !== type) {
      const ofThisType = filesOf(seen.scope).find((file) => file.type === type)
      const { type: tried = own, command, sha256 } = ofThisType ?? fileOf(seen.scope)
      if (isSuccess(await seen.scope.send(registered(tried, bodyOf({ command, sha256 }), trial)))) {
        await seen.scope.send(removed(tried, trial))
        throw stepRefused(seen.reply)
      }
    }
    return expectation.judge(seen, before)
  },
})

const addressOf = (check: string): string => `plugin-catalog/transitions/${check}`

/** Requires that the target already shows this. The check of transitions with that name judges it. */
export const shownBefore = (exchange: Exchange, expectation: Expectation, see: string): Action =>
  shownAsJudged(exchange, expectation, addressOf(see))

/** Continues after a step that does not apply because the target shows nothing to judge it by. */
export const unlessUnseen = (step: Action): Action => ({
  ...step,
  words: `${step.words}, if the target shows it`,
  async run(scope) {
    try {
      await step.run(scope)
    } catch (error) {
      if (!(error instanceof DoesNotApply)) throw error
    }
  },
})

/** Requires that a plugin is returned, and nothing for an unregistered name: otherwise its absence would prove nothing.
 * The documents do not say which fields identify a plugin; if a reply shows none of them, its success counts. */
export const returned = (plugin = '{plugin}', version?: string, type = 'secret') =>
  action(
    `\`${plugin}\` is returned, and an unregistered name is refused or returns nothing`,
    { touches: [read(type, plugin, version), read(type, '{plugin}-none')], provides: [tellsBy] },
    async (scope) => {
      const nobody = await scope.send(read(type, '{plugin}-none'))
      if (showsPlugin(nobody)) throw succeedsUnregistered(nobody)
      const reply = await scope.send(read(type, plugin, version))
      if (!isSuccess(reply)) throw restsOn(notSuccess(reply), addressOf(`${type}-register-is-read-back`), reply)
      if (!showsPlugin(reply) && isSuccess(nobody))
        throw DoesNotApply.shown(
          reply,
          `${reply.asked} shows nothing that it does not show of a plugin that is not registered`,
        )
      scope.save(tellsBy, showsPlugin(reply) ? 'fields' : 'status')
    },
  )

/** Requires that a plugin with these fields shows them: otherwise their absence would prove nothing. */
export const showsGiven = (name: string, more: JsonObject) =>
  action(
    `a plugin that has \`${name}\` shows it`,
    { touches: [registered('secret', bodyOf(more), '{other}'), read('secret', '{other}')] },
    async (scope) => {
      const version = typeof more.version === 'string' ? more.version : undefined
      const written = await scope.send(registered('secret', bodyOf(more), '{other}'))
      const reply = isSuccess(written) ? await scope.send(read('secret', '{other}', version)) : written
      if (nothing(fieldOf(reply, name)) || !isSuccess(reply))
        throw DoesNotApply.shown(reply, `no plugin is seen to show \`${name}\`: ${answered(reply)}`)
    },
  )

/** Mounts a plugin at `mount` and, if the profile names a path, reads that path on the mount. Returns the refusal of
 * the mount or the plugin's reply. An accepted mount that cannot be read proves nothing. */
async function used(scope: Scope, plugin: string, mount: string): Promise<Reply> {
  const { command, type = 'secret', reads } = fileOf(scope)
  if (type !== 'secret') throw new StepFailed('plugin-of-other-type', { command, type })
  const usual = await mountedBy('mount', scope, plugin, mount)
  const mounted = isSuccess(usual) ? usual : await mountedByName(scope, plugin, mount)
  if (!isSuccess(mounted)) return usual
  return reads === undefined ? mounted : scope.send(get(`{${mount}}/${reads}`))
}

/** Uses a plugin that should work. A node that was told of the mount a moment ago need not serve it yet. */
async function usedInTime(scope: Scope, plugin: string, mount: string): Promise<Reply> {
  const reply = await used(scope, plugin, mount)
  const { reads } = fileOf(scope)
  const isEarly = reads !== undefined && reply.asked.startsWith('GET ') && isUnserved(reply)
  return isEarly ? scope.poll(get(`{${mount}}/${reads}`), (later) => !isUnserved(later)) : reply
}

/** The prefix of plugin names, by target: old servers store plugins below their type. */
const prefixes = new WeakMap<object, string>()

async function mountedByName(scope: Scope, plugin: string, mount: string): Promise<Reply> {
  const plain = await mountedBy('mountByName', scope, plugin, mount)
  if (isSuccess(plain)) return plain
  const name = fieldOf(await scope.send(read('secret', plugin)), 'name')
  const [file, own] = [fileOf(scope), scope.fill(plugin)]
  if (typeof name === 'string' && name.endsWith(`/${own}`)) prefixes.set(file, name.slice(0, -own.length))
  const prefix = prefixes.get(file)
  return prefix === undefined ? plain : mountedBy('mountByName', scope, `${prefix}${plugin}`, mount)
}

/** No document names a path on which plugins are used, so a target need not serve one (reading 56). */
function assertServed(reply: Reply): void {
  if (isUnserved(reply))
    throw DoesNotApply.unserved(reply, `plugins are not used at the path tried: ${answered(reply)}`)
}

/** The dialect decides how a plugin is mounted, because that has changed over time. */
async function mountedBy(
  operation: 'mount' | 'mountByName',
  scope: Scope,
  plugin: string,
  mount: string,
): Promise<Reply> {
  const [exchange] = scope.dialect.operations[operation]?.({ type: plugin, as: mount }).exchanges ?? []
  if (!exchange) throw new StepFailed('dialect-lacks', { dialect: scope.dialect.id, operation })
  return scope.send(exchange)
}

/** The profile names the path to read on the mount; `status` is an example. */
const usesOf = (mount: string): readonly Exchange[] => [
  post(`sys/mounts/{${mount}}`, {}, { undo: del(`sys/mounts/{${mount}}`) }),
  read('secret'),
  get(`{${mount}}/status`),
]

/** Uses a plugin when that must be impossible. */
export const use = (plugin = '{plugin}'): Ceremony => ({
  kind: 'ceremony',
  words: `use \`${plugin}\``,
  touches: usesOf('mount'),
  async run(scope) {
    const reply = await used(scope, plugin, 'mount')
    if (isSuccess(reply) && fileOf(scope).reads === undefined)
      throw new StepFailed('plugin-use-unseen', { asked: reply.asked }, reply)
    return reply
  },
})

/** Shows whether a plugin answers on `{mount}`. A mount that is refused serves nothing, and neither does one that is
 * accepted although the plugin cannot run. */
export const served: Witness = {
  kind: 'witness',
  words: 'what a plugin would answer on `{mount}` is served or not',
  touches: usesOf('mount').slice(-1),
  steady: true,
  async look(scope) {
    const { reads: path = 'status' } = fileOf(scope)
    // The name of the mount is known from the start, and nothing is mounted there before the request.
    const reply = await scope.send(get(`{mount}/${path}`))
    return { ...requestOf(reply), state: isSuccess(reply) ? 'an answer' : 'no answer' }
  },
}

const sameRefusal = (one: Reply, other: Reply, scope: Scope): boolean => {
  const text = (reply: Reply) => reply.text.replaceAll(scope.value('plugin'), '').replaceAll('-none', '')
  return isRefusal(one) && one.status === other.status && text(one) === text(other)
}

/** Uses a plugin that must work. Only the operator knows whether the placed file can run. So a refusal counts only if
 * an unregistered plugin gets the same one, or if another plugin with that file is known to run. */
export const useAsIs = (isProven = false): Ceremony => ({
  kind: 'ceremony',
  words: 'use `{plugin}`',
  touches: usesOf('mount'),
  async run(scope) {
    const reply = await usedInTime(scope, '{plugin}', 'mount')
    if (isSuccess(reply) || isProven) return reply
    assertServed(reply)
    const unknown = await used(scope, '{plugin}-none', 'mount')
    if (sameRefusal(reply, unknown, scope)) return reply
    throw unusable('used', reply)
  },
})
const unusable = (step: 'registered' | 'used', reply: Reply): StepFailed =>
  new StepFailed('plugin-unusable', { step, asked: reply.asked, answer: statusSeen(reply) }, reply)
const succeedsUnregistered = (reply: Reply): StepFailed =>
  new StepFailed('indistinct', { asked: reply.asked, absent: 'a plugin that is not registered' }, reply)

/** Requires that plugins with that file can be used at all. */
export const usable = (plugin: string) =>
  action(`\`${plugin}\` can be used`, { touches: usesOf('good') }, async (scope) => {
    const reply = await usedInTime(scope, plugin, 'good')
    if (isSuccess(reply)) return
    assertServed(reply)
    throw unusable('used', reply)
  })

/** Requires that an unregistered plugin cannot be used: otherwise no use would prove anything. */
export const notUsed = (mount: string) =>
  action('`{plugin}-none`, which is not registered, cannot be used', { touches: usesOf(mount) }, async (scope) => {
    const reply = await used(scope, '{plugin}-none', mount)
    if (isSuccess(reply)) throw succeedsUnregistered(reply)
  })

/** Creates a token `as` with these capabilities on the plugin of that type, and no others. */
export const holder = (as: string, type: string, capabilities: readonly string[]): readonly Step[] => [
  ...aclPolicy(`{access}-${as}`, [{ path: pathOf(type, '{plugin}'), capabilities }]),
  token(as, [`{access}-${as}`]),
]
