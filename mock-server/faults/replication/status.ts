/** Faults of who may read the status, of what it shows, and of DR operation tokens. */
import type { KindRules, OperationTokenRule } from '../../engines/replication/rules/index.ts'
import type { StatusRules } from '../../engines/replication/rules/status.ts'
import type { Trigger } from '../../engines/replication/rules/transitions.ts'
import { type Change, ofBoth, ofKind } from './cluster-operations.ts'

const inStatus =
  (changed: (status: StatusRules) => Partial<StatusRules>): Change =>
  (rules) => ({ ...rules, status: { ...rules.status, ...changed(rules.status) } })

const rule =
  (trigger: Trigger, changed: Partial<OperationTokenRule>): Change =>
  (rules: KindRules) => {
    const known = rules.operationToken[trigger]
    if (!known) throw new Error(`${trigger} needs no operation token`)
    return { ...rules, operationToken: { ...rules.operationToken, [trigger]: { ...known, ...changed } } }
  }

const bothUpdates =
  (changed: Partial<OperationTokenRule>): Change =>
  (rules) =>
    rule('secondary/forget-primary', changed)(rule('secondary/update-primary', changed)(rules))

const nonEmpty = (token: string): boolean => token !== ''

export const statusFaults = [
  ofBoth('status-needs-token', 'The status cannot be read without a client token.', (rules) => ({
    ...rules,
    access: { ...rules.access, status: 'token' },
  })),
  ofBoth(
    'status-of-a-primary-needs-token',
    'The status of a primary cannot be read without a client token.',
    (rules) => ({
      ...rules,
      statusOfPrimary: 'token',
    }),
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
  [
    ofKind(
      'dr',
      'promote-without-operation-token',
      'promote succeeds without a DR operation token.',
      rule('secondary/promote', { isValid: (token, isLive) => token === '' || isLive }),
    ),
    ofKind(
      'dr',
      'promote-with-any-operation-token',
      'promote accepts any text as a DR operation token.',
      rule('secondary/promote', { isValid: nonEmpty }),
    ),
    ofKind(
      'dr',
      'promote-with-a-blank-operation-token',
      'promote accepts a blank DR operation token.',
      rule('secondary/promote', { blank: 'taken' }),
    ),
    ofKind(
      'dr',
      'update-primary-with-a-blank-operation-token',
      'update-primary accepts a blank DR operation token.',
      bothUpdates({ blank: 'taken' }),
    ),
    ofKind(
      'dr',
      'promote-with-a-client-token',
      'promote accepts a client token of the primary as a DR operation token.',
      rule('secondary/promote', { isValid: (_, isLive, isClients) => isLive || isClients() }),
    ),
    ofKind(
      'dr',
      'update-primary-with-a-client-token',
      'update-primary accepts a client token of the primary as a DR operation token.',
      bothUpdates({ isValid: (_, isLive, isClients) => isLive || isClients() }),
    ),
    ofKind(
      'dr',
      'promote-refused-but-done',
      'promote without a valid DR operation token is refused but carried out.',
      rule('secondary/promote', { without: 'refused-but-done' }),
    ),
    ofKind(
      'dr',
      'unforced-promote-without-operation-token',
      'promote without `force` succeeds without a DR operation token.',
      rule('secondary/promote', { exempts: ({ force }) => force !== true }),
    ),
    ofKind(
      'dr',
      'update-primary-by-an-activation-token-alone',
      'update-primary with an activation token, which is not blank, succeeds without a DR operation token.',
      bothUpdates({ exempts: ({ token }) => typeof token === 'string' && token !== '' }),
    ),
    ofKind(
      'dr',
      'update-primary-without-operation-token',
      'update-primary succeeds without a DR operation token.',
      bothUpdates({ isValid: (token, isLive) => token === '' || isLive }),
    ),
    ofKind(
      'dr',
      'update-primary-with-any-operation-token',
      'update-primary accepts any text as a DR operation token.',
      bothUpdates({ isValid: nonEmpty }),
    ),
  ],
].flat()
