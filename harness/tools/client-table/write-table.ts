/** Updates the table in `README.md`. The columns of command line clients that are not installed on this machine do not
 * change. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { columnIn, type Outcomes, runCommand, runLitehex, runNodeVault, tableOf } from './run-clients.ts'

const file = join(import.meta.dirname, 'README.md')
const page = readFileSync(file, 'utf8')
const [before = '', table = ''] = page.split('<!-- table -->\n')

const columns: Record<string, Outcomes> = {
  'node-vault': await runNodeVault(),
  '@litehex/node-vault': await runLitehex(),
}
for (const name of ['vault', 'bao']) {
  const outcomes = (await runCommand(name)) ?? columnIn(table, `\`${name}\``)
  if (outcomes) columns[`\`${name}\``] = outcomes
}
writeFileSync(file, `${before}<!-- table -->\n\n${tableOf(columns)}`)
