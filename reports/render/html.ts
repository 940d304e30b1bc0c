import { gzipSync } from 'node:zlib'
import type { ResultDocument } from '../../harness/vocabulary/index.ts'
import { fateOf } from './coverage.ts'
import { markup, scriptJson, shorten } from './escape.ts'
import { controls } from './html-controls.ts'
import { helpDialog } from './html-help.ts'
import { htmlPage } from './html-shell.ts'
import { style } from './html-style.ts'
import { checkStyle } from './html-style-check.ts'
import { runIcon, summary } from './html-summary.ts'
import type { PackedExchanges, PageData } from './page-data.ts'
import { pageScript } from './page-script.ts'
import { judgeRequirements } from './tally.ts'
import {
  blockerWords,
  documentWords,
  moment,
  runLabels,
  runTitle,
  scopeWords,
  sourceWords,
  verdictLabels,
  verdictOrder,
} from './wording.ts'

/** Characters of the packed exchanges that a report may have; bodies are cut until they fit. */
const packedBudget = 4_000_000
const bodyLimits = [65_536, 16_384, 4096, 1024, 256]
/** For words, reasons and values; longer ones are cut. */
const textLimit = 4000

/** The conformance report: one file that asks for nothing else, with a policy that lets nothing else run. */
export async function renderHtml(document: ResultDocument): Promise<string> {
  const script = await pageScript()
  return htmlPage({
    title: `${runTitle(document)}: ${shorten(document.target.name, 80)}`,
    icon: runIcon(document),
    colour: runLabels[document.verdict.word].colour,
    style: style + checkStyle,
    script,
    generator: `${document.suite.name} ${document.suite.version}`,
    skip: '<a class="skip" href="#list=checks">Skip to the checks</a>',
    body: `<header class="top"><p class="brand"><b>Assay</b> <span>Conformance report</span></p><div class="tools scripted"><button type="button" id="theme">Theme: system</button><button type="button" id="print">Print</button><button type="button" id="keys" aria-label="Words and keys">?</button></div></header>
<main>
${summary(document)}
${controls(document)}
</main>
<footer><p>${markup(document.suite.name)} ${markup(document.suite.version)} · ${moment(document.run.startedAt)} · register ${markup(document.register.hash.slice(0, 12))} · secrets were removed before this report was written</p></footer>
${helpDialog}
<script type="application/json" id="data">${scriptJson(pageData(document))}</script>
<script type="text/plain" id="packed">${pack(document)}</script>
<script>${script}</script>`,
  })
}

function pageData(document: ResultDocument): PageData {
  const indices = new Map(document.checks.map((check, at) => [check, at]))
  return cut(
    {
      target: document.target.url,
      insecure: document.target.insecure,
      words: Object.fromEntries(
        verdictOrder.map((verdict) => [verdict, verdictLabels[verdict].word]),
      ) as PageData['words'],
      blockers: blockerWords,
      requirements: judgeRequirements(document).map((judged) => ({
        ...judged.requirement,
        title: documentWords(judged.requirement.source, document.register.documents),
        place: sourceWords(judged.requirement.source, document.register),
        scope: scopeWords(judged.requirement.applies),
        ...(judged.verdict ? { verdict: judged.verdict } : {}),
        fate: fateOf(judged),
        checks: judged.checks.map((check) => indices.get(check) ?? -1),
      })),
      checks: document.checks.map((check) => ({ ...check, exchanges: check.exchanges.length })),
    },
    textLimit,
  )
}

/** The exchanges are nine tenths of a document and are read one check at a time: they travel compressed. */
function pack(document: ResultDocument): string {
  const exchanges: PackedExchanges = {
    probe: document.target.probe,
    checks: document.checks.map((check) => check.exchanges),
    ...(document.register.faults ? { faults: document.register.faults } : {}),
  }
  let packed = ''
  for (const limit of bodyLimits) {
    packed = gzipSync(JSON.stringify(cut(exchanges, limit))).toString('base64')
    if (packed.length <= packedBudget) break
  }
  return packed
}

/** The same value with every longer string cut; the cut says how much is missing. */
function cut<T>(value: T, limit: number): T {
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string')
      return part.length <= limit
        ? part
        : `${part.slice(0, limit)}\n… cut here: ${part.length - limit} more characters are in result.json`
    if (Array.isArray(part)) return part.map(walk)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, walk(inner)]))
  }
  return walk(value) as T
}
