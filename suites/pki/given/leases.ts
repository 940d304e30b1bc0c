/** Leases of certificates. The documents state that leases exist; the dialect knows where a reply has its lease, and
 * how to revoke it. */
import type { Ceremony, Operation, Reply, Scope, Step } from '../../../harness/vocabulary/index.ts'
import { DoesNotApply, fieldOf } from '../../../harness/vocabulary/index.ts'
import { action } from '../../records.ts'
import { revocationListOf } from '../judge/reply.ts'
import { lists } from '../then/revocation.ts'
import { formsOf, saveIssued } from './certificates.ts'
import { crlPem, issue, listedCerts, role, successOf } from './given.ts'

/** Saves the JSON pointer to the lease in a reply as `{lease}`. */
export const leaseField: Operation = {
  kind: 'operation',
  operation: 'leaseField',
  args: { as: 'lease' },
  words: '`lease` is where a reply has its lease',
  provides: ['lease'],
}

export const leaseIn = (reply: Reply, pointer: string): string | undefined => {
  const lease = fieldOf(reply, pointer)
  return typeof lease === 'string' && lease !== '' ? lease : undefined
}

const underLeasing = issue({ common_name: 'leased.example.com' }, 'leasing')
const leasing: readonly Step[] = [leaseField, role({ generate_lease: true }, 'leasing')]

function loadLease(scope: Scope, reply: Reply): string {
  const lease = leaseIn(reply, scope.value('lease'))
  if (lease === undefined)
    throw DoesNotApply.shown(reply, `the reply to ${reply.asked} shows no lease, under a role that attaches one`)
  return lease
}

/** Shows that a reply has its lease where the dialect expects it: otherwise a missing lease would prove nothing. */
export const leasesAreSeen: readonly Step[] = [
  ...leasing,
  action('a lease that is attached is seen', { touches: [underLeasing] }, async (scope) => {
    loadLease(scope, successOf(await scope.send(underLeasing)))
  }),
]

/** A certificate with a lease: its serial is `{serial}`, the lease `{leaseId}`. */
export const leasedCertificate: readonly Step[] = [
  ...leasing,
  action(
    'a certificate is issued with a lease, `leaseId`, and the serial `serial`',
    { touches: [underLeasing, listedCerts], provides: ['leaseId', ...formsOf('serial')] },
    async (scope) => scope.save('leaseId', loadLease(scope, await saveIssued(scope, underLeasing, 'serial'))),
  ),
]

export const revokeLease: Operation = {
  kind: 'operation',
  operation: 'revokeLease',
  args: { lease: 'leaseId' },
  words: 'the lease is revoked',
  provides: [],
}

/** Seconds to wait for the end of a lease, which may come after the reply. */
const patience = 5

/** Reads the CRL until it lists the certificate. */
export const crlInTime: Ceremony = {
  kind: 'ceremony',
  words: `GET \`{mount}/crl/pem\`, until the certificate is in it, for at most ${patience} s`,
  touches: [crlPem],
  run: (scope) =>
    scope.poll(
      crlPem,
      (reply) => {
        const found = revocationListOf(reply)
        return found !== undefined && lists(found, scope.value('serial'))
      },
      patience,
    ),
}
