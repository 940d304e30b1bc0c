/** Renders what a monitoring system alerts on: verdict, counts, and when the run ended. The text is valid OpenMetrics, and
 * the textfile collector of the Prometheus node exporter reads it as well. */
import type { ResultDocument } from '../../harness/vocabulary/index.ts'
import { runLooks, verdictOrder } from './wording.ts'

type Labels = Readonly<Record<string, string>>

interface Sample {
  readonly labels?: Labels
  readonly value: number
}

export function renderOpenMetrics({ run, target, checks, verdict, leftBehind, suite }: ResultDocument): string {
  const own = { target: target.name }
  const areas = [...new Set(checks.map(({ area }) => area))]
  const countOf = (area: string, of: string) => checks.filter((one) => one.area === area && one.verdict === of).length
  const facts = { url: target.url, version: target.facts.version ?? 'unknown', suite: suite.version }
  return [
    ...family('run_verdict', '1 for the verdict of the last run, 0 for the others.', own, [
      ...Object.keys(runLooks).map((word) => ({ labels: { verdict: word }, value: word === verdict.word ? 1 : 0 })),
    ]),
    ...family('run_exit_code', 'Exit code of the last run.', own, [{ value: verdict.exitCode }]),
    ...family('checks', 'Checks of the last run by area and verdict.', own, [
      ...areas.flatMap((area) =>
        verdictOrder.map((of) => ({ labels: { area, verdict: of }, value: countOf(area, of) })),
      ),
    ]),
    ...family('left_behind_objects', 'Objects that the last run left on the target.', own, [
      { value: leftBehind.length },
    ]),
    ...family('run_finished_timestamp_seconds', 'When the last run ended; its age is time() minus this.', own, [
      { value: Date.parse(run.finishedAt) / 1000 },
    ]),
    ...family('run_duration_seconds', 'How long the last run took.', own, [{ value: run.durationMs / 1000 }]),
    ...family('run_target', 'The target of the last run, and the suite that judged it.', own, [
      { labels: facts, value: 1 },
    ]),
    '# EOF\n',
  ].join('\n')
}

function family(name: string, help: string, own: Labels, samples: readonly Sample[]): readonly string[] {
  return [
    `# HELP assay_${name} ${help}`,
    `# TYPE assay_${name} gauge`,
    ...samples.map(({ labels, value }) => `assay_${name}{${labelsOf({ ...own, ...labels })}} ${value}`),
  ]
}

const labelsOf = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',')

/** A text of the target ends neither its label nor its line. */
const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll(/[\u0000-\u001f\u007f\u0085\u2028\u2029]/g, ' ')
