/** Makes processes clean up for a third of the time that the bounds allow, so that tests which use it up wait less. A
 * process loads this module before all others, and finds the share in its URL. On a slower machine the share is larger,
 * and `npm run prove` keeps the bounds whole. */
import { isWhole } from '../tools/prove/sampled.test-bed.ts'
import { bounds } from '../wire/bounds.ts'
import { patient } from './patience.test-bed.ts'

const shortened = ['grace', 'checksTakeBack', 'checksThread', 'takeBack', 'takeBackReply'] as const

const share = isWhole ? 1 : Math.min(1, patient(1000) / 3000)
/** The report is written after the clean-up, and takes as long as ever. */
const shorterBy = (part: number): number => bounds.takeBack.value * (1 - part)

/** The bound on an interrupt in a process that loads this module, in seconds. */
export const shorterInterrupt = bounds.interrupt.value - shorterBy(share)

/** The options of Node that make a process load this module. */
export const shorterBounds = `--import ${import.meta.url.split('?')[0]}?share=${share}`

const asked = Number(new URL(import.meta.url).searchParams.get('share') ?? 1)
if (asked < 1) {
  Object.assign(bounds.interrupt, { value: bounds.interrupt.value - shorterBy(asked) })
  for (const name of shortened) Object.assign(bounds[name], { value: bounds[name].value * asked })
}
