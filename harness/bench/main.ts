/** `npm run bench`: ratios within one run, as a table. Exits 1 where a bound is not met. */
import { parseArgs } from 'node:util'
import { requirements, topics } from '../../suites/index.ts'
import { areas } from '../vocabulary/index.ts'
import { pkiRows } from './pki.ts'
import { serverRows } from './server.ts'
import { suiteRows } from './suite.ts'
import { isMet, printed, type Row } from './table.ts'

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } })
const isWanted = (part: string): boolean => !values.only || values.only.includes(part)
const say = (text: string): void => void process.stderr.write(`${text}\n`)

const all = topics.map(({ topic }) => topic)
const rows: Row[] = []
if (isWanted('server')) rows.push(...(await serverRows(say)))
if (isWanted('pki')) rows.push(...(await pkiRows(say)))
for (const area of areas) {
  // Checks that need a provider draw an account of their own each time: a replay of their requests means nothing.
  const mine = all.filter((topic) => topic.area === area)
  const isReplayable = mine.every(({ checks }) => checks.every(({ needs }) => !needs?.includes('provider')))
  if (isWanted(area) && mine.length > 0 && isReplayable) rows.push(...(await suiteRows(area, all, requirements, say)))
}
process.stdout.write(`${printed(rows)}\n`)
process.exitCode = rows.some((row) => isMet(row) === false) ? 1 : 0
