/** Makes mutants that change one cell of the ceremony on DR secondaries. The ceremony that makes root tokens has no
 * mutants. */
import type { Mutant } from '../../../kernel/contracts.ts'
import type {
  AttemptField,
  AttemptReply,
  AttemptState,
  AttemptTables,
  CeremonyTables,
  Shown,
  Transitions,
} from '../tables.ts'

type Change = (tables: AttemptTables) => Partial<AttemptTables>

export const ofAttempts = (
  id: string,
  does: string,
  change: Change | Partial<AttemptTables>,
): Mutant<CeremonyTables> => ({
  id: `dr-replication/${id}`,
  does,
  change(tables) {
    const before = tables.attempts['operation token']
    const changed = { ...before, ...(typeof change === 'function' ? change(before) : change) }
    return { ...tables, attempts: { ...tables.attempts, 'operation token': changed } }
  },
})

export const row =
  (state: AttemptState, cells: Transitions[AttemptState]): Change =>
  ({ transitions }) => ({ transitions: { ...transitions, [state]: { ...transitions[state], ...cells } } })

export const shows =
  (field: AttemptField, replies: readonly AttemptReply[], show: Shown): Change =>
  ({ shown }) => ({
    shown: { ...shown, [field]: { ...shown[field], ...Object.fromEntries(replies.map((reply) => [reply, show])) } },
  })
