/** Shortens bounds on time to a third in the processes that tests start, so that tests which use a bound up wait less. A
 * process loads this module before all others, and finds in its URL what to shorten. On a slower machine more is left of
 * the bounds, and `npm run prove` keeps them whole. */
import { isWhole } from '../tools/prove/sampled.test-bed.ts'
import { bounds } from '../wire/bounds.ts'
import { patient } from './patience.test-bed.ts'

type Name = keyof typeof bounds

/** The part of a bound that is left. */
export const share = isWhole ? 1 : Math.min(1, patient(1000) / 3000)

const optionsFor = (names: readonly Name[], to = share): string =>
  `--import ${import.meta.url.split('?')[0]}?share=${to}&bounds=${names}`

const ofCleanUp = ['grace', 'checksTakeBack', 'checksThread', 'takeBack', 'takeBackReply'] as const

/** The options of Node for processes that clean up for a shorter time. */
export const shorterCleanUp = optionsFor(ofCleanUp)

/** Lets runs in this process, and the threads that they start, clean up for a shorter time. Returns what undoes it. */
export function shortenCleanUpHere(): () => void {
  const before = ofCleanUp.map((name) => [name, bounds[name].value] as const)
  const { NODE_OPTIONS: options } = process.env
  shorten(ofCleanUp, share)
  process.env.NODE_OPTIONS = shorterCleanUp
  return () => {
    for (const [name, value] of before) Object.assign(bounds[name], { value })
    if (options === undefined) delete process.env.NODE_OPTIONS
    else process.env.NODE_OPTIONS = options
  }
}

/** The options of Node for processes that are ended earlier after an interrupt. They have no time for reports. */
export const shorterInterrupt = optionsFor(['interrupt'])

/** The options of Node for processes that need all of their time for reports, which a slow machine takes longer to write. */
export const patientInterrupt = optionsFor(['interrupt'], patient(1000) / 1000)

function shorten(names: readonly Name[], to: number): void {
  for (const name of names) Object.assign(bounds[name], { value: bounds[name].value * to })
}

const asked = new URL(import.meta.url).searchParams
shorten((asked.get('bounds')?.split(',') ?? []) as Name[], Number(asked.get('share')))
