import { Command, Option } from 'commander'
import { exitCodes, requirementsOf, type SafetyClass, safetyClasses } from '../vocabulary/index.ts'
import { type SelectionFlags, selectionOptions } from './options.ts'
import type { PlanRow } from './plan/plan.ts'
import type { Terminal } from './terminal.ts'
import { columns, counted } from './wording.ts'

export interface PlanFlags extends SelectionFlags {
  readonly profile?: string
  readonly safety: SafetyClass
  readonly policy?: boolean
  readonly json?: boolean
}

const examples = `
Sends nothing. Throw-away names stand as "assay-*", ids that the server makes as "+".

Examples:
  assay plan --area policies
  assay plan --profile staging.yaml          leaves out what its declared facts rule out
  assay plan --area policies --policy > assay.hcl`

export const planCommand = (terminal: Terminal, settle: (code: number) => void): Command =>
  selectionOptions(new Command('plan'))
    .description('show what a run would do, and the policy that its token needs')
    .option('--profile <file>', 'a YAML file that describes the target: its declared facts')
    .addOption(new Option('--safety <class>', 'the most a check may touch').choices(safetyClasses).default('scoped'))
    .option('--policy', 'print the least ACL policy instead, in HCL')
    .option('--json', 'print checks, touches and policy as JSON')
    .addHelpText('after', examples)
    .action(async (flags: PlanFlags) => {
      const { planFor } = await import('./plan/plan.ts')
      const { rows, policy } = await planFor(flags, terminal.env)
      if (flags.json) terminal.out(JSON.stringify({ checks: rows.map(plain), policy }, null, 2))
      else if (flags.policy) terminal.out(policy.trimEnd())
      else for (const line of described(rows)) terminal.out(line)
      settle(exitCodes.conformant)
    })

const plain = ({ address, safety, check, touches }: PlanRow) => ({
  id: address,
  requirements: requirementsOf(check),
  safety,
  touches,
})

function described(rows: readonly PlanRow[]): string[] {
  const checks = rows.flatMap(({ address, safety, touches }) => [
    `${address}  (${safety})`,
    ...columns(touches.map(({ method, path, as }) => [`    ${method}`, path, as === 'operator' ? '' : `as ${as}`])),
  ])
  const all = new Set(rows.flatMap(({ touches }) => touches.map(({ method, path }) => `${method} ${path}`)))
  return [
    ...checks,
    '',
    `${counted(rows.length, 'check')}, ${counted(all.size, 'method and path', 'methods and paths')}`,
  ]
}
