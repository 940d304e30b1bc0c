/** Expectations of lifetimes. They use the clock of the target (its `Date` header), or without that header the clock of
 * this machine, which may differ. */
import { type Expectation, isRefusal, mismatch, type Reply, StepFailed } from '../../../harness/vocabulary/index.ts'
import { expectation } from '../../records.ts'
import { spanWords } from '../span.ts'
import { certificate, findCertificate } from './then.ts'

/** The tolerance in seconds for a slow target, and for a lifetime that is counted from a NotBefore in the past. */
const late = 60
/** The tolerance in seconds for rounding: the `Date` of a reply and the times of certificates are in whole seconds. */
const early = 3
/** The tolerance in seconds between this machine and a target without a `Date` header. */
const apart = 300

const tellsTime = ({ headers }: Reply): boolean => !Number.isNaN(Date.parse(headers.date ?? ''))
/** The uncertainty, in seconds, of the clock by which a reply is judged. */
const slackOf = (reply: Reply): number => (tellsTime(reply) ? 0 : apart)
const secondsLeft = (notAfter: number, reply: Reply): number => Math.round((notAfter - reply.at) / 1000)

/** The certificate is valid for this many seconds, counted from the reply. */
export const livesFor = (seconds: number): Expectation =>
  certificate('lifetime', spanWords(seconds), ({ notAfter }, { reply }) => {
    const [saw, slack] = [secondsLeft(notAfter, reply), slackOf(reply)]
    return saw >= seconds - late - slack && saw <= seconds + early + slack ? undefined : spanWords(saw)
  })

/** No certificate lives longer: the request is refused, or the lifetime is shortened. */
export const neverLonger = (seconds: number) =>
  expectation(`no certificate lives longer than ${spanWords(seconds)}`, ({ reply }) => {
    if (isRefusal(reply)) return undefined
    const found = findCertificate(reply)
    if (!found) return mismatch(reply, 'certificate', `a lifetime of at most ${spanWords(seconds)}`, 'none')
    const saw = secondsLeft(found.notAfter, reply)
    return saw <= seconds + early + slackOf(reply)
      ? undefined
      : mismatch(reply, 'lifetime', `at most ${spanWords(seconds)}`, spanWords(saw))
  })

/** The tolerance in seconds for a late reply. */
const slow = 5

/** NotBefore is this many seconds before the time of issue. That is the time of the reply or, if the reply was late,
 * the time from which the lifetime is counted. */
export const backdatedBy = (seconds: number, lifetime: number): Expectation =>
  certificate('NotBefore', `${spanWords(seconds)} before the time of issue`, ({ notBefore, notAfter }, { reply }) => {
    const beforeReply = -secondsLeft(notBefore, reply)
    const beforeIssue = (notAfter - notBefore) / 1000 - lifetime
    const slack = slackOf(reply)
    if (beforeReply >= seconds - early && beforeReply <= seconds + slow) return undefined
    if (Math.abs(beforeIssue - seconds) <= early && beforeReply >= seconds - early - slack) return undefined
    if (slack > 0 && Math.abs(beforeReply - seconds) <= slack)
      throw new StepFailed('no-date', { asked: reply.asked }, reply)
    return `${spanWords(beforeReply)} before the reply`
  })
