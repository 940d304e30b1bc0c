/** The steps of "How to add a check" for one check, in their order, with what it lacks in each. */
import { join, matchesGlob } from 'node:path'
import { startProvider } from '../../../fixtures/servers/provider/index.ts'
import { differences } from '../../../suites/differences/index.ts'
import { withoutTwin } from '../../../suites/without-twin.ts'
import { proveLegal } from '../../differences/proof.ts'
import { linesOf } from '../../differences/table.ts'
import { type SelftestOptions, selftest } from '../../mutation/selftest.ts'
import { findText } from '../../safety/files.ts'
import { didYouMean, nearest } from '../../select/nearest.ts'
import { knownMutants } from '../../targets/mock.ts'
import { UsageError } from '../../targets/usage-error.ts'
import { addressOf, type Check, lacksTwin, type Requirement, requirementsOf } from '../../vocabulary/index.ts'
import { loadCatalog } from '../catalog.ts'
import { chosenTopics } from '../selftest/chosen-topics.ts'
import { packageRoot } from '../version.ts'

export interface VettedStep {
  readonly step: string
  readonly says?: string
  /** Sentences that say what to do. */
  readonly lacks: readonly string[]
}

const seeds = [1, 20] as const
const idsFile = { what: 'a snapshot of ids', most: 10_000_000, mend: 'restore it from the history', mayBeEmpty: true }

export const rowStep = (check: Check, requirements: readonly Requirement[]): VettedStep => {
  const known = new Map(requirements.map((one) => [one.id, one]))
  const lacks = requirementsOf(check).flatMap((id) => {
    const row = known.get(id)
    if (row?.level === 'info') return [`${id} is left open by the documents (info), so no check may decide it`]
    return row ? [] : [`there is no row ${id}${didYouMean(nearest(id, known.keys()))}; add it to fixtures/api/`]
  })
  return { step: 'row', says: requirementsOf(check).join(', '), lacks }
}

export function controlStep(check: Check, address: string): VettedStep {
  const step = 'control'
  if (check.control) return { step, says: `${check.control.method} ${check.control.path} succeeds`, lacks: [] }
  if (!lacksTwin(check)) return { step, says: 'not needed', lacks: [] }
  const stated = withoutTwin.find((one) => matchesGlob(address, one.check))
  if (stated) return { step, says: stated.why, lacks: [] }
  return { step, lacks: ['add `control`: the same request, with the one part that makes it refused put right'] }
}

/** Replies with these statuses refuse, but a status alone does not show that nothing has changed. */
const isBareRefusal = ({ words }: Check['then'][number]): boolean => /^the status is (?:4\d\d|5\d\d)/.test(words)

export function witnessStep({ then, when }: Check): VettedStep {
  const step = 'witness'
  const refusals = then.filter(({ refuses }) => refuses)
  if (refusals.length > 0) return { step, says: refusals.map(({ words }) => words).join('; '), lacks: [] }
  const changes = when.kind === 'exchange' && when.method !== 'GET' && when.method !== 'LIST'
  return changes && then.every(isBareRefusal)
    ? { step, lacks: ['a refusal needs a witness of what must stay: `refused(witness)`, or `refused(unseen("why"))`'] }
    : { step, says: 'not needed', lacks: [] }
}

/** `others` are the mutants that each other check names. A mutant of its own is not demanded, because a fault of one rule is
 * often met on many ways; but where a check names no more than another one does, its author has to know that other. */
export function mutantStep(
  check: Check,
  known: readonly string[],
  others: ReadonlyMap<string, readonly string[]>,
): VettedStep {
  const step = 'mutants'
  const namedByOthers = new Set([...others.values()].flat())
  const own = check.mutants.filter((id) => !namedByOthers.has(id))
  const [wider] = [...others].find(([, ids]) => check.mutants.every((id) => ids.includes(id))) ?? []
  const hint = wider === undefined ? '' : `; ${wider} names all of them, so see whether one check is enough`
  const says = `${check.mutants.length} named, of which ${own.length} by no other check${hint}`
  if (check.mutants.length === 0)
    return { step, lacks: ['record the faults that it notices: `assay selftest --mutants --update --check <address>`'] }
  const unknown = check.mutants.filter((id) => !known.includes(id))
  return {
    step,
    says,
    lacks: unknown.map((id) => `there is no mutant ${id}${didYouMean(nearest(id, known))}; add it to the engine`),
  }
}

export function snapshotStep(address: string, snapshot: string | undefined): VettedStep {
  const step = 'snapshot of ids'
  if (snapshot === undefined) return { step, says: 'there is none here, because this is no checkout', lacks: [] }
  return snapshot.split('\n').includes(address)
    ? { step, lacks: [] }
    : { step, lacks: ['write it: npx vitest run suites/catalog-consistency.test.ts -u'] }
}

/** Yields each step when it is done: those that only read first, then those that judge. Throws `UsageError` unless the
 * address is that of one check. */
export async function* stepsOf(
  address: string,
  onProgress: (text: string) => void,
  signal: AbortSignal,
): AsyncGenerator<VettedStep> {
  const chosen = await chosenTopics({ check: [address] })
  const { topics, requirements, lists, spellings, leftOut } = chosen
  const [check, second] = topics.flatMap((topic) => topic.checks)
  if (!check || second) throw new UsageError(`"${address}" matches several checks: give the address of one`)
  const catalog = await loadCatalog()
  const others = new Map(
    catalog.topics.flatMap(({ topic }) => topic.checks.map((one) => [addressOf(topic, one), one.mutants] as const)),
  )
  others.delete(address)
  const mutants = (await knownMutants()).map(({ id }) => id)
  yield rowStep(check, requirements)
  yield controlStep(check, address)
  yield witnessStep(check)
  yield mutantStep(check, mutants, others)
  const provider = await startProvider()
  const { iam, sts, control } = provider
  const provides = { provider: { iam, sts, control } }
  try {
    const prove = (more: Pick<SelftestOptions, 'mutants' | 'vary' | 'isPlainProven'>) =>
      selftest({ topics, requirements, isPart: true, provides, onProgress, signal, ...more })
    const { json } = await prove({ mutants: true })
    yield { step: 'passes on the reference server', lacks: json.baseline.map((one) => `${one.verdict}: ${one.why}`) }
    const { problems = [], killed = 0, named = 0 } = json.mutants ?? {}
    yield { step: 'notices its mutants', says: `${killed} of ${named}`, lacks: problems.map(({ text }) => text) }
    const { variations } = (await prove({ vary: seeds, isPlainProven: true })).json
    yield {
      step: `passes under variations ${seeds.join(' to ')}`,
      lacks: (variations?.troubles ?? []).map((one) => `seed ${one.seed}: ${one.verdict}: ${one.why}`),
    }
    const legal = await proveLegal({
      ...{ differences, topics, requirements, lists, spellings, leftOut, provides, onProgress, signal },
    })
    const open = legal.changes.filter(({ stated }) => stated === undefined)
    yield { step: 'passes under legal differences', lacks: open.length === 0 ? [] : linesOf(legal) }
  } finally {
    await provider.close()
  }
  const file = join(packageRoot, 'suites/ids.snapshot.txt')
  yield snapshotStep(address, findText(file, idsFile))
}
