/** `npm run prove` proves that the suites notice faults, and nothing but faults. The exit code is 1 if any part
 * fails. */
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { Command, InvalidArgumentError, Option } from 'commander'
import { optionOf } from '../../commands/options/flag.ts'
import { areaFlag, duration } from '../../commands/options/options.ts'
import { type Area, areas } from '../../vocabulary/index.ts'
import { durationsOf, keepDurations } from './durations.ts'
import { openLane } from './lane.ts'
import { type PartName, partNames } from './part-names.ts'
import { exitCodeOf, type Proven, proveAll, summaryOf } from './prove.ts'
import { runTrials } from './trials.ts'

interface Flags {
  readonly area?: readonly Area[]
  readonly part?: readonly PartName[]
  readonly maxDuration: number
  readonly trials?: boolean
  readonly seed?: number
}

/** Far more than the whole proof takes on two cores. */
const longestSeconds = 6 * 60 * 60
/** With more lanes than cores, checks that wait for servers would miss their timeouts. */
const lanes = Math.min(4, availableParallelism())
/** Judgements allocate much short-lived memory. A large young generation is collected less often, which saves a
 * fifth of the time. */
const resourceLimits = { maxYoungGenerationSizeMb: 192 }

function seedOf(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('Give a number from 1.')
  return Number(text)
}

const flags = new Command('prove')
  .addOption(optionOf(areaFlag))
  .addOption(new Option('--part <part...>', 'only these parts (repeatable)').choices([...partNames]))
  .option('--trials', 'only the trials that belong to no area: hostile servers, and processes that are killed')
  .option('--seed <n>', 'spell requests and draw faults by this seed: 1 and a new one without it', seedOf)
  .option('--max-duration <time>', 'stop after this time, such as 90m or 2h', duration, longestSeconds)
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

const isPartial = flags.area !== undefined || flags.part !== undefined
if (flags.trials || !isPartial) {
  const isClean = await runTrials(signal)
  say(`trials: ${isClean ? 'ok' : 'NOT OK'}`)
  if (!isClean) process.exitCode = 1
}

async function proveAreas(): Promise<void> {
  const start = (): Worker =>
    new Worker(new URL('./worker.ts', import.meta.url), { resourceLimits, workerData: flags.seed })
  const opened = Array.from({ length: lanes }, () => openLane(start))
  const started = performance.now()
  const proven = await proveAll({
    areas: areas.filter((area) => flags.area === undefined || flags.area.includes(area)),
    parts: flags.part ?? partNames,
    lanes: opened.map(({ run }) => run),
    ...{ signal, onProgress, onProven },
  })
  const seconds = (performance.now() - started) / 1000
  process.stdout.write(`${summaryOf(proven, seconds).join('\n')}\n`)
  keepDurations(durationsOf(proven, { lanes, seconds }))
  process.exitCode ||= exitCodeOf(proven)
  for (const lane of opened) await lane.close()
}

if (!flags.trials) await proveAreas()
