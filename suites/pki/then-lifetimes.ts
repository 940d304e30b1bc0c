/** Expectations of lifetimes. The clock is that of the reply: the target's own. */
import type { Expectation, Reply } from '../../harness/vocabulary/index.ts'
import { isRefusal, mismatch, StepFailed } from '../../harness/vocabulary/index.ts'
import { spanWords } from './span.ts'
import { certificate, findCertificate, flawIn, told } from './then.ts'

/** Seconds by which a target may be slow, or by which it counts a lifetime from a NotBefore that lies in the past. */
const late = 60
/** The `Date` of a reply has whole seconds, as have certificates. */
const early = 3

/** When the target answered, by its own clock: ours may be off by more than any tolerance. */
function clockOf(reply: Reply): number {
  if (Number.isNaN(Date.parse(reply.headers.date ?? '')))
    throw new StepFailed(`the reply to ${reply.asked} has no Date, so that the clock of the target is not known`, reply)
  return reply.at
}
const secondsLeft = (notAfter: number, reply: Reply): number => Math.round((notAfter - clockOf(reply)) / 1000)

/** Lives this many seconds from the reply on. */
export const livesFor = (seconds: number): Expectation =>
  certificate('lifetime', spanWords(seconds), ({ notAfter }, { reply }) => {
    const saw = secondsLeft(notAfter, reply)
    return saw >= seconds - late && saw <= seconds + early ? undefined : spanWords(saw)
  })

/** Refused, or cut: whichever it is, nothing lives longer. */
export const neverLonger = (seconds: number): Expectation => ({
  words: `no certificate lives longer than ${spanWords(seconds)}`,
  judge({ reply, scope }) {
    if (isRefusal(reply)) return undefined
    const found = findCertificate(reply)
    if (!found)
      return mismatch(reply, 'status', `a refusal, or a lifetime of at most ${spanWords(seconds)}`, told(reply))
    const saw = secondsLeft(found.notAfter, reply)
    return saw <= seconds + early
      ? flawIn(found, { reply, scope })
      : mismatch(reply, 'lifetime', `at most ${spanWords(seconds)}`, spanWords(saw))
  },
})

/** Seconds by which the reply may come late. */
const slow = 5

/** NotBefore lies this many seconds before the time of issue: that of the reply, or, where the reply came late, that from
 * which the lifetime is counted. */
export const backdatedBy = (seconds: number, lifetime: number): Expectation =>
  certificate('NotBefore', `${spanWords(seconds)} before the time of issue`, ({ notBefore, notAfter }, { reply }) => {
    const beforeReply = -secondsLeft(notBefore, reply)
    const beforeIssue = (notAfter - notBefore) / 1000 - lifetime
    if (beforeReply >= seconds - early && beforeReply <= seconds + slow) return undefined
    if (Math.abs(beforeIssue - seconds) <= early && beforeReply >= seconds - early) return undefined
    return `${spanWords(beforeReply)} before the reply`
  })
