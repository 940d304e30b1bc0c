/** Faults of the table of modes: legal transitions that change nothing, and illegal transitions that succeed. */

import {
  type Cell,
  type Mode,
  type Trigger,
  transitions,
  triggers,
} from '../../engines/replication/rules/transitions.ts'
import type { ReplicationKind } from '../../kernel/cluster/cluster-role.ts'
import { type Change, inTransitions, kinds, ofBoth, ofKind, together } from './cluster-operations.ts'

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
const ineffective = (Object.entries(transitions) as [Mode, (typeof transitions)[Mode]][]).flatMap(([mode, row]) =>
  (Object.keys(row) as Trigger[])
    .filter((trigger) => trigger !== 'secondary/forget-primary')
    .flatMap((trigger) =>
      ofBoth(
        `${trigger === 'primary/demote' ? 'demote' : nameOf[trigger]}-changes-nothing`,
        `${trigger} in mode ${mode} succeeds but changes nothing.`,
        inTransitions(mode, trigger, 'unchanged'),
      ),
    ),
)

/** Makes a DR secondary serve the endpoint of the trigger to anyone. */
const served =
  (trigger: Trigger): Change =>
  (rules) => ({
    ...rules,
    paths: {
      servedOnDrSecondary: (path) => path === `sys/replication/dr/${trigger}` || rules.paths.servedOnDrSecondary(path),
    },
  })

const illegal = (kind: ReplicationKind, mode: Mode, trigger: Trigger) => {
  const change = (cell: Cell): Change => together(inTransitions(mode, trigger, cell), served(trigger))
  const id = `${mode}-${nameOf[trigger]}`
  const wrong = moves[mode][trigger]
  return [
    ...(wrong ? [ofKind(kind, `${id}-moves`, `${trigger} in mode ${mode} ${wrong.does}.`, change(wrong.cell))] : []),
    ofKind(kind, `${id}-succeeds`, `${trigger} in mode ${mode} succeeds but changes nothing.`, change('unchanged')),
  ]
}

const to = (mode: Mode): { readonly does: string; readonly cell: Cell } => ({
  does: `changes the mode to ${mode}`,
  cell: mode,
})
const renamed: { readonly does: string; readonly cell: Cell } = {
  does: 'gives the primary a new cluster id',
  cell: { to: 'primary', also: { clusterId: 'new' } },
}

/** What a trigger does under a mutant, in modes in which the trigger should be refused. */
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

/** On a disabled cluster, the success of these triggers without a change could not be noticed by reading the mode. */
const idle: readonly Trigger[] = ['primary/disable', 'secondary/disable']

const illegalTransitions = kinds.flatMap((kind) =>
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

const refusedButWiped = ofBoth(
  'primary-secondary-enable-wipes',
  'secondary/enable in mode primary is refused but deletes the mounts.',
  inTransitions('primary', 'secondary/enable', 'refused-and-wiped'),
)

export const modeFaults = [...ineffective, ...illegalTransitions, ...refusedButWiped]
