/** Shortens bounds on time to a third in the processes that tests start, so that tests which use a bound up wait less. A
 * process loads this module before all others, and finds in its URL what to shorten. On a slower machine more is left of
 * the bounds, and `npm run prove` keeps them whole. */
import { isWhole } from '../tools/prove/sampled.test-bed.ts'
import { bounds } from '../wire/bounds.ts'
import { patient } from './patience.test-bed.ts'

type Name = keyof typeof bounds

/** The part of a bound that is left. */
export const share = isWhole ? 1 : Math.min(1, patient(1000) / 3000)

const optionsFor = (...names: readonly Name[]): string =>
  `--import ${import.meta.url.split('?')[0]}?share=${share}&bounds=${names}`

/** The options of Node for processes that clean up for a shorter time. */
export const shorterCleanUp = optionsFor('grace', 'checksTakeBack', 'checksThread', 'takeBack', 'takeBackReply')

/** The options of Node for processes that are ended earlier after an interrupt. They have no time for reports. */
export const shorterInterrupt = optionsFor('interrupt')

const asked = new URL(import.meta.url).searchParams
for (const name of (asked.get('bounds')?.split(',') ?? []) as Name[])
  Object.assign(bounds[name], { value: bounds[name].value * Number(asked.get('share')) })
