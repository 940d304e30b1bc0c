/** Wire faults that are derived from the law, and excuses for those faults that no check has to notice. */
import { drawFaults } from '../fixtures/api/drawn-faults.ts'
import { faultsOf, spellingFaultsOf } from '../fixtures/api/faults.ts'
import { laws } from '../fixtures/api/index.ts'
import type { WireFault } from '../harness/vocabulary/index.ts'

export const wireFaults = (areas?: ReadonlySet<string>): readonly WireFault[] =>
  laws
    .filter(({ area }) => areas === undefined || areas.has(area))
    .flatMap((law) => [...faultsOf(law), ...spellingFaultsOf(law)])

/** Returns faults that show on occasion only, chosen by seed. Throws a RangeError if there are not so many. */
export const drawnFaults = (
  areas: readonly string[],
  drawing: { readonly count: number; readonly seed: number },
): readonly WireFault[] =>
  drawFaults(
    laws.filter(({ area }) => areas.includes(area)),
    drawing,
  )

interface Excuse {
  readonly fault: string
  readonly reason: string
}

const ofReplication: readonly Excuse[] = (['dr-replication', 'performance-replication'] as const).flatMap((area) => [
  {
    fault: `${area}/secondary-token/ghost`,
    reason:
      'An activation token that nobody is given shows nowhere, and what a second one does to the first of the same id is not stated.',
  },
  {
    fault: `${area}/{secondary-token,public-key}/twice`,
    reason: 'Neither a further activation token nor a further key pair, given to nobody, shows anywhere.',
  },
  {
    fault: `${area}/promote.force/default-changed`,
    reason:
      'A promotion that is accepted without `force` does the same with it; where a safety check fails, the fault is not played, as the request is refused, and a check of its own judges the default.',
  },
])

const ofPki: readonly Excuse[] = [
  {
    fault: 'pki/intermediate/twice',
    reason: 'A further generation replaces the key of the first, which nothing shows but its own CSR.',
  },
  {
    fault: 'pki/cert/stale',
    reason: 'A serial is that of one certificate, which does not change: there is nothing earlier to be shown.',
  },
  {
    fault: 'pki/{root,sign-intermediate}.format/value-changed.pem-bundle',
    reason: 'What `pem_bundle` holds besides the certificate is stated for `issue` and for CSRs only.',
  },
]

/** The reason for each excuse is a sentence about the documents. An excuse for a fault that a check notices is
 * refused. */
export const faultExcuses: readonly Excuse[] = [
  ...ofReplication,
  {
    fault: 'dr-replication/secondary-disable.no-body/*',
    reason:
      'A DR secondary may refuse ordinary tokens, and then serves only the request with an operation token in its body (readings, 1).',
  },
  ...ofPki,
  {
    fault: 'dr-replication/status.cluster-id/reply-with-other-value',
    reason: 'The id is opaque, and nothing in DR replication is named by it: one that stays the same is as good.',
  },
  {
    fault: 'cloud/{creds.create-user-tags,sts.assume-role-tags}/provider-more',
    reason: 'A tag that a server adds widens nothing of what a user or session may do (readings, 70).',
  },
  {
    fault: 'cloud/root.rotate/{ghost,accept}',
    reason:
      'What refuses a rotation is another key of the user at the provider (Errors), and nothing in the request: there is no request that would be done all the same.',
  },
  {
    fault: 'cloud/role.delete/ghost',
    reason:
      'Only the deletion of a role that does not exist is refused (Errors, 404): there is nothing to delete all the same.',
  },
  {
    fault: 'cloud/static-role.write/overreach',
    reason:
      'One static role maps to one user: what is written for another user is refused at the neighbour, so that it stays as it is.',
  },
]

/** Excuses for faults that show on occasion only. What excuses a fault excuses it on each occasion. */
export const drawnExcuses: readonly Excuse[] = [
  ...faultExcuses.map(({ fault, reason }) => ({ fault: `${fault}@*`, reason })),
  {
    fault: '{dr,performance}-replication/promote{,.*}/*@without-force',
    reason: 'No document says what the safety checks of a promotion without `force` examine, so it may be refused.',
  },
  {
    fault: 'plugin-catalog/write{,.*}/{refuse,value-refused.*}@beside-{oci-image,runtime}',
    reason:
      'No document says when a server looks for the image and its runtime, so that it may refuse a plugin whose image it does not find.',
  },
]
