/** Says what a run will do, and to which server, if nobody typed its address. */
import { variableLines } from '../../profile/sources.ts'
import type { ResolvedTarget } from '../../targets/target.ts'
import { advised } from '../../vocabulary/index.ts'
import { wishedCeiling } from './ceiling.ts'
import type { RunFlags } from './flags.ts'

const deeds = {
  'read-only': 'only reads',
  scoped: 'creates, changes and deletes objects of its own (named assay-…), and takes them back',
  disruptive: 'may change what others share, and wipe clusters that the profile allows to be wiped',
} as const

export function intentLines(target: ResolvedTarget, flags: RunFlags): readonly string[] {
  const { namedBy } = flags
  if (namedBy === undefined) return variableLines(target)
  return [
    `judging ${target.url}, which is named by ${namedBy}: this run ${deeds[wishedCeiling(flags, false)]} there`,
    `to see every request before it is sent: ${advised.plan()}; to judge the embedded reference server instead: ${advised.embedded()}`,
    ...variableLines(target),
  ]
}
