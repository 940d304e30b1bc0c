/** Expectations of revocation lists. */
import type { Exchange, Expectation, Reply, Scope, Witness } from '../../../harness/vocabulary/index.ts'
import {
  mismatch,
  notAsPrepared,
  readable,
  requestOf,
  requestWords,
  StepFailed,
  shortfall,
} from '../../../harness/vocabulary/index.ts'
import { expectation } from '../../records.ts'
import { crlPem } from '../given/given.ts'
import { crlThere } from '../given/lists.ts'
import type { Certificate } from '../judge/certificate.ts'
import type { RevocationList } from '../judge/crl.ts'
import { revocationListOf } from '../judge/reply.ts'
import { plainSerial } from '../judge/serial.ts'
import { spanWords } from '../span.ts'
import { savedCertificate } from './then.ts'

type Look = (list: RevocationList, scope: Scope, reply: Reply) => string | undefined

const revocationList = (wanted: string, look: Look) =>
  expectation(`the CRL is ${wanted}`, ({ reply, scope }) => {
    const found = revocationListOf(reply)
    if (!found) return shortfall(reply, 'CRL', `a CRL that is ${wanted}`, 'none')
    const saw = look(found, scope, reply)
    return saw === undefined ? undefined : mismatch(reply, 'CRL', scope.fill(wanted), saw)
  })

export const lists = (list: RevocationList, serial: string): boolean =>
  list.serials.map(plainSerial).includes(plainSerial(serial))
const entries = ({ serials }: RevocationList): string =>
  serials.length === 0 ? 'no entries' : `entries ${serials.join(', ')}`

export const revokes = (serial = '{serial}'): Expectation =>
  revocationList(`one that lists ${serial}`, (list, scope) =>
    lists(list, scope.fill(serial)) ? undefined : entries(list),
  )
export const revokesEach = (serials: readonly string[]): Expectation =>
  revocationList(`one that lists ${serials.join(', ')}`, (list, scope) =>
    serials.every((serial) => lists(list, scope.fill(serial))) ? undefined : entries(list),
  )
/** An empty list proves nothing: it must contain the other serial, of a certificate that was revoked. */
export const revokesOnly = (witness: string, ...spared: readonly string[]): Expectation => {
  const serials = spared.length > 0 ? spared : ['{serial}']
  return revocationList(`one that lists ${witness} and not ${serials.join(' or ')}`, (list, scope) => {
    if (serials.some((serial) => lists(list, scope.fill(serial)))) return entries(list)
    if (lists(list, scope.fill(witness))) return undefined
    throw notAsPrepared({ asked: 'the CRL', at: 'entries', wanted: scope.fill(witness), saw: entries(list) })
  })
}
/** Polls the list until the expectation is met, because a list may be published some time after a change. */
export const soon = (exchange: Exchange, expectation: Expectation): Expectation => ({
  words: `${requestWords(exchange)}: ${expectation.words}`,
  touches: [exchange],
  async judge({ scope }, before) {
    const isMet = (reply: Reply): boolean => {
      try {
        return expectation.judge({ reply, scope }, before) === undefined
      } catch (error) {
        if (error instanceof StepFailed) return false
        throw error
      }
    }
    return expectation.judge({ reply: await scope.poll(exchange, isMet), scope }, before)
  },
})

export const isEmptyList: Expectation = revocationList('without entries', (list) =>
  list.serials.length === 0 ? undefined : entries(list),
)
/** The CRL is in any field of a JSON reply. */
export const isStructuredList: Expectation = revocationList('in the standard structure', (_list, _scope, reply) =>
  reply.json === undefined ? 'a bare CRL' : undefined,
)
/** Judges the signature of a list. If the list does not have this content, which other checks judge, nothing is
 * judged. */
const signedWhere = (
  name: string,
  content: string,
  isThere: (list: RevocationList, scope: Scope) => boolean,
): Expectation =>
  revocationList(`signed by the key of \`${name}\`, under its name, where it is ${content}`, (list, scope) => {
    if (!isThere(list, scope))
      throw notAsPrepared({ asked: 'the CRL', at: 'entries', wanted: scope.fill(content), saw: entries(list) })
    return signatureFlaw(list, savedCertificate(scope, name))
  })
export const entriesSignedBy = (name: string, serial = '{serial}'): Expectation =>
  signedWhere(name, `one that lists ${serial}`, (list, scope) => lists(list, scope.fill(serial)))
export const emptySignedBy = (name: string): Expectation =>
  signedWhere(name, 'without entries', ({ serials }) => serials.length === 0)

function signatureFlaw(list: RevocationList, ca: Certificate): string | undefined {
  if (!list.isSignedBy(ca.publicKey)) return 'a signature by another key'
  return list.issuerDer.equals(ca.subjectDer) ? undefined : 'another issuer than the subject of the CA'
}
export const listSignedBy = (name: string): Expectation =>
  revocationList(`signed by the key of \`${name}\`, under its name`, (list, scope) =>
    signatureFlaw(list, savedCertificate(scope, name)),
  )

const second = 1000
/** The tolerance in seconds for the time between the two updates of a list. */
const tolerance = 5
/** The age in seconds that a list may have when it is requested. */
const late = 60
/** The seconds by which a list may be backdated, for clients whose clocks are behind. */
const backdating = 3600

/** The list is valid for this time, counted from the reply or from its own, slightly backdated update. */
export const validForHours = (hours: number): Expectation =>
  revocationList(`valid for ${hours} h`, ({ thisUpdate, nextUpdate }, _, reply) => {
    if (nextUpdate === undefined) return 'no next update'
    const wanted = hours * 3600
    const fromReply = (nextUpdate - reply.at) / second
    const fromUpdate = (nextUpdate - thisUpdate) / second
    // Without the target's clock, its updates can only be compared with each other.
    const age = reply.headers.date === undefined ? 0 : (reply.at - thisUpdate) / second
    if (Math.abs(fromReply - wanted) <= late) return undefined
    if (Math.abs(fromUpdate - wanted) <= tolerance && age >= -late && age <= backdating) return undefined
    return `${spanWords(fromUpdate)} between its updates, ${spanWords(fromReply)} left`
  })

/** Returns when a list was made: `<ms since the epoch> <its number, if any>`. */
export const madeAt = ({ thisUpdate, number }: RevocationList): string => `${thisUpdate} ${number ?? ''}`.trim()

/** The list is newer than the saved one: its time is later, or its number is higher if both have numbers. */
export const isNewerThan = (name: string): Expectation =>
  revocationList(`made after \`${name}\``, ({ thisUpdate, number }, scope) => {
    const [at, numbered] = scope.value(name).split(' ')
    const isHigher = numbered !== undefined && number !== undefined && number > BigInt(numbered)
    return thisUpdate > Number(at) || isHigher ? undefined : `made at ${new Date(thisUpdate).toISOString()}`
  })

/** The reply has no list, or none that was made after the saved one. */
export const isNoNewerThan = (name: string) =>
  expectation(`no CRL was made after \`${name}\``, ({ reply, scope }) => {
    const found = revocationListOf(reply)
    if (!found || found.thisUpdate <= Number(scope.value(name).split(' ')[0])) return undefined
    return mismatch(
      reply,
      'CRL',
      `none that was made after \`${name}\``,
      `one of ${new Date(found.thisUpdate).toISOString()}`,
    )
  })

/** Witness of the serials in the CRL, in any order. A server may sign the same list again at any time. */
export const crlStays: Witness = {
  kind: 'witness',
  words: `GET \`${crlPem.path}\` lists`,
  touches: [crlPem],
  steady: true,
  async look(scope) {
    const reply = readable(await crlThere(crlPem).run(scope), true)
    return { ...requestOf(reply), state: revocationListOf(reply)?.serials.map(plainSerial).toSorted() ?? 'no CRL' }
  },
}
