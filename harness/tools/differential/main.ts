/** `npm run differential -- --target URL --record NAME` sends the inputs to a server and writes the facts of its replies to
 * `fixtures/differential/NAME.jsonl`. It needs a fresh server, because what the inputs write stays there, and a root token
 * in the environment variable `ASSAY_TOKEN`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { folder, readGroups } from './inputs.ts'
import { play } from './play.ts'
import { recordText } from './record.ts'

const { target, record } = parseArgs({ options: { target: { type: 'string' }, record: { type: 'string' } } }).values
const token = process.env.ASSAY_TOKEN
if (target === undefined || record === undefined || token === undefined) {
  console.error('usage: ASSAY_TOKEN=… npm run differential -- --target URL --record NAME')
  process.exit(2)
}
const facts = await play(readGroups(), new URL(target).origin, token)
writeFileSync(join(folder, `${record}.jsonl`), recordText(facts))
console.log(`${facts.size} inputs are recorded in fixtures/differential/${record}.jsonl`)
