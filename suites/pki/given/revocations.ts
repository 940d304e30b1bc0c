/** The steps that prepare revoked certificates and an enabled or disabled revocation list. */
import { notInTime, type Reply, type Step, statusSeen } from '../../../harness/vocabulary/index.ts'
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

export const revokedOne: readonly Step[] = [...rootedWith(), issued(), revoke(), isListed]
