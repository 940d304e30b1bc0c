/** The flags of `assay serve`. */
import { InvalidArgumentError } from 'commander'
import { type Edition, editions } from '../../vocabulary/words.ts'
import { type Place, placeFlags } from '../listening.ts'
import type { CommandTable } from '../options/flag.ts'
import { number } from '../options/options.ts'
import { type NodeFlags, nodeFlags } from './node-flags.ts'

export interface ServeFlags extends NodeFlags, Place {
  readonly version?: string
  readonly edition: Edition
  readonly form?: readonly string[]
  readonly seed?: number
  readonly variation: number
  readonly literal?: boolean
  readonly policyLanguage: (typeof policyLanguages)[number]
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
  readonly verbose?: boolean
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

const policyLanguages = ['evaluated', 'opaque', 'opaque-fail'] as const

export const serveTable: CommandTable = {
  name: 'serve',
  says: 'start the reference server',
  flags: {
    server: [
      ...placeFlags(8200),
      { flag: '--version <version>', says: 'version to imitate (default: the newest)', parse: versionOf },
      {
        flag: '--edition <edition>',
        says: `edition to imitate: ${editions.join(', ')}`,
        values: { of: editions, what: 'edition' },
        default: 'premium',
      },
      {
        flag: '--form <subject=form>',
        says: 'form of an API, such as cloud=newer (repeatable)',
        isList: true,
        isRare: true,
      },
      {
        flag: '--seed <n>',
        says: 'use the same ids and tokens, including the root token, at every start (default: new ones)',
        parse: number(0, true),
      },
      {
        flag: '--variation <n>',
        says: 'seed of a legal variation; 0 means none',
        parse: number(0, true),
        default: 0,
        isRare: true,
      },
      { flag: '--literal', says: 'serve exactly what the documents state, and nothing more' },
      {
        flag: '--policy-language <treatment>',
        says: 'treatment of RGPs and EGPs: opaque stores any text without evaluating it, and allows what they govern with a warning; with opaque-fail they all deny',
        values: { of: policyLanguages, what: 'treatment' },
        default: 'evaluated',
        isRare: true,
      },
      {
        flag: '--state <file>',
        says: 'keep the state in this file, with secrets in plain text; a crash loses at most the last 200 ms',
        values: 'files',
      },
      { flag: '--durable', says: 'answer a write only once it is on disk, in the file of --state', isRare: true },
      {
        flag: '--seed-file <file>',
        says: 'start with the state in this YAML file: mounts, policies, users, roles, entities, tokens, writes, faults',
        values: 'files',
      },
      {
        flag: '--plugin-dir <folder>',
        says: 'folder with the plugin files (default: a new folder with one plugin)',
        values: 'folders',
        isRare: true,
      },
      { flag: '--tls-cert <file>', says: 'PEM file with a certificate, to serve TLS', values: 'files', isRare: true },
      { flag: '--tls-key <file>', says: 'PEM file with its key', values: 'files', isRare: true },
      {
        flag: '--control-port <n>',
        says: 'port of the control listener (clock, reset, mutants), on this machine only; 0 chooses a free one',
        parse: number(0, true, 65_535),
        default: 0,
        isRare: true,
      },
      {
        flag: '--no-control',
        says: 'start no control listener; the clock of the server then cannot be moved',
        isRare: true,
      },
      { flag: '--mutant <id>', says: 'switch on this deliberate fault (repeatable)', values: 'mutants', isList: true },
    ],
    nodes: nodeFlags,
    output: [
      {
        flag: '--write-profile <file>',
        says: 'write a profile for "assay run --profile", without the token',
        values: 'files',
      },
      { flag: '--verbose', says: 'also print the control URL, and what the server serves', conflicts: 'json' },
      { flag: '--json', says: 'print url, token and control URL as one JSON line' },
    ],
  },
  more: examples,
}

function versionOf(text: string): string {
  if (/^\d+\.\d+(\.\d+)?$/.test(text)) return text
  throw new InvalidArgumentError('Give two or three numbers, such as 1.3.0.')
}
