/** `npm run prove`: the whole proof that the suites notice faults, and nothing but faults. Exits 1 where any part fails. */
import { once } from 'node:events'
import { Command, Option } from 'commander'
import { startProvider } from '../../fixtures/provider/index.ts'
import { differences } from '../../suites/differences/index.ts'
import { faultExcuses, wireFaults } from '../../suites/faults.ts'
import { lists, requirements, topics } from '../../suites/index.ts'
import { areaOption, duration } from '../commands/options.ts'
import { type Area, areas } from '../vocabulary/index.ts'
import { type PartName, partNames, partsOf } from './parts.ts'
import { exitCodeOf, type Proven, proveAll, summaryOf } from './prove.ts'

interface Flags {
  readonly area?: readonly Area[]
  readonly part?: readonly PartName[]
  readonly maxDuration: number
}

/** Twice what all of it takes on two cores. */
const longestSeconds = 6 * 60 * 60

const flags = new Command('prove')
  .addOption(areaOption())
  .addOption(new Option('--part <part...>', 'only these parts (repeatable)').choices([...partNames]))
  .option('--max-duration <time>', 'end after so long, such as 90m or 2h', duration, longestSeconds)
  .parse()
  .opts<Flags>()

const stopped = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) void once(process, name).then(() => stopped.abort())
const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(flags.maxDuration * 1000)])

const say = (text: string): void => void process.stderr.write(`${text}\n`)
const onProgress = process.stderr.isTTY ? say : () => {}
const onProven = ({ area, part, isClean, seconds, counts, lines }: Proven): void => {
  say(`${area}, ${part}: ${isClean ? 'ok' : 'NOT OK'} in ${seconds.toFixed(0)} s: ${counts}`)
  if (!isClean) for (const line of lines) process.stdout.write(`${line}\n`)
}

const provider = await startProvider()
const { iam, sts, control } = provider
const parts = partsOf({
  ...{ requirements, lists, differences, faults: wireFaults(), excuses: faultExcuses },
  topics: topics.map(({ topic }) => topic),
  provides: { provider: { iam, sts, control } },
})
try {
  const proven = await proveAll({
    areas: areas.filter((area) => flags.area === undefined || flags.area.includes(area)),
    parts: (flags.part ?? partNames).map((name) => [name, parts[name]] as const),
    ...{ signal, onProgress, onProven },
  })
  process.stdout.write(`${summaryOf(proven).join('\n')}\n`)
  process.exitCode = exitCodeOf(proven)
} finally {
  await provider.close()
}
