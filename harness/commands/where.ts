import { exitCodes } from '../vocabulary/index.ts'
import { type CommandTable, commandOf, type TabledCommand } from './options/flag.ts'
import type { Terminal } from './output/terminal.ts'
import { counted } from './output/wording.ts'
import type { Fault, Located, Loss, Row, Where } from './where/map.ts'

const examples = `
Ids are those of checks, requirements, mutants, faults on the wire and legal differences. A glob matches checks; if it
matches none, it matches everything else.

Examples:
  assay where policies/errors/acl-create-without-policy-is-refused
  assay where 'pki/access/*'
  assay where mfa-identity.issuer.required
  assay where kernel/cut-json-is-completed --json`

const table: CommandTable = {
  name: 'where',
  says: 'show file and line of a check, its requirements, mutants and faults',
  words: { form: '<id...>', says: 'ids or globs', values: 'ids' },
  flags: { output: [{ flag: '--json', says: 'print it as JSON' }] },
  more: examples,
}

export const whereCommand = (terminal: Terminal, settle: (code: number) => void): TabledCommand =>
  commandOf<{ readonly json?: boolean }>(table, async ({ json = false }, words) => {
    const { whereIs } = await import('./where/map.ts')
    const found = await whereIs(words)
    if (json) terminal.json(found, 2)
    else for (const line of linesOf(found)) terminal.out(line)
    settle(exitCodes.conformant)
  })

const at = ({ definedAt }: { readonly definedAt: string | undefined }): string => definedAt ?? 'place unknown'
const line = (kind: string, one: Located, more = ''): string => `    ${kind} ${one.id}${more}  ${at(one)}`

const ofRow = (row: Row): string[] => [
  line('requirement', row, ` (${row.level})`),
  `        ${row.says}  — ${row.source}`,
]
const ofFault = (fault: Fault): string[] => [
  line('fault', fault),
  ...(fault.excuse ? [`        excused at ${at(fault.excuse)}: ${fault.excuse.reason}`] : []),
]
const ofLoss = ({ id, check, verdict, why, definedAt }: Loss): string[] => [
  `    loss under ${id}: ${check} is ${verdict}  ${at({ definedAt })}`,
  `        ${why}`,
]

function linesOf({ checks, requirements, mutants, faults, differences }: Where): readonly string[] {
  const head = (kind: string, one: Located): string => `${kind} ${one.id}  ${at(one)}`
  const ofChecks = (ones: readonly Located[]): string[] => ones.map((one) => line('check', one))
  const count = [checks, requirements, mutants, faults, differences].reduce((sum, { length }) => sum + length, 0)
  return [
    ...checks.flatMap((one) => [
      head('check', one),
      ...one.requirements.flatMap(ofRow),
      ...one.mutants.map((mutant) => line('mutant', mutant)),
      ...one.faults.flatMap(ofFault),
      ...one.losses.flatMap(ofLoss),
    ]),
    ...requirements.flatMap((one) => [
      head('requirement', one),
      `    ${one.says}  — ${one.source}`,
      ...ofChecks(one.checks),
      ...one.faults.flatMap(ofFault),
    ]),
    ...mutants.flatMap((one) => [head('mutant', one), `    ${one.does}`, ...ofChecks(one.checks)]),
    ...faults.flatMap((one) => [
      `fault ${one.id}`,
      `    ${one.says}`,
      ...ofFault(one).slice(1),
      ...one.requirements.flatMap(ofRow),
      ...ofChecks(one.checks),
    ]),
    ...differences.flatMap((one) => [head('legal difference', one), `    ${one.says}`, ...one.losses.flatMap(ofLoss)]),
    '',
    counted(count, 'match', 'matches'),
  ]
}
