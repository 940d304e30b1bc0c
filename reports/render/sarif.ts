import type { CheckResult, ResultDocument, RunWord, Verdict } from '../../harness/vocabulary/index.ts'
import { oneLine, shorten, visible } from './escape.ts'
import { type Links, runLink, statementLink } from './links.ts'
import { causeWords, nameOf, reasonAndMend, sourceWords, statementOf, wantedSaw, withFullStop } from './wording.ts'

/** The kind and level of each verdict in SARIF. A kind other than `fail` requires the level `none`. */
const kindAndLevel: Partial<Record<Verdict, { readonly kind: string; readonly level: string }>> = {
  fail: { kind: 'fail', level: 'error' },
  warn: { kind: 'fail', level: 'warning' },
  accepted: { kind: 'fail', level: 'note' },
  'not-verified': { kind: 'open', level: 'none' },
  error: { kind: 'open', level: 'none' },
}

/** The verdicts of runs that completed and left nothing behind. */
const wholeRuns: ReadonlySet<RunWord> = new Set(['conformant', 'non-conformant', 'outdated', 'regressed'])

/** Renders SARIF 2.1.0, with a result for each check that a reader must act on, and their requirements as rules. */
export function renderSarif(document: ResultDocument, links: Links = {}): string {
  const reported = document.checks.filter(({ verdict }) => kindAndLevel[verdict])
  const known = new Set(document.register.requirements.map(({ id }) => id))
  const rules = new Set(reported.map((check) => ruleOf(check, known)))
  const requirements = document.register.requirements.filter(({ id }) => rules.has(id))
  const ruleIndex = new Map(requirements.map((requirement, at) => [requirement.id, at]))
  const causeOf = new Map(document.causes.flatMap((cause) => cause.checks.map((id) => [id, causeWords(cause)])))
  const sarif = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: document.suite.name,
            version: document.suite.version,
            // Without a link, the URI names the package, whose pages describe the suite.
            informationUri: runLink(links) ?? `pkg:npm/${document.suite.name}@${document.suite.version}`,
            rules: requirements.map((requirement) => ({
              id: requirement.id,
              shortDescription: { text: text(requirement.says, 300) },
              ...helpUri(links, requirement.id),
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
        results: reported.map((check) => result(check, document, ruleIndex, causeOf.get(check.id))),
      },
    ],
  }
  return `${JSON.stringify(sarif, null, 2)}\n`
}

/** Returns the requirement that a check contradicts, or else the first that it decides. */
const ruleOf = ({ breaks = [], requirements }: CheckResult, known: { has(id: string): boolean }): string | undefined =>
  [...breaks, ...requirements].find((id) => known.has(id))

function helpUri(links: Links, requirement: string): object {
  const uri = statementLink(links, requirement)
  return uri === undefined ? {} : { helpUri: uri }
}

function result(
  check: CheckResult,
  document: ResultDocument,
  ruleIndex: ReadonlyMap<string, number>,
  cause: string | undefined,
): object {
  const rule = ruleOf(check, ruleIndex)
  return {
    ...(rule === undefined ? {} : { ruleId: rule, ruleIndex: ruleIndex.get(rule) }),
    ...kindAndLevel[check.verdict],
    message: { text: message(check, document) },
    locations: [{ physicalLocation, logicalLocations: logicalLocations(check) }],
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

/** Code scanning rejects the whole file if one result has no physical location. `result.json` lies beside every
 * report. */
const physicalLocation = { artifactLocation: { uri: 'result.json' }, region: { startLine: 1 } } as const

/** Returns the check, and the request that it is about. */
function logicalLocations(check: CheckResult): readonly object[] {
  const asked = check.mismatches[0]?.asked
  return [
    { name: visible(nameOf(check)), fullyQualifiedName: visible(check.id), kind: 'member' },
    ...(asked === undefined ? [] : [{ fullyQualifiedName: text(oneLine(asked), 300), kind: 'resource' }]),
  ]
}

function message(check: CheckResult, document: ResultDocument): string {
  const { blocker } = check
  const statement = statementOf(check, document)
  if (blocker) return text(`${statement} ${reasonAndMend(blocker)}`, 2000)
  const differences = check.mismatches.map((one) =>
    withFullStop(
      `${one.asked}: ${wantedSaw({ at: one.at, wanted: shorten(oneLine(one.wanted), 500), saw: shorten(oneLine(one.saw), 500) })}`,
    ),
  )
  return text([statement, ...differences].join(' '), 4000)
}

const text = (words: string, limit: number): string => shorten(visible(words), limit) || '(no text)'
