/** Faults of who may read the status, and of what it shows. */
import type { Mode } from '../../engines/replication/rules/transitions.ts'
import { Refusal } from '../../kernel/http/refusal.ts'
import { around, faultsOfBoth, type Here, noting, ofBoth } from './cluster-operations.ts'

type Shown = Readonly<Record<string, unknown>>

/** Shows something else in the status of clusters in a mode. */
const shows = (part: string, mode: Mode, change: (shown: Shown) => object) =>
  around('GET status', {
    part,
    when: (_, { context }) => context.membership.mode === mode,
    async does(call, next) {
      const reply = await next(call)
      return reply.kind === 'data' ? { ...reply, data: change(reply.data as Shown) } : reply
    },
  })
const omits = (mode: Mode, field: string) =>
  shows(field, mode, (shown) => Object.fromEntries(Object.entries(shown).filter(([name]) => name !== field)))
const inEach = (value: unknown, fields: object): readonly object[] =>
  (value as readonly object[]).map((one) => ({ ...one, ...fields }))

/** The progress that the status shows, whatever is written. */
const constant: Readonly<Record<'primary' | 'secondary', (shown: Shown) => object>> = {
  primary: ({ secondaries }) => ({ last_wal: 1, secondaries: inEach(secondaries, { last_heartbeat: undefined }) }),
  secondary: ({ primaries }) => ({ last_remote_wal: 0, primaries: inEach(primaries, { last_heartbeat: '' }) }),
}

const firstReads = 6
const failedReads = ({ memory }: Here): number => Number(memory.get('failed') ?? firstReads)
const failsAtFirst = [
  noting('roleChange', 'carryOut', ([{ trigger }], { memory }) => {
    if (trigger === 'secondary/enable') memory.set('failed', 0)
  }),
  around('GET status', {
    when: (_, here) => here.context.membership.mode === 'secondary' && failedReads(here) < firstReads,
    does(_call, _next, here) {
      here.memory.set('failed', failedReads(here) + 1)
      throw new Refusal('internal', { message: 'the status cannot be read yet' })
    },
  }),
]

export const statusFaults = [
  ...faultsOfBoth({
    'status-needs-token': 'The status cannot be read without a client token.',
    'status-shows-primary-as-disabled': 'The status of a primary says that it is disabled.',
    'status-shows-secondary-as-primary': 'The status of a secondary says that it is primary.',
    'status-omits-the-mode': 'The status lacks the mode.',
    'served-on-community': 'The status is served in the community edition.',
    'roles-change-on-community': 'Every endpoint except the status is served in the community edition.',
  }).by({
    'status-needs-token': (rules) => ({ ...rules, access: { ...rules.access, status: 'token' } }),
    'status-shows-primary-as-disabled': shows('mode', 'primary', (shown) => ({ ...shown, mode: 'disabled' })),
    'status-shows-secondary-as-primary': shows('mode', 'secondary', (shown) => ({ ...shown, mode: 'primary' })),
    'status-omits-the-mode': (['disabled', 'primary', 'secondary'] as const).map((mode) => omits(mode, 'mode')),
    'served-on-community': (rules) => ({
      ...rules,
      editions: { ...rules.editions, status: ['community', ...rules.editions.status] },
    }),
    'roles-change-on-community': (rules) => ({
      ...rules,
      editions: { ...rules.editions, others: ['community', ...rules.editions.others] },
    }),
  }),
  ...(['primary', 'secondary'] as const).flatMap((mode) =>
    ofBoth(`status-of-a-${mode}-needs-token`, `The status of a ${mode} cannot be read without a client token.`, [
      around('GET status', { may: (_, { context }) => (context.membership.mode === mode ? 'token' : undefined) }),
      // Checks read the status of a secondary without a token, as it loses those that it had.
    ]).map((fault) => (mode === 'secondary' ? { ...fault, shared: true } : fault)),
  ),
  // Many checks read the status of a secondary as soon as it has joined.
  ofBoth('status-fails-after-joining', 'The first reads of the status of a secondary fail.', failsAtFirst).map(
    (fault) => ({ ...fault, shared: true }),
  ),
  ...(['primary', 'secondary'] as const).flatMap((mode) => [
    ofBoth(`${mode}-status-omits-cluster-id`, `The status of a ${mode} lacks the cluster id.`, [
      omits(mode, 'cluster_id'),
    ]),
    ofBoth(`${mode}-status-progress-stands-still`, `The status of a ${mode} does not change when data is written.`, [
      shows('progress', mode, (shown) => ({ ...shown, merkle_root: '0'.repeat(40), ...constant[mode](shown) })),
    ]),
  ]),
].flat()
