/** Lists the parts of the benchmark and their rows, in the order of the table. The code of a part is loaded when it
 * is measured. */
import { type Area, areas } from '../../vocabulary/index.ts'
import { cliRowNames } from './cli.ts'
import { coverageRowNames } from './coverage.ts'
import { millionRowNames, sizeRowNames } from './sizes.ts'
import type { Row } from './table.ts'

type Say = (text: string) => void

export interface Part {
  readonly name: string
  readonly rows: readonly string[]
  /** True if `--quick` measures this part. */
  readonly isQuick?: true
  /** True if the part takes so long that it is measured only if `--only` names it. */
  readonly isLong?: true
  measure(say: Say): Promise<readonly Row[]>
}

/** The name of the row about the benchmark itself. */
export const wholeBench = 'npm run bench, all parts'

const clusterAreas: ReadonlySet<Area> = new Set(['dr-replication', 'performance-replication'])

/** Areas that take only a few seconds. */
const quickAreas: ReadonlySet<Area> = new Set(['plugin-catalog'])

const partOf = (area: Area): Part =>
  clusterAreas.has(area)
    ? {
        name: area,
        rows: [`${area} suite on three clusters`],
        measure: async (say) => (await import('./suite.ts')).clusterRows(area, say),
      }
    : {
        name: area,
        rows: [`${area} suite, judging with 1 job`, `${area} suite, judging with 8 jobs`],
        ...(quickAreas.has(area) ? { isQuick: true } : {}),
        measure: async (say) => (await import('./suite.ts')).suiteRows(area, say),
      }

export const parts: readonly Part[] = [
  {
    name: 'start',
    rows: [
      'npm start, all areas',
      'npm start, processor',
      'npm start, memory at its peak',
      'npm start, first line of progress',
      'npm start, summary after the last check',
      'npm start, all reports after the last check',
      'npm start, requests',
      'npm start, mounts',
    ],
    isQuick: true,
    measure: async (say) => (await import('./start.ts')).startRows(say),
  },
  {
    name: 'findings',
    rows: ['all reports of about 300 findings after the last check'],
    measure: async (say) => [await (await import('./start.ts')).findingsRow(say)],
  },
  { name: 'cli', rows: cliRowNames, measure: async (say) => (await import('./cli.ts')).cliRows(say) },
  {
    name: 'pages',
    rows: ['redact and write the reports of 15 000 checks', 'open the report of 1 500 checks'],
    measure: async (say) => (await import('./pages.ts')).pageRows(say),
  },
  {
    name: 'server',
    rows: ['policy read with token and ACL', 'policy read, requests', 'start to first 200', 'idle memory'],
    measure: async (say) => (await import('./server.ts')).serverRows(say),
  },
  {
    name: 'durable',
    rows: ['assay serve --durable, writes of 16 clients'],
    measure: async (say) => (await import('./durable.ts')).durableRows(say),
  },
  {
    name: 'certificates',
    rows: [
      'EC leaf under an EC CA',
      'RSA-2048 leaf',
      'reads after issuing RSA',
      'read one of 100 000 leases',
      'LIST of 100 000 leases',
      'LIST of 100 000 certificates',
      'revoke one more and read the CRL of 20 000',
      'memory with them',
    ],
    measure: async (say) => (await import('./pki.ts')).pkiRows(say),
  },
  { name: 'sizes', rows: sizeRowNames, measure: async (say) => (await import('./sizes.ts')).sizeRows(say) },
  {
    name: 'million',
    rows: millionRowNames,
    isLong: true,
    measure: async (say) => (await import('./sizes.ts')).millionRows(say),
  },
  {
    name: 'provider',
    rows: [
      'provider stub, signed calls a core',
      'provider stub, signed calls replayed',
      'provider stub, calls beside their signing',
    ],
    measure: async (say) => (await import('./provider.ts')).providerRows(say),
  },
  ...areas.map(partOf),
  {
    name: 'waiting',
    rows: ['mfa-identity suite without a clock'],
    measure: async (say) => (await import('./suite.ts')).waitingRows(say),
  },
  {
    name: 'real',
    rows: [
      'policy read, requests beside a real server',
      'PKI on a real server, waits for replies',
      'PKI on a real server, by the clock',
      'PKI on a real server, mounts among its requests',
    ],
    isLong: true,
    measure: async (say) => (await import('./real.ts')).realRows(say),
  },
  {
    name: 'tests',
    rows: ['npm test'],
    isLong: true,
    measure: async (say) => (await import('./tests.ts')).testRows(say),
  },
  {
    name: 'distance',
    rows: ['six areas at a distance of 100 ms'],
    measure: async (say) => (await import('./distance.ts')).distanceRows(say),
  },
  {
    name: 'coverage',
    rows: coverageRowNames,
    isLong: true,
    measure: async (say) => (await import('./coverage.ts')).coverageRows(say),
  },
  {
    name: 'proof',
    rows: ['kill matrix of all areas', 'npm run prove'],
    measure: async () => (await import('./proof.ts')).proofRows(),
  },
]
