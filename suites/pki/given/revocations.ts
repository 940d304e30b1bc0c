/** The steps that prepare revoked certificates and an enabled or disabled revocation list. */
import {
  isSuccess,
  notInTime,
  type Reply,
  requestWords,
  type Step,
  statusSeen,
  stepContradicts,
} from '../../../harness/vocabulary/index.ts'
import { action } from '../../records.ts'
import { revocationListOf } from '../judge/reply.ts'
import { lists } from '../then/revocation.ts'
import { issued } from './certificates.ts'
import { configCrl, crlPem, revoke, rootedWith } from './given.ts'

export const disable = configCrl({ disable: true })
export const enable = configCrl({ disable: false })

/** Shows that the list was not empty before it was disabled; otherwise an empty list would prove nothing. */
const isListed: Step = action('the CRL lists `serial`', { touches: [crlPem] }, async (scope) => {
  const isThere = (reply: Reply): boolean => {
    const found = revocationListOf(reply)
    return found !== undefined && lists(found, scope.value('serial'))
  }
  const reply = await scope.poll(crlPem, isThere)
  if (!isThere(reply)) throw notInTime('the CRL to list what was revoked', reply, statusSeen(reply))
})

/** Revokes a certificate that was issued under a role that stores it, while the list is enabled. So the serial is known, and a
 * refusal contradicts the row of this step (readings of the documents, 73). */
export function revoked(serial = '{serialTold}'): Step {
  const exchange = revoke(serial)
  return action(requestWords(exchange), { touches: [exchange] }, async (scope) => {
    const reply = await scope.send(exchange)
    if (!isSuccess(reply)) throw stepContradicts(reply, 'pki.state.revoke.revoked')
  })
}

export const revokedOne: readonly Step[] = [...rootedWith(), issued(), revoked(), isListed]
