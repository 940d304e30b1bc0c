import type { FailLevel, SafetyClass } from '../../vocabulary/index.ts'
import type { SelectionFlags, TargetFlags } from '../options/options.ts'
import type { Format } from '../output/formats.ts'

export interface Shard {
  readonly index: number
  readonly of: number
}

export interface RunFlags extends SelectionFlags, TargetFlags {
  readonly safety?: SafetyClass
  readonly allowDisruptive?: string
  readonly jobs: number
  /** True if `--jobs` was not given. */
  readonly adaptsJobs?: boolean
  readonly seed: number
  readonly out: string
  readonly format: readonly Format[]
  readonly overwrite?: boolean
  readonly shard?: Shard
  readonly accept?: string
  readonly known?: readonly string[]
  readonly baseline?: string
  readonly json?: boolean
  readonly quiet?: boolean
  /** True, or the seconds after which the target is judged even if nothing has changed. */
  readonly watch?: number | true
  readonly failFast?: boolean
  readonly lastFailed?: boolean
  readonly verbose?: boolean
  readonly timings?: boolean
  readonly literal?: boolean
  readonly plain?: boolean
  readonly ground?: 'own' | 'shared'
  readonly record?: string
  readonly history?: string
  readonly reportUrl?: string
  readonly sign?: string
  readonly failOn?: FailLevel
}
