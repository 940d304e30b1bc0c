/** Faults of when a promotion is forced. */

import type { Call } from '../../kernel/contracts.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
import { always, type Change, type Here, ofBoth, on, rule, sending, withBody } from './cluster-operations.ts'

const operation = 'secondary/promote'
const inPromotion =
  (changed: object): Change =>
  (rules) => ({ ...rules, promotion: { ...rules.promotion, ...changed } })

/** Only a connected primary hinders a promotion that is not forced. */
const besideALivePrimary = (isForced: (call: Call) => boolean) => [
  rule(inPromotion({ lost: 'promoted' })),
  on(operation, always, (call, next, { context }: Here) => {
    if (!isForced(call) && context.link?.connected)
      throw badRequest('the primary is connected: promote the secondary with force')
    return next(withBody(call, { force: isForced(call) }))
  }),
]

export const promotionFaults = [
  ofBoth('force-is-ignored', '`force` has no effect: a promotion whose safety checks fail is refused.', [
    sending(
      operation,
      ({ body }) => body.force !== undefined,
      () => ({ force: false }),
    ),
  ]),
  ofBoth('force-is-ignored-beside-an-address', '`force` has no effect in a promotion with `primary_cluster_addr`.', [
    sending(
      operation,
      ({ body }) => body.force !== undefined && Boolean(body.primary_cluster_addr),
      () => ({ force: false }),
    ),
  ]),
  ofBoth('force-by-its-presence', 'A promotion with `force: false` is forced.', [
    sending(
      operation,
      ({ body }) => body.force !== undefined,
      () => ({ force: true }),
    ),
  ]),
  ofBoth(
    'force-by-default-beside-a-live-primary',
    'Only a connected primary hinders a promotion with `force: false`, and a promotion without `force` is forced.',
    besideALivePrimary(({ body }) => body.force === undefined || body.force === true),
  ),
  ofBoth(
    'force-by-its-presence-beside-a-live-primary',
    'Only a connected primary hinders a promotion without `force`, and a promotion with `force: false` is forced.',
    besideALivePrimary(({ body }) => body.force !== undefined),
  ),
  ofBoth('force-by-default', 'A promotion without `force` is forced.', [
    sending(
      operation,
      ({ body }) => body.force === undefined,
      () => ({ force: true }),
    ),
  ]),
  ofBoth(
    'sound-promotion-is-refused',
    'A promotion without `force` is refused although the safety checks pass.',
    inPromotion({ sound: 'refused' }),
  ),
].flat()
