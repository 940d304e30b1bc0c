/** Mutants of the table of modes: a success that changes nothing, and cells that should not exist. */

import type { ReplicationKind } from '../../../kernel/cluster/cluster-role.ts'
import type { Mutant } from '../../../kernel/contracts.ts'
import type { ReplicationTables } from '../tables/index.ts'
import { type Cell, type Mode, type Trigger, transitions, triggers } from '../tables/transitions.ts'
import { type Change, inTransitions, kinds, ofBoth, ofKind, together } from './cells.ts'

const nameOf: Readonly<Record<Trigger, string>> = {
  'primary/enable': 'primary-enable',
  'primary/demote': 'primary-demote',
  'primary/disable': 'primary-disable',
  'secondary/enable': 'secondary-enable',
  'secondary/promote': 'promote',
  'secondary/update-primary': 'update-primary',
  'secondary/forget-primary': 'blank-token',
  'secondary/disable': 'secondary-disable',
}

/** The ids are like `demote-changes-nothing`. */
const unmoved = (Object.entries(transitions) as [Mode, (typeof transitions)[Mode]][]).flatMap(([mode, row]) =>
  (Object.keys(row) as Trigger[])
    .filter((trigger) => trigger !== 'secondary/forget-primary')
    .flatMap((trigger) =>
      ofBoth(
        `${trigger === 'primary/demote' ? 'demote' : nameOf[trigger]}-changes-nothing`,
        `${trigger} in mode ${mode} answers a success and changes nothing.`,
        inTransitions(mode, trigger, 'unchanged'),
      ),
    ),
)

/** A DR secondary answers these endpoints, too, for anyone. */
const served =
  (trigger: Trigger): Change =>
  (tables) => ({
    ...tables,
    paths: {
      servedOnDrSecondary: (path) => path === `sys/replication/dr/${trigger}` || tables.paths.servedOnDrSecondary(path),
    },
  })

const illegal = (kind: ReplicationKind, mode: Mode, trigger: Trigger): readonly Mutant<ReplicationTables>[] => {
  const change = (cell: Cell): Change => together(inTransitions(mode, trigger, cell), served(trigger))
  const id = `${mode}-${nameOf[trigger]}`
  const wrong = moves[mode][trigger]
  return [
    ...(wrong ? [ofKind(kind, `${id}-moves`, `${trigger} in mode ${mode} ${wrong.does}.`, change(wrong.cell))] : []),
    ofKind(
      kind,
      `${id}-succeeds`,
      `${trigger} in mode ${mode} answers a success and changes nothing.`,
      change('unchanged'),
    ),
  ]
}

const to = (mode: Mode): { readonly does: string; readonly cell: Cell } => ({ does: `makes it ${mode}`, cell: mode })
const renamed: { readonly does: string; readonly cell: Cell } = {
  does: 'gives the primary a new cluster id',
  cell: { to: 'primary', also: { clusterId: 'new' } },
}

/** The mode to which a trigger leads that should be refused. */
const moves: Readonly<Record<Mode, Partial<Record<Trigger, { readonly does: string; readonly cell: Cell }>>>> = {
  disabled: {
    'primary/demote': to('secondary'),
    'primary/disable': to('primary'),
    'secondary/promote': to('primary'),
    'secondary/update-primary': to('secondary'),
    'secondary/disable': to('primary'),
  },
  primary: {
    'primary/enable': renamed,
    'secondary/enable': to('secondary'),
    'secondary/promote': renamed,
    'secondary/update-primary': to('secondary'),
    'secondary/disable': to('disabled'),
  },
  secondary: {
    'primary/enable': to('primary'),
    'primary/demote': to('disabled'),
    'primary/disable': to('disabled'),
    'secondary/enable': to('secondary'),
  },
}

/** If a disabled cluster stays disabled, a success shows nothing. */
const idle: readonly Trigger[] = ['primary/disable', 'secondary/disable']

const illegals = kinds.flatMap((kind) =>
  (['disabled', 'primary', 'secondary'] as const).flatMap((mode) =>
    triggers
      .filter((trigger) => trigger !== 'secondary/forget-primary' && transitions[mode][trigger] === undefined)
      .flatMap((trigger) =>
        illegal(kind, mode, trigger).filter(
          ({ id }) => !(mode === 'disabled' && idle.includes(trigger) && id.endsWith('-succeeds')),
        ),
      ),
  ),
)

const costly = ofBoth(
  'primary-secondary-enable-wipes',
  'secondary/enable in mode primary is refused, and mounts are gone.',
  inTransitions('primary', 'secondary/enable', 'refused-and-wiped'),
)

export const modeFaults: readonly Mutant<ReplicationTables>[] = [...unmoved, ...illegals, ...costly]
