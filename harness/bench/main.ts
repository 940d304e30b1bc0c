/** `npm run bench`: ratios within one run, as a table. Exits 1 where a bound is not met. */
import { parseArgs } from 'node:util'
import { startProvider } from '../../fixtures/provider/index.ts'
import { requirements, topics } from '../../suites/index.ts'
import { type Area, areas } from '../vocabulary/index.ts'
import { clusterRows } from './clusters.ts'
import { pageRows } from './pages.ts'
import { pkiRows } from './pki.ts'
import { providerRows } from './provider.ts'
import { serverRows } from './server.ts'
import { suiteRows } from './suite.ts'
import { isMet, printed, type Row } from './table.ts'

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } })
const isWanted = (part: string): boolean => !values.only || values.only.includes(part)
const say = (text: string): void => void process.stderr.write(`${text}\n`)

const all = topics.map(({ topic }) => topic)
const isOfClusters = (area: Area): boolean =>
  all.some((topic) => topic.area === area && topic.checks.some(({ needs }) => needs?.includes('clusters')))
const rows: Row[] = []
if (isWanted('server')) rows.push(...(await serverRows(say)))
if (isWanted('pki')) rows.push(...(await pkiRows(say)))
if (isWanted('pages')) rows.push(...(await pageRows(say)))
if (isWanted('provider')) rows.push(...(await providerRows(say)))
for (const area of areas)
  if (isWanted(area) && all.some((topic) => topic.area === area))
    rows.push(
      ...(isOfClusters(area)
        ? await clusterRows(area, say)
        : await suiteRows(area, all, requirements, say, () => startProvider({ seed: 'bench' }))),
    )
process.stdout.write(`${printed(rows)}\n`)
process.exitCode = rows.some((row) => isMet(row) === false) ? 1 : 0
