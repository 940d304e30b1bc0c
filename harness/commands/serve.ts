import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { readText } from '../safety/files.ts'
import { didYouMean, nearest } from '../select/nearest.ts'
import { faultOfForm } from '../targets/features.ts'
import { knownMutants, newestReference, type ReferenceServer, referenceName, startReference } from '../targets/mock.ts'
import { UsageError } from '../targets/usage-error.ts'
import { advised, sizeBounds } from '../vocabulary/index.ts'
import { untilStopped } from './listening.ts'
import { commandOf, type TabledCommand } from './options/flag.ts'
import type { Terminal } from './output/terminal.ts'
import { type ServeFlags, serveTable } from './serve/flags.ts'
import { nodesOf } from './serve/node-flags.ts'
import { environmentOf, writeProfile } from './serve/serve-profile.ts'

export const serveCommand = (terminal: Terminal, settle: (code: number) => void): TabledCommand =>
  commandOf<ServeFlags>(serveTable, async (flags) => {
    await assertMutants(flags.mutant ?? [])
    await assertVersion(flags.version)
    if (flags.durable && !flags.state) throw new UsageError('--durable: name the file with --state as well')
    const started = startReference(await optionsOf(flags, terminal)).catch((error: unknown) => {
      throw error instanceof RangeError ? optionFault(error, flags) : error
    })
    settle(await untilStopped(started, flags, terminal.signal, (server) => present(server, flags, terminal)))
  })

function present(server: ReferenceServer, flags: ServeFlags, terminal: Terminal): void {
  if (server.stateNote !== undefined) terminal.say(server.stateNote)
  if (flags.writeProfile !== undefined) writeProfile(server, flags.writeProfile)
  if (flags.json) terminal.json(asJson(server))
  else for (const line of linesOf(server, flags, terminal.env)) terminal.out(line)
}

const asJson = (server: ReferenceServer) => ({
  ...{ url: server.url, token: server.rootToken, control: server.controlUrl ?? null },
  ...(server.standbyUrls.length === 0 ? {} : { standbys: server.standbyUrls }),
  ...(server.balancerUrl === undefined ? {} : { balancer: server.balancerUrl }),
  ...(server.peers.length === 0
    ? {}
    : {
        keyShares: server.keyShares,
        clusterAddress: server.clusterAddress,
        clusters: server.peers.map(({ name, server: { url, rootToken, keyShares, clusterAddress } }) => ({
          ...{ name, url, token: rootToken, keyShares, clusterAddress },
        })),
        env: environmentOf(server),
      }),
})

function linesOf(server: ReferenceServer, flags: ServeFlags, env: NodeJS.ProcessEnv): readonly string[] {
  const { url, rootToken, controlUrl, peers } = server
  const isNew = flags.seed === undefined && flags.state === undefined && !env.ASSAY_ROOT_TOKEN
  const lifetime = isNew ? 'new at every start unless --seed is given' : 'the same at the next start'
  const more = [
    ...servedLines(server),
    ...(controlUrl
      ? [
          'control (new at every start; anyone who has this URL controls the server):',
          exportLine('ASSAY_CONTROL_URL', controlUrl),
        ]
      : []),
  ]
  return [
    `${url}  (${referenceName}, ${flags.edition} edition)`,
    ...server.standbyUrls.map((standby) => `${standby}  (standby node)`),
    ...(server.balancerUrl === undefined ? [] : [`${server.balancerUrl}  (load balancer)`]),
    ...(flags.mutant ?? []).map((id) => `with the fault ${id}`),
    `root token: ${rootToken}  (a test token, ${lifetime})`,
    exportLine('VAULT_ADDR', url),
    exportLine('VAULT_TOKEN', rootToken),
    ...(flags.verbose ? more : []),
    ...(peers.length === 0
      ? []
      : [
          `key shares: ${server.keyShares.join(' ')}`,
          ...peers.flatMap((peer) => [
            `${peer.server.url}  (${peer.name})`,
            ...peer.server.standbyUrls.map((standby) => `${standby}  (standby node of ${peer.name})`),
            `  root token: ${peer.server.rootToken}`,
            `  key shares: ${peer.server.keyShares.join(' ')}`,
          ]),
        ]),
    ...(flags.writeProfile !== undefined && peers.length > 0 ? exportsOf(server) : []),
  ]
}

const servedLines = ({ serves: { secretEngines, authMethods, system } }: ReferenceServer): readonly string[] => [
  `serves: secret engines ${secretEngines.join(', ')}; auth methods ${authMethods.join(', ')}; identity;`,
  `  below sys/: ${system.join(', ')}`,
  '  any other request gets an explanatory error; mock-server/README.md lists every endpoint',
]

const exportsOf = (server: ReferenceServer): readonly string[] => [
  'the profile reads these variables:',
  ...Object.entries(environmentOf(server)).map(([name, value]) => exportLine(name, value)),
]

/** Returns a line that a shell takes as it stands. */
const exportLine = (name: string, value: string): string => `  export ${name}='${value.replaceAll("'", `'\\''`)}'`

async function optionsOf(flags: ServeFlags, terminal: Terminal) {
  const rootToken = terminal.env.ASSAY_ROOT_TOKEN
  return {
    host: flags.host,
    port: flags.port,
    edition: flags.edition,
    clusters: flags.clusters,
    variation: flags.variation,
    ...nodesOf(flags),
    ...(flags.seed === undefined ? {} : { seed: flags.seed }),
    ...(flags.literal ? { literal: true } : {}),
    policyLanguage: flags.policyLanguage,
    ...(flags.version ? { version: flags.version } : {}),
    ...(flags.form ? { forms: Object.fromEntries(flags.form.map(formOf)) } : {}),
    ...(flags.state ? { stateFile: flags.state } : {}),
    ...(flags.durable ? { durable: true } : {}),
    ...(flags.seedFile === undefined ? {} : (await import('./serve/seed-file.ts')).seededOptions(flags.seedFile)),
    ...(flags.pluginDir === undefined ? {} : { pluginDirectory: folderOf('--plugin-dir', flags.pluginDir) }),
    ...(flags.mutant ? { mutants: flags.mutant } : {}),
    ...(flags.control ? { control: { port: flags.controlPort } } : {}),
    ...(rootToken ? { rootToken } : {}),
    ...tlsOf(flags),
  }
}

async function assertMutants(ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const known = (await knownMutants()).map(({ id }) => id)
  const unknown = ids.find((id) => !known.includes(id))
  if (unknown === undefined) return
  const near = didYouMean(nearest(unknown, known), `: see "${advised.mutants()}"`)
  throw new UsageError(`--mutant ${unknown}: unknown mutant${near}`)
}

/** The oldest version that a document mentions. */
const oldestVersion = '0.8.0'

/** Throws `UsageError` for a version outside the documented ones, which would silently count as the newest or the
 * oldest. */
async function assertVersion(version: string | undefined): Promise<void> {
  if (version === undefined) return
  const [newest, { compareVersions }] = await Promise.all([newestReference(), import('../run/applicability.ts')])
  const isKnown = (compareVersions(version, oldestVersion) ?? -1) >= 0 && (compareVersions(version, newest) ?? 1) <= 0
  if (!isKnown)
    throw new UsageError(
      `--version ${version}: the reference server knows the versions from ${oldestVersion} to ${newest}`,
    )
}

function formOf(text: string): [string, string] {
  const [subject, form] = text.split('=')
  if (!subject || !form) throw new UsageError(`--form ${text} is not of the format subject=form, such as cloud=newer`)
  const fault = faultOfForm(subject, form)
  if (fault !== undefined) throw new UsageError(`--form ${text}: ${fault}`)
  return [subject, form]
}

function tlsOf({ tlsCert, tlsKey }: ServeFlags) {
  if (tlsCert === undefined && tlsKey === undefined) return {}
  if (tlsCert === undefined || tlsKey === undefined)
    throw new UsageError('--tls-cert and --tls-key go together: give both')
  return { tls: { cert: textOf('--tls-cert', tlsCert), key: textOf('--tls-key', tlsKey) } }
}

function folderOf(flag: string, folder: string): string {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return resolve(folder)
  throw new UsageError(`${flag} ${folder} is not a directory; fix the path or create it`)
}

const textOf = (flag: string, file: string): string =>
  readText(file, { what: 'a PEM file', most: sizeBounds.namedFile.value, mend: 'fix the path', flag })

const optionFault = ({ message }: RangeError, { seedFile }: ServeFlags): UsageError =>
  new UsageError(seedFile === undefined ? message : `--seed-file ${seedFile}: ${message}`)
