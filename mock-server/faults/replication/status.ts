/** Faults of who may read the status, and of what it shows. */
import type { StatusRules } from '../../engines/replication/rules/status.ts'
import { around, type Change, ofBoth } from './cluster-operations.ts'

const inStatus =
  (changed: (status: StatusRules) => Partial<StatusRules>): Change =>
  (rules) => ({ ...rules, status: { ...rules.status, ...changed(rules.status) } })

export const statusFaults = [
  ofBoth('status-needs-token', 'The status cannot be read without a client token.', (rules) => ({
    ...rules,
    access: { ...rules.access, status: 'token' },
  })),
  ...(['primary', 'secondary'] as const).flatMap((mode) =>
    ofBoth(`status-of-a-${mode}-needs-token`, `The status of a ${mode} cannot be read without a client token.`, [
      around('GET status', { may: (_, { context }) => (context.membership.mode === mode ? 'token' : undefined) }),
      // Checks read the status of a secondary without a token, as it loses those that it had.
    ]).map((fault) => (mode === 'secondary' ? { ...fault, shared: true } : fault)),
  ),
  ofBoth(
    'status-shows-primary-as-disabled',
    'The status of a primary says that it is disabled.',
    inStatus(({ mode }) => ({ mode: { ...mode, primary: 'disabled' } })),
  ),
  ofBoth(
    'status-shows-secondary-as-primary',
    'The status of a secondary says that it is primary.',
    inStatus(({ mode }) => ({ mode: { ...mode, secondary: 'primary' } })),
  ),
  ofBoth(
    'status-omits-the-mode',
    'The status lacks the mode.',
    inStatus(() => ({ mode: { disabled: undefined, primary: undefined, secondary: undefined } })),
  ),
  ...(['primary', 'secondary'] as const).flatMap((mode) => [
    ofBoth(
      `${mode}-status-omits-cluster-id`,
      `The status of a ${mode} lacks the cluster id.`,
      inStatus(({ clusterId }) => ({ clusterId: { ...clusterId, [mode]: 'left-out' } })),
    ),
    ofBoth(
      `${mode}-status-progress-stands-still`,
      `The status of a ${mode} does not change when data is written.`,
      inStatus(({ progress }) => ({ progress: { ...progress, [mode]: 'constant' } })),
    ),
  ]),
  ofBoth('served-on-community', 'The status is served in the community edition.', (rules) => ({
    ...rules,
    editions: { ...rules.editions, status: ['community', ...rules.editions.status] },
  })),
  ofBoth(
    'roles-change-on-community',
    'Every endpoint except the status is served in the community edition.',
    (rules) => ({
      ...rules,
      editions: { ...rules.editions, others: ['community', ...rules.editions.others] },
    }),
  ),
].flat()
