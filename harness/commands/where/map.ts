/** Connects a check, the rows that it decides, the faults that concern it, and the file and line of each. */
import { matchesGlob } from 'node:path'
import { laws } from '../../../fixtures/api/index.ts'
import { callSitesOf } from '../../../fixtures/api/statements.ts'
import { sourceWords } from '../../../reports/render/wording.ts'
import { differences } from '../../../suites/differences/index.ts'
import { faultExcuses, wireFaults } from '../../../suites/faults.ts'
import { globTest } from '../../select/glob.ts'
import { didYouMean, nearest } from '../../select/nearest.ts'
import { knownMutants } from '../../targets/mock.ts'
import { UsageError } from '../../targets/usage-error.ts'
import {
  addressOf,
  advised,
  type Check,
  type Difference,
  type Requirement,
  requirementsOf,
  type WireFault,
} from '../../vocabulary/index.ts'
import { loadCatalog } from '../catalog.ts'
import { placeOfCall, placeOfText } from './sources.ts'

/** Something with an id, and its file and line: `suites/policies/errors.ts:36`. */
export interface Located {
  readonly id: string
  readonly definedAt: string | undefined
}

export interface Row extends Located {
  readonly level: string
  readonly says: string
  /** Document, section and row. */
  readonly source: string
}

export interface Fault extends Located {
  readonly says: string
  readonly excuse?: { readonly reason: string; readonly definedAt: string | undefined }
}

/** `id` is the id of the legal difference. */
export interface Loss extends Located {
  readonly check: string
  readonly verdict: string
  readonly why: string
}

export interface Where {
  readonly checks: readonly (Located & {
    readonly requirements: readonly Row[]
    readonly mutants: readonly Located[]
    readonly faults: readonly Fault[]
    readonly losses: readonly Loss[]
  })[]
  readonly requirements: readonly (Row & { readonly checks: readonly Located[]; readonly faults: readonly Fault[] })[]
  readonly mutants: readonly (Located & { readonly does: string; readonly checks: readonly Located[] })[]
  readonly faults: readonly (Fault & { readonly requirements: readonly Row[]; readonly checks: readonly Located[] })[]
  readonly differences: readonly (Located & { readonly says: string; readonly losses: readonly Loss[] })[]
}

interface AddressedCheck {
  readonly id: string
  readonly check: Check
}

const located = ({ id, check }: AddressedCheck): Located => ({ id, definedAt: placeOfCall(check.madeBy, check.id) })

/** The engines write the ids of their mutants with or without their area. */
export const placeOfMutant = (id: string): string | undefined => {
  const [area = '', local = ''] = id.split('/')
  return placeOfText('mock-server', [id, local], area)
}

const lossesOf = ({ id, losses = [] }: Difference, matches: (check: string) => boolean = () => true): readonly Loss[] =>
  losses
    .filter(({ check }) => matches(check))
    .map((loss) => ({ id, definedAt: placeOfText('suites/differences', [loss.check]), ...loss }))

/** A glob for all checks names no check in particular. */
const isNamedBy = (id: string, glob: string): boolean => /\w/.test(glob) && matchesGlob(id, glob)

/** Matches an excuse in the same way as `selftest --faults` does. */
const isExcusedBy = (id: string, glob: string): boolean => id === glob || matchesGlob(id, glob)

async function openMap() {
  const catalog = await loadCatalog()
  const mutants = await knownMutants()
  const checks: readonly AddressedCheck[] = catalog.topics.flatMap(({ topic }) =>
    topic.checks.map((check) => ({ id: addressOf(topic, check), check })),
  )
  const calls = new Map(laws.flatMap((law) => [...callSitesOf(law)]))
  const faults = wireFaults()
  const requirementById = new Map(catalog.requirements.map((one) => [one.id, one]))
  const decides = (ids: readonly string[]) =>
    checks.filter(({ check }) => requirementsOf(check).some((id) => ids.includes(id)))
  const local = ({ id, area }: Requirement): string => id.slice(area.length + 1)
  const row = (one: Requirement): Row => ({
    id: one.id,
    level: one.level,
    says: one.says,
    source: sourceWords(one.source, catalog),
    definedAt: placeOfCall(calls.get(one.id), local(one)),
  })
  const rowsOf = (ids: readonly string[]): readonly Row[] => ids.flatMap((id) => requirementById.get(id) ?? []).map(row)
  const fault = ({ id, says, rows: [first = ''] }: WireFault): Fault => {
    const excuse = faultExcuses.find((one) => isExcusedBy(id, one.fault))
    return {
      id,
      says,
      definedAt: rowsOf([first])[0]?.definedAt,
      ...(excuse ? { excuse: { reason: excuse.reason, definedAt: placeOfText('suites/faults', [excuse.fault]) } } : {}),
    }
  }
  const faultsOf = (ids: readonly string[]) => faults.filter(({ rows }) => rows.some((id) => ids.includes(id)))
  return {
    checks: {
      ids: checks.map(({ id }) => id),
      describe: (selected: ReadonlySet<string>): Where['checks'] =>
        checks
          .filter(({ id }) => selected.has(id))
          .map((one) => ({
            ...located(one),
            requirements: rowsOf(requirementsOf(one.check)),
            mutants: one.check.mutants.map((id) => ({ id, definedAt: placeOfMutant(id) })),
            faults: faultsOf(requirementsOf(one.check)).map(fault),
            losses: differences.flatMap((difference) => lossesOf(difference, (glob) => isNamedBy(one.id, glob))),
          })),
    },
    requirements: {
      ids: catalog.requirements.map(({ id }) => id),
      describe: (selected: ReadonlySet<string>): Where['requirements'] =>
        catalog.requirements
          .filter(({ id }) => selected.has(id))
          .map((one) => ({
            ...row(one),
            checks: decides([one.id]).map(located),
            faults: faultsOf([one.id]).map(fault),
          })),
    },
    mutants: {
      ids: mutants.map(({ id }) => id),
      describe: (selected: ReadonlySet<string>): Where['mutants'] =>
        mutants
          .filter(({ id }) => selected.has(id))
          .map(({ id, does }) => ({
            ...{ id, does, definedAt: placeOfMutant(id) },
            checks: checks.filter(({ check }) => check.mutants.includes(id)).map(located),
          })),
    },
    faults: {
      ids: faults.map(({ id }) => id),
      describe: (selected: ReadonlySet<string>): Where['faults'] =>
        faults
          .filter(({ id }) => selected.has(id))
          .map((one) => ({ ...fault(one), requirements: rowsOf(one.rows), checks: decides(one.rows).map(located) })),
    },
    differences: {
      ids: differences.map(({ id }) => id),
      describe: (selected: ReadonlySet<string>): Where['differences'] =>
        differences
          .filter(({ id }) => selected.has(id))
          .map((one) => ({
            ...{ id: one.id, says: one.says, definedAt: placeOfText('suites/differences', [one.id]) },
            losses: lossesOf(one),
          })),
    },
  }
}

/** Returns everything with one of these ids. A glob matches checks; if it matches none, it matches everything else.
 * Throws `UsageError` with similar ids if nothing matches. */
export async function whereIs(words: readonly string[]): Promise<Where> {
  const { checks, ...others } = await openMap()
  const everyId = [...checks.ids, ...Object.values(others).flatMap(({ ids }) => ids)]
  const selected = new Set(words.flatMap((word) => matchedBy(word, checks.ids, everyId)))
  return {
    checks: checks.describe(selected),
    requirements: others.requirements.describe(selected),
    mutants: others.mutants.describe(selected),
    faults: others.faults.describe(selected),
    differences: others.differences.describe(selected),
  }
}

function matchedBy(word: string, checks: readonly string[], everyId: readonly string[]): readonly string[] {
  if (everyId.includes(word)) return [word]
  const test = globTest(word)
  const found = [checks, everyId].map((ids) => ids.filter(test)).find(({ length }) => length > 0)
  if (found) return found
  const near = nearest(word, everyId)
  throw new UsageError(
    `"${word}" matches no check, requirement, mutant, fault or legal difference${didYouMean(near, `: see "${advised.checks()}" and "${advised.mutants()}"`)}`,
  )
}
