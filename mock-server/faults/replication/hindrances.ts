/** Faults that refuse a trigger which the rules allow, or carry one out which they do not allow, because of what the
 * cluster has been through. */
import { soundness } from '../../engines/replication/handlers/change.ts'
import type { Trigger } from '../../engines/replication/rules/transitions.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
import { cameBy, type Here, ofBoth, on, remembersTrigger, rule } from './cluster-operations.ts'

const hindered = (id: string, does: string, trigger: Trigger, isHindered: (here: Here) => boolean) =>
  ofBoth(id, does, [
    remembersTrigger,
    on(
      trigger,
      (_, here) => isHindered(here),
      () => {
        throw badRequest(`${trigger} is not possible now`)
      },
    ),
  ])

export const hindranceFaults = [
  hindered(
    'demoted-is-not-promoted',
    'A demoted primary cannot be promoted again.',
    'secondary/promote',
    cameBy('primary/demote'),
  ),
  hindered(
    'demoted-is-not-disabled',
    'A demoted primary cannot be disabled.',
    'secondary/disable',
    cameBy('primary/demote'),
  ),
  hindered(
    'blank-token-hinders-promotion',
    'A secondary that forgot its primary after update-primary with a blank token cannot be promoted.',
    'secondary/promote',
    cameBy('secondary/forget-primary'),
  ),
  hindered(
    'primary-that-has-secondaries-is-not-demoted',
    'A primary cannot be demoted while secondaries have joined it.',
    'primary/demote',
    ({ context: { membership } }) => membership.registrations.some(({ activated }) => activated),
  ),
  hindered(
    'primary-that-has-secondaries-is-not-disabled',
    'A primary cannot be disabled while secondaries are connected to it.',
    'primary/disable',
    ({ context: { membership, sessions } }) => membership.registrations.some(({ id }) => sessions.isOpen(id)),
  ),
  hindered(
    'promoted-is-not-demoted',
    'A promoted primary cannot be demoted.',
    'primary/demote',
    cameBy('secondary/promote'),
  ),
  hindered(
    'promoted-is-not-disabled',
    'A promoted primary cannot be disabled.',
    'primary/disable',
    cameBy('secondary/promote'),
  ),
  hindered(
    'former-primary-is-not-enabled-again',
    'A primary that was disabled cannot be enabled as a primary again.',
    'primary/enable',
    cameBy('primary/disable'),
  ),
  hindered(
    'former-secondary-is-not-enabled-as-primary',
    'A secondary that was disabled cannot be enabled as a primary.',
    'primary/enable',
    cameBy('secondary/disable'),
  ),
  hindered(
    'blank-token-hinders-disabling',
    'A secondary that forgot its primary after update-primary with a blank token cannot be disabled.',
    'secondary/disable',
    cameBy('secondary/forget-primary'),
  ),
  hindered(
    'update-primary-hinders-promotion',
    'A secondary that got another token by update-primary cannot be promoted.',
    'secondary/promote',
    cameBy('secondary/update-primary'),
  ),
  hindered(
    'out-of-touch-is-not-disabled',
    'A secondary cannot be disabled while its primary is out of reach.',
    'secondary/disable',
    ({ context }) => soundness(context) === 'lost',
  ),
  ofBoth('demoted-is-enabled-as-primary', 'primary/enable makes a demoted primary primary again.', [
    rule(({ paths }) => ({
      paths: {
        servedOnDrSecondary: (path) => path === 'sys/replication/dr/primary/enable' || paths.servedOnDrSecondary(path),
      },
    })),
    remembersTrigger,
    on(
      'primary/enable',
      (_, here) => here.context.membership.mode === 'secondary' && cameBy('primary/demote')(here),
      (_call, _next, { context }) => context.turn('secondary/promote'),
    ),
  ]),
].flat()
