/** Faults that refuse a trigger which the rules allow, or carry one out which they do not allow, because of what the
 * cluster has been through. */
import { soundness } from '../../engines/replication/handlers/change.ts'
import type { Trigger } from '../../engines/replication/rules/transitions.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
import { cameBy, faultsOfBoth, type Here, on, remembersTrigger, rule } from './cluster-operations.ts'

const hindered = (trigger: Trigger, isHindered: (here: Here) => boolean) => [
  remembersTrigger,
  on(
    trigger,
    (_, here) => isHindered(here),
    () => {
      throw badRequest(`${trigger} is not possible now`)
    },
  ),
]

export const hindranceFaults = faultsOfBoth({
  'demoted-is-not-promoted': 'A demoted primary cannot be promoted again.',
  'demoted-is-not-disabled': 'A demoted primary cannot be disabled.',
  'blank-token-hinders-promotion':
    'A secondary that forgot its primary after update-primary with a blank token cannot be promoted.',
  'primary-that-has-secondaries-is-not-demoted': 'A primary cannot be demoted while secondaries have joined it.',
  'primary-that-has-secondaries-is-not-disabled': 'A primary cannot be disabled while secondaries are connected to it.',
  'promoted-is-not-demoted': 'A promoted primary cannot be demoted.',
  'promoted-is-not-disabled': 'A promoted primary cannot be disabled.',
  'former-primary-is-not-enabled-again': 'A primary that was disabled cannot be enabled as a primary again.',
  'former-secondary-is-not-enabled-as-primary': 'A secondary that was disabled cannot be enabled as a primary.',
  'blank-token-hinders-disabling':
    'A secondary that forgot its primary after update-primary with a blank token cannot be disabled.',
  'update-primary-hinders-promotion': 'A secondary that got another token by update-primary cannot be promoted.',
  'out-of-touch-is-not-disabled': 'A secondary cannot be disabled while its primary is out of reach.',
  'demoted-is-enabled-as-primary': 'primary/enable makes a demoted primary primary again.',
})
  .by({
    'demoted-is-not-promoted': hindered('secondary/promote', cameBy('primary/demote')),
    'demoted-is-not-disabled': hindered('secondary/disable', cameBy('primary/demote')),
    'blank-token-hinders-promotion': hindered('secondary/promote', cameBy('secondary/forget-primary')),
    'primary-that-has-secondaries-is-not-demoted': hindered('primary/demote', ({ context: { membership } }) =>
      membership.registrations.some(({ activated }) => activated),
    ),
    'primary-that-has-secondaries-is-not-disabled': hindered(
      'primary/disable',
      ({ context: { membership, sessions } }) => membership.registrations.some(({ id }) => sessions.isOpen(id)),
    ),
    'promoted-is-not-demoted': hindered('primary/demote', cameBy('secondary/promote')),
    'promoted-is-not-disabled': hindered('primary/disable', cameBy('secondary/promote')),
    'former-primary-is-not-enabled-again': hindered('primary/enable', cameBy('primary/disable')),
    'former-secondary-is-not-enabled-as-primary': hindered('primary/enable', cameBy('secondary/disable')),
    'blank-token-hinders-disabling': hindered('secondary/disable', cameBy('secondary/forget-primary')),
    'update-primary-hinders-promotion': hindered('secondary/promote', cameBy('secondary/update-primary')),
    'out-of-touch-is-not-disabled': hindered('secondary/disable', ({ context }) => soundness(context) === 'lost'),
    'demoted-is-enabled-as-primary': [
      rule(({ paths }) => ({
        paths: {
          servedOnDrSecondary: (path) =>
            path === 'sys/replication/dr/primary/enable' || paths.servedOnDrSecondary(path),
        },
      })),
      remembersTrigger,
      on(
        'primary/enable',
        (_, here) => here.context.membership.mode === 'secondary' && cameBy('primary/demote')(here),
        (_call, _next, { context }) => context.turn('secondary/promote'),
      ),
    ],
  })
  .flat()
