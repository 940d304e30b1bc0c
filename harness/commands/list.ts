import { scopeWords, sourceWords } from '../../reports/render/wording.ts'
import { defined } from '../vocabulary/defined.ts'
import { type Applies, type Documents, exitCodes, type Requirement, requirementsOf } from '../vocabulary/index.ts'
import { type CommandTable, commandOf, type TabledCommand } from './options/flag.ts'
import { type SelectionFlags, selectionFlags } from './options/options.ts'
import type { KnownMutant, Outline, OutlinedSelection } from './output/outline.ts'
import type { Terminal } from './output/terminal.ts'
import { counted } from './output/wording.ts'

interface ListFlags extends SelectionFlags {
  readonly requirements?: boolean
  readonly mutants?: boolean
  readonly json?: boolean
}

const examples = `
Examples:
  assay list --area policies
  assay list --check 'policies/errors/*'
  assay list --requirements                 all statements of the documents, with the checks that decide them
  assay list --mutants --area pki           the mutants of the reference server, and the checks that notice them
  assay list --json`

const table: CommandTable = {
  name: 'list',
  says: 'list checks, requirements and their rows in the documents, or mutants',
  flags: {
    selection: [
      ...selectionFlags,
      { flag: '--requirements', says: 'list requirements instead of checks' },
      {
        flag: '--mutants',
        says: 'list the mutants of the reference server instead, for "assay serve --mutant"',
        conflicts: 'requirements',
      },
    ],
    output: [{ flag: '--json', says: 'print checks and requirements (or mutants) as JSON' }],
  },
  more: examples,
}

export const listCommand = (terminal: Terminal, settle: (code: number) => void): TabledCommand =>
  commandOf<ListFlags>(table, async (flags) => {
    const { selectOutlined } = await import('./output/outline.ts')
    const { outline, selected } = await selectOutlined(flags)
    const listed = flags.mutants ? await listMutants(selected, flags) : listChecks(outline, selected, flags)
    if (flags.json) terminal.json(await listed.json(), 2)
    else terminal.outAll(listed.lines())
    settle(exitCodes.conformant)
  })

interface Listed {
  json(): object | Promise<object>
  lines(): readonly string[]
}

async function listMutants(selected: readonly OutlinedSelection[], flags: ListFlags): Promise<Listed> {
  const { loadMutants } = await import('./output/outline.ts')
  const mutants = mutantsOf(await loadMutants(), selected, flags)
  return { json: () => ({ mutants }), lines: () => ofMutants(mutants) }
}

function listChecks(
  { requirements, documents }: Outline,
  selected: readonly OutlinedSelection[],
  flags: ListFlags,
): Listed {
  const decided = new Map<string, string[]>()
  for (const { address, check } of selected)
    for (const id of requirementsOf(check)) decided.set(id, [...(decided.get(id) ?? []), address])
  const isOfArea = ({ area }: Requirement) => !flags.area || flags.area.includes(area)
  const shown = requirements.filter(
    (one) => decided.has(one.id) || (one.level === 'info' && !flags.check && isOfArea(one)),
  )
  return {
    json: async () => {
      const { loadPlaces } = await import('./output/outline.ts')
      return asJson(selected, shown, decided, await loadPlaces(flags.area))
    },
    lines: () =>
      flags.requirements ? ofRequirements(shown, decided, documents) : ofChecks(selected, shown, documents),
  }
}

function asJson(
  selected: readonly OutlinedSelection[],
  requirements: readonly Requirement[],
  decided: ReadonlyMap<string, string[]>,
  places: Readonly<Record<string, string>>,
) {
  return {
    checks: selected.map(({ topic, check, address, level }) => ({
      id: address,
      definedAt: places[address],
      level,
      area: topic.area,
      kind: topic.kind,
      safety: check.safety ?? topic.safety,
      requirements: requirementsOf(check),
      ...defined({ applies: check.applies, needs: check.needs, restsOn: check.restsOn }),
    })),
    requirements: requirements.map((one) => ({ ...one, checks: decided.get(one.id) ?? [] })),
  }
}

function ofChecks(
  selected: readonly OutlinedSelection[],
  requirements: readonly Requirement[],
  documents: Documents,
): string[] {
  const byId = new Map(requirements.map((one) => [one.id, one]))
  const lines = selected.flatMap(({ topic, check, address, level }) => {
    const duties = requirementsOf(check).flatMap((id) => byId.get(id) ?? [])
    const head = `${address}  (${level}, ${check.safety ?? topic.safety})${scopeOf(check.applies)}`
    return [head, ...duties.map((duty) => `    ${duty.says}  — ${sourceWords(duty.source, { documents })}`)]
  })
  return [...lines, '', counted(selected.length, 'check')]
}

function ofRequirements(
  requirements: readonly Requirement[],
  decided: ReadonlyMap<string, string[]>,
  documents: Documents,
): string[] {
  const lines = requirements.flatMap((one) => [
    `${one.id}  (${one.level})${scopeOf(one.applies)}`,
    `    ${one.says}  — ${sourceWords(one.source, { documents })}`,
    ...(decided.get(one.id) ?? [`never asserted: ${one.open ?? 'the documents leave it open'}`]).map(
      (id) => `    ${id}`,
    ),
  ])
  return [...lines, '', counted(requirements.length, 'requirement')]
}

type Mutant = KnownMutant & { readonly checks: readonly string[] }

/** Returns the mutants of the requested areas, and those that a selected check must notice: mutants of the kernel
 * belong to no area. */
function mutantsOf(
  all: readonly KnownMutant[],
  selected: readonly OutlinedSelection[],
  { area, check }: ListFlags,
): Mutant[] {
  const isAll = !area && !check
  const noticing = new Map<string, string[]>()
  for (const { address, check } of selected)
    for (const id of new Set(check.mutants)) noticing.set(id, [...(noticing.get(id) ?? []), address])
  return all
    .map((one) => ({ ...one, checks: noticing.get(one.id) ?? [] }))
    .filter(
      (one) =>
        isAll || one.checks.length > 0 || (!check && (area as readonly string[] | undefined)?.includes(one.area)),
    )
    .map(({ id, area, does, checks }) => ({ id, area, does, checks }))
}

function ofMutants(mutants: readonly Mutant[]): string[] {
  const lines = mutants.flatMap(({ id, area, does, checks }) => [
    `${id}  (${area})`,
    `    ${does}`,
    ...checks.map((address) => `    noticed by ${address}`),
  ])
  return [...lines, '', counted(mutants.length, 'mutant')]
}

/** Returns the targets on which a statement holds, in brackets. */
function scopeOf(applies: Applies | undefined): string {
  const words = scopeWords(applies)
  return words === '' ? '' : ` [${words}]`
}
