/** Expectations of revocation lists. */
import type { Expectation, Scope } from '../../harness/vocabulary/index.ts'
import { isSuccess, mismatch } from '../../harness/vocabulary/index.ts'
import type { RevocationList } from './judge-crl.ts'
import { revocationListOf } from './judge-reply.ts'
import { savedCertificate, told } from './then.ts'

type Look = (list: RevocationList, scope: Scope) => string | undefined

const revocationList = (wanted: string, look: Look): Expectation => ({
  words: `the CRL is ${wanted}`,
  judge({ reply, scope }) {
    const found = revocationListOf(reply)
    if (!found) return mismatch(reply, 'CRL', `a CRL that is ${wanted}`, isSuccess(reply) ? 'no CRL' : told(reply))
    const saw = look(found, scope)
    return saw === undefined ? undefined : mismatch(reply, 'CRL', scope.fill(wanted), saw)
  },
})

const plain = (serial: string): string => serial.replace(/^0+(?=.)/, '')
const has = (list: RevocationList, serial: string): boolean => list.serials.map(plain).includes(plain(serial))
const entries = ({ serials }: RevocationList): string =>
  serials.length === 0 ? 'no entries' : `entries ${serials.join(', ')}`

export const revokes = (serial = '{serial}'): Expectation =>
  revocationList(`one that lists ${serial}`, (list, scope) =>
    has(list, scope.fill(serial)) ? undefined : entries(list),
  )
export const revokesNot = (serial = '{serial}'): Expectation =>
  revocationList(`one that does not list ${serial}`, (list, scope) =>
    has(list, scope.fill(serial)) ? entries(list) : undefined,
  )
export const isEmptyList: Expectation = revocationList('without entries', (list) =>
  list.serials.length === 0 ? undefined : entries(list),
)
export const listSignedBy = (name: string): Expectation =>
  revocationList(`signed by the key of \`${name}\``, (list, scope) =>
    list.isSignedBy(savedCertificate(scope, name).publicKey) ? undefined : 'a signature by another key',
  )

const tolerance = 5

/** From its update to the next one. */
export const validForHours = (hours: number): Expectation =>
  revocationList(`valid for ${hours} h`, ({ thisUpdate, nextUpdate }) => {
    const saw = nextUpdate === undefined ? undefined : Math.round((nextUpdate - thisUpdate) / 1000)
    if (saw !== undefined && Math.abs(saw - hours * 3600) <= tolerance) return undefined
    return saw === undefined ? 'no next update' : `${saw} s`
  })

/** Made after the time, in milliseconds, that was saved under this name. */
export const isNewerThan = (name: string): Expectation =>
  revocationList(`made after \`${name}\``, ({ thisUpdate }, scope) =>
    thisUpdate > Number(scope.value(name)) ? undefined : `made at ${new Date(thisUpdate).toISOString()}`,
  )
