import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { readText } from '../safety/files.ts'
import { didYouMean, nearest } from '../select/nearest.ts'
import { faultOfForm } from '../targets/features.ts'
import {
  knownMutants,
  mostClusters,
  newestReference,
  type ReferenceServer,
  referenceName,
  startReference,
} from '../targets/mock.ts'
import { UsageError } from '../targets/usage-error.ts'
import { sizeBounds } from '../vocabulary/index.ts'
import { type Edition, editions, exitCodes } from '../vocabulary/words.ts'
import { notEmpty, number, severalGiven } from './options.ts'
import { type NodeFlags, nodesOf, withNodeFlags } from './serve/node-flags.ts'
import { environmentOf, writeProfile } from './serve/serve-profile.ts'
import type { Terminal } from './terminal.ts'
import { untilStopped } from './until-stopped.ts'

interface ServeFlags extends NodeFlags {
  readonly port: number
  readonly host: string
  readonly version?: string
  readonly edition: Edition
  readonly form?: readonly string[]
  readonly seed?: number
  readonly variation: number
  readonly literal?: boolean
  readonly policyLanguage: 'evaluated' | 'opaque' | 'opaque-fail'
  readonly state?: string
  readonly durable?: boolean
  readonly seedFile?: string
  readonly pluginDir?: string
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly control: boolean
  readonly controlPort: number
  readonly mutant?: readonly string[]
  readonly writeProfile?: string
  readonly clusters: number
  readonly json?: boolean
}

const examples = `
Examples:
  assay serve                                   on http://127.0.0.1:8200, premium edition, newest version
  assay serve --edition community --port 0      on a free port
  assay serve --state server.json               keeps its state across restarts
  assay serve --state server.json --durable     answers a write once it is on disk
  assay serve --seed-file state.yaml            starts with mounts, policies, users and more
  assay serve --write-profile server.yaml       then run: assay run --profile server.yaml, with the token in ASSAY_TOKEN
  assay serve --json                            prints url, token and control URL as JSON
  assay serve --clusters 3 --port 0             three clusters, for replication
  assay serve --nodes 3 --read-lag 500ms --balance   a cluster whose standby nodes read, behind a load balancer
  assay serve --literal                         serves only paths, fields and headers that the documents state
  ASSAY_ROOT_TOKEN=root assay serve             with a root token of your choice

The server holds nothing worth protecting. Its root token is a test token, which is printed; it is new at every start
unless --seed, --state or ASSAY_ROOT_TOKEN fixes it. The control URL ends in a key that is new at every start: anyone
who has it can move the clock and reset the server. Ctrl-C stops it.`

export const serveCommand = (terminal: Terminal, settle: (code: number) => void): Command =>
  withNodeFlags(new Command('serve'))
    .description('start the reference server')
    .option('--port <n>', 'port to listen on; 0 chooses a free one', number(0, true, 65_535), 8200)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--version <version>', 'version to imitate (default: the newest)', versionOf)
    .addOption(new Option('--edition <edition>', 'edition to imitate').choices(editions).default('premium'))
    .option('--form <subject=form>', 'form of an API, such as cloud=newer (repeatable)', severalGiven)
    .option('--clusters <n>', 'number of clusters; the others use free ports', clusterCount, 1)
    .option(
      '--seed <n>',
      'use the same ids and tokens, including the root token, at every start (default: new ones)',
      number(0, true),
    )
    .option('--variation <n>', 'seed of a legal variation; 0 means none', number(0, true), 0)
    .option('--literal', 'serve exactly what the documents state, and nothing more')
    .addOption(
      new Option(
        '--policy-language <treatment>',
        'treatment of RGPs and EGPs: opaque stores any text without evaluating it, and allows what they govern with a warning; with opaque-fail they all deny',
      )
        .choices(['evaluated', 'opaque', 'opaque-fail'])
        .default('evaluated'),
    )
    .option(
      '--state <file>',
      'keep the state in this file, with secrets in plain text; a crash loses at most the last 200 ms',
      notEmpty,
    )
    .option('--durable', 'answer a write only once it is on disk, in the file of --state')
    .option(
      '--seed-file <file>',
      'start with the state in this YAML file: mounts, policies, users, roles, entities, tokens, writes, faults',
      notEmpty,
    )
    .option('--plugin-dir <folder>', 'folder with the plugin files (default: a new folder with one plugin)', notEmpty)
    .option('--tls-cert <file>', 'PEM file with a certificate, to serve TLS', notEmpty)
    .option('--tls-key <file>', 'PEM file with its key', notEmpty)
    .option(
      '--control-port <n>',
      'port of the control listener (clock, reset, mutants), on this machine only; 0 chooses a free one',
      number(0, true, 65_535),
      0,
    )
    .option('--no-control', 'start no control listener; the clock of the server then cannot be moved')
    .option('--mutant <id>', 'switch on this deliberate fault (repeatable)', severalGiven)
    .option('--write-profile <file>', 'write a profile for "assay run --profile", without the token', notEmpty)
    .option('--json', 'print url, token and control URL as one JSON line')
    .addHelpText('after', examples)
    .action(async (flags: ServeFlags) => {
      await assertMutants(flags.mutant ?? [])
      await assertVersion(flags.version)
      if (flags.durable && !flags.state) throw new UsageError('--durable: name the file with --state as well')
      const server = await startReference(await optionsOf(flags, terminal)).catch((error: unknown) => {
        throw listenFault(error, flags)
      })
      try {
        if (server.stateNote !== undefined) terminal.say(server.stateNote)
        if (flags.writeProfile !== undefined) writeProfile(server, flags.writeProfile)
        if (flags.json) terminal.json(asJson(server))
        else for (const line of linesOf(server, flags, terminal.env)) terminal.out(line)
        await untilStopped(terminal.signal)
      } finally {
        await server.close()
      }
      settle(exitCodes.conformant)
    })

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
  return [
    `${url}  (${referenceName}, ${flags.edition} edition)`,
    ...server.standbyUrls.map((standby) => `${standby}  (standby node)`),
    ...(server.balancerUrl === undefined ? [] : [`${server.balancerUrl}  (load balancer)`]),
    `root token: ${rootToken}  (a test token, ${lifetime})`,
    ...servedLines(server),
    ...(controlUrl ? [`control: ${controlUrl}  (new at every start; anyone who has it controls the server)`] : []),
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
  ...Object.entries(environmentOf(server)).map(
    ([name, value]) => `  export ${name}='${value.replaceAll("'", `'\\''`)}'`,
  ),
]

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
    load: terminal.load,
    ...tlsOf(flags),
  }
}

async function assertMutants(ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const known = (await knownMutants()).map(({ id }) => id)
  const unknown = ids.find((id) => !known.includes(id))
  if (unknown === undefined) return
  const near = didYouMean(nearest(unknown, known), ': see "assay list --mutants"')
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

function clusterCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= mostClusters) return count
  throw new InvalidArgumentError(`Give a number from 1 to ${mostClusters}.`)
}

function versionOf(text: string): string {
  if (/^\d+\.\d+(\.\d+)?$/.test(text)) return text
  throw new InvalidArgumentError('Give two or three numbers, such as 1.3.0.')
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

function listenFault(error: unknown, { host, port, seedFile }: ServeFlags): unknown {
  if (error instanceof RangeError)
    return new UsageError(seedFile === undefined ? error.message : `--seed-file ${seedFile}: ${error.message}`)
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  if (code === 'EADDRINUSE')
    return new UsageError(`${host}:${port} is taken: choose another --port, or 0 for a free one`)
  if (code === 'EACCES')
    return new UsageError(`${host}:${port} may not be used by this account: choose a --port above 1023`)
  if (code === 'EADDRNOTAVAIL') return new UsageError(`--host ${host} is not an address of this machine`)
  return error
}
