/** Tells which flags of `assay selftest` go together. */
import type { ResolvedTarget } from '../../targets/target.ts'
import { UsageError } from '../../targets/usage-error.ts'
import type { SelftestFlags } from './flags.ts'

const hasNothingToUpdate = ({ faults, mutants, update }: SelftestFlags, target: ResolvedTarget | undefined): boolean =>
  update === true && (target !== undefined || !(faults || mutants))

/** Returns, for each rule about flags that do not go together, whether it is broken, and what to do. */
function rulesFor(flags: SelftestFlags, target: ResolvedTarget | undefined): readonly (readonly [unknown, string])[] {
  const { faults, legal, history, drawn, check } = flags
  const isHere = faults && !target
  const some = (...names: readonly (keyof SelftestFlags)[]) => names.some((name) => flags[name])
  return [
    [
      target && (!faults || some('mutants', 'vary', 'legal', 'history')),
      'with a target, only faults on the wire can be played: use --faults alone, or leave the target out',
    ],
    [flags.out !== undefined && !faults, '--out is for --faults: add it, or redirect the output'],
    [
      hasNothingToUpdate(flags, target),
      '--update is for --faults and --mutants on the reference server: add one of them, or leave it out',
    ],
    [!target && flags.difference && !legal, '--difference is for --legal: add it, or leave it out'],
    [flags.rows && !isHere, '--rows is for --faults on the reference server: add --faults, or leave it out'],
    [
      drawn && (target || some('faults', 'mutants', 'vary', 'legal', 'check')),
      '--drawn goes only with --area, --seed and --json: leave the other flags out',
    ],
    [
      legal && some('faults', 'mutants', 'vary'),
      '--legal is a proof of its own: leave --faults, --mutants and --vary out, and run them by themselves',
    ],
    [
      history && some('faults', 'mutants', 'vary', 'legal', 'drawn'),
      '--history goes only with --area, --check and --json: leave the other flags out',
    ],
    [flags.seed && !drawn, '--seed is for --drawn: add it, or leave it out'],
    // Some checks alone would leave most faults unnoticed.
    [check && faults, '--check is not for --faults: choose an area with --area, or leave it out'],
  ]
}

/** Throws `UsageError` if flags do not go together. */
export function assertTogether(flags: SelftestFlags, target: ResolvedTarget | undefined): void {
  const [broken] = rulesFor(flags, target).filter(([isBroken]) => isBroken)
  if (broken) throw new UsageError(broken[1])
}
