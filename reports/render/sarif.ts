import type { CheckResult, ResultDocument, RunWord, Verdict } from '../../harness/vocabulary/index.ts'
import { oneLine, shorten, visible } from './escape.ts'
import { reasonAndMend, sourceWords, wantedSaw } from './wording.ts'

/** The kind and level of a result in SARIF. A kind other than `fail` must have the level `none`. */
const kindAndLevel: Partial<Record<Verdict, { readonly kind: string; readonly level: string }>> = {
  fail: { kind: 'fail', level: 'error' },
  warn: { kind: 'fail', level: 'warning' },
  accepted: { kind: 'fail', level: 'note' },
  'not-verified': { kind: 'open', level: 'none' },
  error: { kind: 'open', level: 'none' },
}

/** Verdicts of runs that went to their end and left nothing behind. */
const wholeRuns: ReadonlySet<RunWord> = new Set(['conformant', 'non-conformant', 'outdated', 'regressed'])

/** SARIF 2.1.0: a result for each check that a reader must act on, and their requirements as rules. */
export function renderSarif(document: ResultDocument): string {
  const reported = document.checks.filter(({ verdict }) => kindAndLevel[verdict])
  const known = new Set(document.register.requirements.map(({ id }) => id))
  const rules = new Set(reported.map((check) => check.requirements.find((id) => known.has(id))))
  const requirements = document.register.requirements.filter(({ id }) => rules.has(id))
  const ruleIndex = new Map(requirements.map((requirement, at) => [requirement.id, at]))
  const causeOf = new Map(document.causes.flatMap(({ says, checks }) => checks.map((id) => [id, says])))
  const sarif = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: document.suite.name,
            version: document.suite.version,
            rules: requirements.map((requirement) => ({
              id: requirement.id,
              shortDescription: { text: text(requirement.says, 300) },
              help: { text: text(`${requirement.says} (${sourceWords(requirement.source, document.register)})`, 2000) },
              defaultConfiguration: {
                level: requirement.level === 'must' ? 'error' : requirement.level === 'should' ? 'warning' : 'none',
              },
              properties: {
                area: requirement.area,
                level: requirement.level,
                tags: [requirement.area, requirement.level],
              },
            })),
          },
        },
        automationDetails: { id: `${document.suite.name}/${document.run.id}` },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: wholeRuns.has(document.verdict.word),
            exitCode: document.verdict.exitCode,
            exitCodeDescription: text(`${document.verdict.title}: ${document.verdict.headline}`, 2000),
            toolExecutionNotifications: document.verdict.reasons.map(({ code, says, mend }) => ({
              descriptor: { id: `assay/${code}` },
              level: 'error',
              message: { text: text(`${says} ${mend}`, 2000) },
            })),
            startTimeUtc: document.run.startedAt,
            endTimeUtc: document.run.finishedAt,
          },
        ],
        properties: {
          target: document.target.url,
          version: document.target.facts.version ?? null,
          edition: document.target.facts.edition ?? null,
          verdict: document.verdict.title,
          headline: document.verdict.headline,
          notes: document.verdict.notes,
          counts: document.counts,
        },
        results: reported.map((check) => result(check, ruleIndex, causeOf.get(check.id))),
      },
    ],
  }
  return `${JSON.stringify(sarif, null, 2)}\n`
}

function result(check: CheckResult, ruleIndex: ReadonlyMap<string, number>, cause: string | undefined): object {
  const rule = check.requirements.find((id) => ruleIndex.has(id))
  return {
    ...(rule === undefined ? {} : { ruleId: rule, ruleIndex: ruleIndex.get(rule) }),
    ...kindAndLevel[check.verdict],
    message: { text: message(check) },
    locations: [
      {
        physicalLocation: physicalLocation(check),
        logicalLocations: [{ fullyQualifiedName: visible(check.id), kind: 'member' }],
      },
    ],
    partialFingerprints: { 'check/v1': visible(check.id) },
    ...(check.accepted
      ? { suppressions: [{ kind: 'external', justification: text(check.accepted.reason, 1000) }] }
      : {}),
    properties: {
      ...{ verdict: check.verdict, area: check.area, kind: check.kind, level: check.level },
      ...(cause === undefined ? {} : { cause: text(cause, 1000) }),
    },
  }
}

/** Returns where the check is written: viewers show nothing without a file. */
function physicalLocation({ topic, definedAt = '' }: CheckResult): object {
  const [, file = `suites/${topic}.ts`, line = '1'] = /^(.+):(\d+)$/.exec(definedAt) ?? []
  return { artifactLocation: { uri: encodeURI(visible(file)) }, region: { startLine: Number(line) } }
}

function message(check: CheckResult): string {
  const { blocker } = check
  if (blocker) return text(`${check.id}: ${reasonAndMend(blocker)}`, 2000)
  const differences = check.mismatches.map(
    (one) =>
      `${one.asked}: ${wantedSaw({ at: one.at, wanted: shorten(oneLine(one.wanted), 500), saw: shorten(oneLine(one.saw), 500) })}`,
  )
  return text(`${check.id}: ${differences.join(' | ') || check.verdict}`, 4000)
}

const text = (words: string, limit: number): string => shorten(visible(words), limit) || '(no text)'
