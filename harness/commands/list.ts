import { Command } from 'commander'
import { exitCodes, type Requirement, requirementsOf } from '../vocabulary/index.ts'
import { type Chosen, choose } from './catalog.ts'
import { type SelectionFlags, selectionOptions } from './options.ts'
import type { Terminal } from './terminal.ts'
import { counted, placeOf, scopeOf } from './wording.ts'

interface ListFlags extends SelectionFlags {
  readonly requirements?: boolean
  readonly json?: boolean
}

const examples = `
Examples:
  assay list --area policies
  assay list --check 'policies/errors/*'
  assay list --requirements                 every statement of the documents, with the checks that decide it
  assay list --json`

export const listCommand = (terminal: Terminal, settle: (code: number) => void): Command =>
  selectionOptions(new Command('list'))
    .description('list checks and requirements, with their rows in the documents')
    .option('--requirements', 'list requirements instead of checks')
    .option('--json', 'print both as JSON')
    .addHelpText('after', examples)
    .action(async (flags: ListFlags) => {
      const { catalog, chosen } = await choose(flags)
      const decided = new Map<string, string[]>()
      for (const { address, check } of chosen)
        for (const id of requirementsOf(check)) decided.set(id, [...(decided.get(id) ?? []), address])
      const shown = catalog.requirements.filter(
        ({ id, area, level }) =>
          decided.has(id) || (level === 'info' && !flags.check && (!flags.area || flags.area.includes(area))),
      )
      if (flags.json) terminal.out(JSON.stringify(asJson(chosen, shown, decided), null, 2))
      else
        for (const line of flags.requirements ? ofRequirements(shown, decided) : ofChecks(chosen, shown))
          terminal.out(line)
      settle(exitCodes.conformant)
    })

function asJson(
  chosen: readonly Chosen[],
  requirements: readonly Requirement[],
  decided: ReadonlyMap<string, string[]>,
) {
  return {
    checks: chosen.map(({ topic, check, address, level }) => ({
      id: address,
      level,
      area: topic.area,
      kind: topic.kind,
      safety: check.safety ?? topic.safety,
      requirements: requirementsOf(check),
      ...(check.applies ? { applies: check.applies } : {}),
      ...(check.needs ? { needs: check.needs } : {}),
    })),
    requirements: requirements.map((one) => ({ ...one, checks: decided.get(one.id) ?? [] })),
  }
}

function ofChecks(chosen: readonly Chosen[], requirements: readonly Requirement[]): string[] {
  const byId = new Map(requirements.map((one) => [one.id, one]))
  const lines = chosen.flatMap(({ topic, check, address, level }) => {
    const duties = requirementsOf(check).flatMap((id) => byId.get(id) ?? [])
    const head = `${address}  (${level}, ${check.safety ?? topic.safety})${scopeOf(check.applies)}`
    return [head, ...duties.map((duty) => `    ${duty.says}  — ${placeOf(duty)}`)]
  })
  return [...lines, '', counted(chosen.length, 'check')]
}

function ofRequirements(requirements: readonly Requirement[], decided: ReadonlyMap<string, string[]>): string[] {
  const lines = requirements.flatMap((one) => [
    `${one.id}  (${one.level})${scopeOf(one.applies)}`,
    `    ${one.says}  — ${placeOf(one)}`,
    ...(decided.get(one.id) ?? [`never asserted: ${one.open ?? 'the documents leave it open'}`]).map(
      (id) => `    ${id}`,
    ),
  ])
  return [...lines, '', counted(requirements.length, 'requirement')]
}
