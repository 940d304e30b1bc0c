/** Joins the results of shards into the result of the whole run. Pure. */
import { isDeepStrictEqual } from 'node:util'
import { applyAccepted, unaccepted } from '../../acceptance/apply.ts'
import { referenceName } from '../../targets/mock.ts'
import { UsageError } from '../../targets/usage-error.ts'
import { assemble, derivedCodes } from '../../verdict/document.ts'
import { toldOnce } from '../../verdict/told-once.ts'
import type { Finding, LeftOut, ResultDocument } from '../../vocabulary/index.ts'

export interface Part {
  readonly file: string
  readonly document: ResultDocument
}

/** What must be equal in all shards of one run, with its name for the error message. */
const sameness: readonly (readonly [string, (document: ResultDocument) => unknown])[] = [
  ['version of the suite', ({ suite }) => [suite.version, suite.commit]],
  ['register of requirements', ({ register }) => register.hash],
  // Each shard has its own embedded reference server, on any free port.
  ['target', ({ target }) => (target.name === referenceName ? target.name : target.url)],
  ['declared facts', ({ target }) => target.declared],
  ['observed facts', ({ target }) => target.observed],
  ['choice of checks', ({ run }) => [run.selection, run.leftOut.filter(isOfWhole)]],
  ['list of accepted findings', ({ accepted }) => accepted],
  ['seed', ({ run }) => run.seed],
  ['safety ceiling', ({ run }) => run.safety],
  ['number of shards', ({ run }) => run.shard?.of],
]

/** What a shard leaves to other shards is not left out of the whole run. */
const isOfWhole = ({ cause }: LeftOut): boolean => cause !== 'shard'

/** Throws `UsageError` for shards that are missing, duplicated or of different runs. */
export function join(parts: readonly Part[]): ResultDocument {
  assertWhole(parts)
  const documents = parts
    .map(({ document }) => document)
    .sort((a, b) => (a.run.shard?.index ?? 0) - (b.run.shard?.index ?? 0))
  const [first] = documents
  if (!first) throw new UsageError('there is nothing to merge: name the result.json of each shard')
  const byId = new Map(documents.flatMap(({ checks }) => checks.map((check) => [check.id, check])))
  const absent = first.run.selection.checks.filter((id) => !byId.has(id))
  if (absent.length > 0)
    throw new UsageError(
      `${absent[0]}${absent.length > 1 ? ` and ${absent.length - 1} more` : ''} is in no shard: run all shards again`,
    )
  // Timings are about one shard, so they stay in its own result.
  const { shard: _, conditions, timings: __, ...run } = first.run
  const times = documents.map((document) => document.run)
  const { results, outdated } = applyAccepted(
    toldOnce(unaccepted(first.run.selection.checks.flatMap((id) => byId.get(id) ?? [])), first.register.requirements),
    first.accepted,
    { today: earliest(times.map(({ startedAt }) => startedAt)).slice(0, 10) },
  )
  return assemble({
    suite: first.suite,
    requirements: first.register.requirements,
    documents: first.register.documents,
    paths: first.register.paths,
    ...(first.register.faults ? { faults: first.register.faults } : {}),
    run: {
      ...run,
      ...(conditions ? { conditions: { ...conditions, command: conditions.command.replace(/ --shard \S+/, '') } } : {}),
      id: times.map(({ id }) => id).join('+'),
      startedAt: earliest(times.map(({ startedAt }) => startedAt)),
      finishedAt: earliest(
        times.map(({ finishedAt }) => finishedAt),
        -1,
      ),
      durationMs: sum(times.map(({ durationMs }) => durationMs)),
      judgingMs: sum(times.map(({ judgingMs }) => judgingMs)),
      interrupted: times.some(({ interrupted }) => interrupted),
      leftOut: run.leftOut.filter(isOfWhole),
    },
    target: first.target,
    findings: distinct(documents.flatMap(({ findings }) => findings)).filter(
      ({ code }) => !derivedCodes.includes(code),
    ),
    checks: results,
    leftBehind: [...new Set(documents.flatMap(({ leftBehind }) => leftBehind))],
    cleanCommands: [...new Set(leftIn(documents).flatMap(({ cleanCommands = [] }) => cleanCommands))],
    lacked: [...new Set(leftIn(documents).flatMap(({ lacked = [] }) => lacked))],
    defects: findingsOf(documents, 'suite-defect').map(({ text }) => text),
    accepted: first.accepted,
    outdated,
    regressed: documents.flatMap(regressedIn),
  })
}

const regressedIn = ({ verdict }: ResultDocument): readonly string[] =>
  verdict.reasons.flatMap((reason) => (reason.code === 'regression' ? reason.facts.checks : []))

const leftIn = (documents: readonly ResultDocument[]) =>
  documents.flatMap(({ verdict }) =>
    verdict.reasons.flatMap((reason) => (reason.code === 'left-behind' ? [reason.facts] : [])),
  )

function assertWhole(parts: readonly Part[]): void {
  const [first] = parts
  const files = new Map<number, string>()
  for (const { file, document } of parts) {
    const { shard } = document.run
    if (!shard) throw new UsageError(`${file} is the result of a whole run and not of a shard: leave it out`)
    const other = files.get(shard.index)
    if (other !== undefined) throw new UsageError(`${file} and ${other} are both shard ${shard.index}: leave one out`)
    files.set(shard.index, file)
    const differing =
      first && sameness.find(([, partOf]) => !isDeepStrictEqual(partOf(document), partOf(first.document)))
    if (differing) throw new UsageError(`${file} and ${first.file} are of different runs: the ${differing[0]} differs`)
  }
  const of = first?.document.run.shard?.of ?? 0
  const missing = Array.from({ length: of }, (_, index) => index + 1).filter((index) => !files.has(index))
  if (missing.length > 0)
    throw new UsageError(`shard ${missing.join(', ')} of ${of} is missing: name its result.json too`)
}

const earliest = (times: readonly string[], at = 0): string => times.toSorted().at(at) ?? ''
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
const findingsOf = (documents: readonly ResultDocument[], wanted: string): Finding[] =>
  documents.flatMap(({ findings }) => findings.filter(({ code }) => code === wanted))
const distinct = (findings: readonly Finding[]): Finding[] => [
  ...new Map(findings.map((finding) => [`${finding.code} ${finding.text}`, finding])).values(),
]
