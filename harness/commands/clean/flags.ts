import type { TargetFlags } from '../options/options.ts'

export interface CleanFlags extends TargetFlags {
  readonly out: string
  readonly run?: string
  readonly dryRun?: boolean
  readonly trustJournal?: boolean
  readonly json?: boolean
}
