/** Faults that refuse a trigger which the table of modes lists, or carry one out which it does not list, because of what
 * the cluster has been through. */
import { cells, ofBoth, together } from './cluster-operations.ts'

export const hindranceFaults = [
  ofBoth(
    'demoted-is-not-promoted',
    'A demoted primary cannot be promoted again.',
    cells({ hinders: (trigger, { by }) => trigger === 'secondary/promote' && by === 'primary/demote' }),
  ),
  ofBoth(
    'demoted-is-not-disabled',
    'A demoted primary cannot be disabled.',
    cells({ hinders: (trigger, { by }) => trigger === 'secondary/disable' && by === 'primary/demote' }),
  ),
  ofBoth(
    'blank-token-hinders-promotion',
    'A secondary that forgot its primary after update-primary with a blank token cannot be promoted.',
    cells({ hinders: (trigger, { by }) => trigger === 'secondary/promote' && by === 'secondary/forget-primary' }),
  ),
  ofBoth(
    'primary-that-has-secondaries-is-not-demoted',
    'A primary cannot be demoted while secondaries have joined it.',
    cells({ hinders: (trigger, { isJoined }) => trigger === 'primary/demote' && isJoined }),
  ),
  ofBoth(
    'primary-that-has-secondaries-is-not-disabled',
    'A primary cannot be disabled while secondaries are connected to it.',
    cells({ hinders: (trigger, { isConnected }) => trigger === 'primary/disable' && isConnected }),
  ),
  ofBoth(
    'promoted-is-not-demoted',
    'A promoted primary cannot be demoted.',
    cells({ hinders: (trigger, { by }) => trigger === 'primary/demote' && by === 'secondary/promote' }),
  ),
  ofBoth(
    'promoted-is-not-disabled',
    'A promoted primary cannot be disabled.',
    cells({ hinders: (trigger, { by }) => trigger === 'primary/disable' && by === 'secondary/promote' }),
  ),
  ofBoth(
    'former-primary-is-not-enabled-again',
    'A primary that was disabled cannot be enabled as a primary again.',
    cells({ hinders: (trigger, { by }) => trigger === 'primary/enable' && by === 'primary/disable' }),
  ),
  ofBoth(
    'former-secondary-is-not-enabled-as-primary',
    'A secondary that was disabled cannot be enabled as a primary.',
    cells({ hinders: (trigger, { by }) => trigger === 'primary/enable' && by === 'secondary/disable' }),
  ),
  ofBoth(
    'blank-token-hinders-disabling',
    'A secondary that forgot its primary after update-primary with a blank token cannot be disabled.',
    cells({ hinders: (trigger, { by }) => trigger === 'secondary/disable' && by === 'secondary/forget-primary' }),
  ),
  ofBoth(
    'update-primary-hinders-promotion',
    'A secondary that got another token by update-primary cannot be promoted.',
    cells({ hinders: (trigger, { by }) => trigger === 'secondary/promote' && by === 'secondary/update-primary' }),
  ),
  ofBoth(
    'out-of-touch-is-not-disabled',
    'A secondary cannot be disabled while its primary is out of reach.',
    cells({ hinders: (trigger, { isLost }) => trigger === 'secondary/disable' && isLost }),
  ),
  ofBoth(
    'demoted-is-enabled-as-primary',
    'primary/enable makes a demoted primary primary again.',
    together(cells({ enabledAsDemoted: 'primary' }), (rules) => ({
      ...rules,
      paths: {
        servedOnDrSecondary: (path) =>
          path === 'sys/replication/dr/primary/enable' || rules.paths.servedOnDrSecondary(path),
      },
    })),
  ),
].flat()
