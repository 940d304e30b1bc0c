/** Expectations of lifetimes. The clock is that of the reply: the target's own. */
import type { Expectation } from '../../harness/vocabulary/index.ts'
import { isRefusal, isSuccess, mismatch } from '../../harness/vocabulary/index.ts'
import { certificateOf } from './judge-reply.ts'
import { certificate, told } from './then.ts'

/** Seconds by which a target may be slow, or by which it counts a lifetime from a NotBefore that lies in the past. */
const late = 60
/** The `Date` of a reply has whole seconds, as have certificates. */
const early = 3

const secondsLeft = (notAfter: number, at: number): number => Math.round((notAfter - at) / 1000)

/** Lives this many seconds from the reply on. */
export const livesFor = (seconds: number): Expectation =>
  certificate('lifetime', `${seconds} s`, ({ notAfter }, { reply }) => {
    const saw = secondsLeft(notAfter, reply.at)
    return saw >= seconds - late && saw <= seconds + early ? undefined : `${saw} s`
  })

/** Refused, or cut: whichever it is, nothing lives longer. */
export const neverLonger = (seconds: number): Expectation => ({
  words: `no certificate lives longer than ${seconds} s`,
  judge({ reply }) {
    if (isRefusal(reply)) return undefined
    const found = certificateOf(reply)
    if (!found) {
      const saw = isSuccess(reply) ? 'no certificate in the reply' : told(reply)
      return mismatch(reply, 'certificate', `a refusal, or a lifetime of at most ${seconds} s`, saw)
    }
    const saw = secondsLeft(found.notAfter, reply.at)
    return saw <= seconds + early ? undefined : mismatch(reply, 'lifetime', `at most ${seconds} s`, `${saw} s`)
  },
})

const slow = 15

/** NotBefore lies this many seconds before the reply. */
export const backdatedBy = (seconds: number): Expectation =>
  certificate('NotBefore', `${seconds} s before the time of issue`, ({ notBefore }, { reply }) => {
    const saw = Math.round((reply.at - notBefore) / 1000)
    return saw >= seconds - early && saw <= seconds + slow ? undefined : `${saw} s before`
  })
