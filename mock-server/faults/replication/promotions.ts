/** Faults of when a promotion is forced. */

import type { Call } from '../../kernel/contracts.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
import { always, type Change, faultsOfBoth, type Here, on, rule, sending, withBody } from './cluster-operations.ts'

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

export const promotionFaults = faultsOfBoth({
  'force-is-ignored': '`force` has no effect: a promotion whose safety checks fail is refused.',
  'force-is-ignored-beside-an-address': '`force` has no effect in a promotion with `primary_cluster_addr`.',
  'force-by-its-presence': 'A promotion with `force: false` is forced.',
  'force-by-default-beside-a-live-primary':
    'Only a connected primary hinders a promotion with `force: false`, and a promotion without `force` is forced.',
  'force-by-its-presence-beside-a-live-primary':
    'Only a connected primary hinders a promotion without `force`, and a promotion with `force: false` is forced.',
  'force-by-default': 'A promotion without `force` is forced.',
  'sound-promotion-is-refused': 'A promotion without `force` is refused although the safety checks pass.',
})
  .by({
    'force-is-ignored': sending(
      operation,
      ({ body }) => body.force !== undefined,
      () => ({ force: false }),
    ),
    'force-is-ignored-beside-an-address': sending(
      operation,
      ({ body }) => body.force !== undefined && Boolean(body.primary_cluster_addr),
      () => ({ force: false }),
    ),
    'force-by-its-presence': sending(
      operation,
      ({ body }) => body.force !== undefined,
      () => ({ force: true }),
    ),
    'force-by-default-beside-a-live-primary': besideALivePrimary(
      ({ body }) => body.force === undefined || body.force === true,
    ),
    'force-by-its-presence-beside-a-live-primary': besideALivePrimary(({ body }) => body.force !== undefined),
    'force-by-default': sending(
      operation,
      ({ body }) => body.force === undefined,
      () => ({ force: true }),
    ),
    'sound-promotion-is-refused': inPromotion({ sound: 'refused' }),
  })
  .flat()
