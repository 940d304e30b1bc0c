/** The options of a reference server, with their defaults. */
import { assertFaults, type Fault } from './client-tests/faults.ts'
import { assertNames } from './client-tests/options.ts'
import { assertSeededState, type SeededState, seededParts, seededStateOf } from './client-tests/seeded-state.ts'
import type { Clock, Edition } from './kernel/contracts.ts'
import type { KernelOptions } from './kernel/create-kernel.ts'
import type { ListForm, TlsFiles } from './kernel/http/list-method.ts'
import type { PluginImages } from './kernel/mounts/plugins.ts'
import { type PolicyLanguage, policyLanguages } from './kernel/policy-language.ts'
import { assertFacts, newestVersion } from './kernel/versions.ts'
import { assertNodes, type NodeOptions } from './standby.ts'

/** Every option has a default. The parts of a seeded state are options as well; the state in a state file wins. */
export interface MockServerOptions extends SeededState, NodeOptions {
  /** The version of the API, without the mark of an edition: `0.9.0`. The default is the newest version. */
  readonly version?: string
  /** `community`, `enterprise` or `premium` (the default). Version and edition decide which endpoints exist. */
  readonly edition?: Edition
  /** The form of the API by subject, for subjects with several forms: `{ cloud: 'older' }`. */
  readonly forms?: Readonly<Record<string, string>>
  /** The same seed and requests give the same ids and tokens, including the root token. Without a seed they are new
   * with each start. Root key and key shares are always new. */
  readonly seed?: number
  /** The default clock follows real time and can be moved forward. */
  readonly clock?: Clock
  readonly host?: string
  readonly port?: number
  /** The port for connections from other clusters, on the same host. */
  readonly clusterPort?: number
  /** The root token in a state file wins over this one. */
  readonly rootToken?: string
  /** Certificate and key as PEM text. With it, the server is reached over HTTPS. */
  readonly tls?: TlsFiles
  /** The seed of the legal differences; 0 is the plain dialect. */
  readonly variation?: number
  /** If true, the server serves only what the documents state: no other path or field, and refusals without a body. */
  readonly literal?: boolean
  /** RGPs and EGPs are `evaluated` by default. Otherwise any text is stored and not evaluated: a request that it
   * governs passes with a warning (`opaque`), or the policy counts as failed on it (`opaque-fail`). */
  readonly policyLanguage?: PolicyLanguage
  /** If true, RSA keys are made in a millisecond from primes in this package. They are TEST KEYS and not secret. */
  readonly testKeys?: boolean
  /** The ids of the mutants to load. */
  readonly mutants?: readonly string[]
  /** The faults to play on chosen requests. */
  readonly faults?: readonly Fault[]
  /** A file for the state, with secrets in plain text, readable by its owner only. A crash loses at most the last 200 ms. */
  readonly stateFile?: string
  /** If true, each change is on disk before its request is answered. Requires `stateFile`. */
  readonly durable?: boolean
  /** If set, the server opens the control listener for tests, on a port of its own on 127.0.0.1. */
  readonly control?: boolean | { readonly port: number }
  /** If false, the server has no root key until a client calls `sys/init`. */
  readonly initialized?: boolean
  /** The longest request body, in bytes; the default is 32 MiB. */
  readonly bodyLimit?: number
  /** The folder of the plugin files, whose digests are compared. Without it no plugin can be registered. */
  readonly pluginDirectory?: string
  /** The images that plugins can run from, by name and tag: `registry.example/plugin:1.2.3`. */
  readonly pluginImages?: PluginImages
  /** How the server makes Node's parser accept the method LIST; the default is `in-place`. */
  readonly listForm?: ListForm
}

export const listeningOf = (options: MockServerOptions) => ({
  host: options.host ?? '127.0.0.1',
  port: options.port ?? 0,
  tls: options.tls,
  form: options.listForm ?? 'in-place',
  bodyLimit: options.bodyLimit ?? 32 * 2 ** 20,
  literal: options.literal ?? false,
})

export const kernelOptionsOf = (options: MockServerOptions): Omit<KernelOptions, 'clock'> => ({
  version: options.version ?? newestVersion,
  edition: options.edition ?? 'premium',
  forms: options.forms ?? {},
  ...{ seed: options.seed, rootToken: options.rootToken },
  initialized: options.initialized ?? true,
  variation: options.variation ?? 0,
  literal: options.literal ?? false,
  policyLanguage: options.policyLanguage,
  testKeys: options.testKeys,
  ...{ pluginDirectory: options.pluginDirectory, pluginImages: options.pluginImages },
})

const known: Readonly<Record<keyof Omit<MockServerOptions, keyof SeededState>, true>> = {
  ...{ version: true, edition: true, forms: true, seed: true, clock: true, host: true, port: true, clusterPort: true },
  ...{
    nodes: true,
    performanceStandbys: true,
    standbys: true,
    readLagMs: true,
    balance: true,
    hidesNodes: true,
    testKeys: true,
  },
  ...{ rootToken: true, tls: true, variation: true, literal: true, mutants: true, faults: true, stateFile: true },
  ...{ control: true, initialized: true, bodyLimit: true, pluginDirectory: true, pluginImages: true, listForm: true },
  ...{ policyLanguage: true, durable: true },
}

/** Throws a RangeError on an unknown or invalid option. */
export function assertOptions(options: MockServerOptions): void {
  const { version = newestVersion, edition = 'premium', forms = {}, initialized = true, policyLanguage } = options
  assertNames('option', options, [...seededParts, ...Object.keys(known)])
  assertFacts({ version, edition, forms })
  if (policyLanguage !== undefined && !policyLanguages.includes(policyLanguage))
    throw new RangeError(
      `policyLanguage ${JSON.stringify(options.policyLanguage)} is not one of ${policyLanguages.join(', ')}`,
    )
  assertNodes({ ...options, edition })
  assertFaults(options.faults ?? [])
  assertSeededState(options)
  if (options.durable && options.stateFile === undefined) throw new RangeError('durable requires stateFile')
  const [part] = Object.keys(seededStateOf(options))
  if (!initialized && part !== undefined)
    throw new RangeError(`${part} cannot be seeded in a server that is not initialized`)
}
