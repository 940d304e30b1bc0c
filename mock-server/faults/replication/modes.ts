/** Faults of the table of modes: legal transitions that change nothing, and illegal transitions that succeed. */

import { type Mode, type Trigger, transitions, triggers } from '../../engines/replication/rules/transitions.ts'
import type { ReplicationKind } from '../../kernel/cluster/cluster-role.ts'
import {
  type Change,
  changing,
  changingUnder,
  clearMounts,
  type Here,
  inEffects,
  inTransitions,
  kinds,
  ofBoth,
  ofKind,
  on,
  rule,
  together,
} from './cluster-operations.ts'

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

const isIn =
  (mode: Mode) =>
  ({ context }: Here): boolean =>
    context.membership.mode === mode
const changingNothing = (mode: Mode, trigger: Trigger) => changing(trigger, 'mode', () => {}, isIn(mode))

/** The ids are like `demote-changes-nothing`. */
const ineffective = (Object.entries(transitions) as [Mode, (typeof transitions)[Mode]][]).flatMap(([mode, row]) =>
  (Object.keys(row) as Trigger[])
    .filter((trigger) => trigger !== 'secondary/forget-primary')
    .flatMap((trigger) =>
      ofBoth(
        `${trigger === 'primary/demote' ? 'demote' : nameOf[trigger]}-changes-nothing`,
        `${trigger} in mode ${mode} succeeds but changes nothing.`,
        [changingNothing(mode, trigger)],
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
  const leadsTo = (next: Mode) => rule(together(inTransitions(mode, trigger, next), served(trigger)))
  const id = `${mode}-${nameOf[trigger]}`
  const wrong = moves[mode][trigger]
  const moving = wrong && [leadsTo(wrong.next), ...(wrong.renames ? [renaming(mode, trigger)] : [])]
  return [
    ...(moving ? [ofKind(kind, `${id}-moves`, `${trigger} in mode ${mode} ${wrong.does}.`, moving)] : []),
    ofKind(kind, `${id}-succeeds`, `${trigger} in mode ${mode} succeeds but changes nothing.`, [
      leadsTo(mode),
      changingNothing(mode, trigger),
    ]),
  ]
}
const renaming = (mode: Mode, trigger: Trigger) =>
  changingUnder(trigger, 'mode', inEffects(trigger, { clusterId: 'new' }), isIn(mode))

interface Wrong {
  readonly does: string
  readonly next: Mode
  readonly renames?: true
}
const to = (next: Mode): Wrong => ({ does: `changes the mode to ${next}`, next })
const renamed: Wrong = { does: 'gives the primary a new cluster id', next: 'primary', renames: true }

/** What a trigger does under a fault, in modes in which the trigger should be refused. */
const moves: Readonly<Record<Mode, Partial<Record<Trigger, Wrong>>>> = {
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
  [
    on(
      'secondary/enable',
      (_, here) => isIn('primary')(here),
      (call, next, { context }) => {
        clearMounts(context)
        return next(call)
      },
    ),
  ],
)

export const modeFaults = [...ineffective, ...illegalTransitions, ...refusedButWiped]
