import type { Area } from '../../vocabulary/index.ts'
import type { TargetFlags } from '../options/options.ts'

export interface SelftestFlags extends TargetFlags {
  readonly mutants?: boolean
  readonly vary?: readonly [number, number]
  readonly faults?: boolean
  readonly legal?: boolean
  readonly history?: boolean
  readonly drawn?: number
  readonly seed?: number
  readonly difference?: readonly string[]
  readonly check?: readonly string[]
  readonly area?: readonly Area[]
  readonly update?: boolean
  readonly rows?: number
  readonly out?: string
  readonly json?: boolean
}
