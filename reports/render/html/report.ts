import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, gzipSync } from 'node:zlib'
import type { ResultDocument } from '../../../harness/vocabulary/index.ts'
import { inBlocks } from '../../blocks.ts'
import { fateOf } from '../coverage.ts'
import { markup, scriptJson, shorten } from '../escape.ts'
import { pageScript } from '../page-script.ts'
import { judgeRequirements } from '../tally.ts'
import {
  blockerWords,
  documentWords,
  moment,
  runTitle,
  scopeWords,
  sourceWords,
  verdictLabels,
  verdictOrder,
} from '../wording.ts'
import { controls } from './controls.ts'
import { endpointsStyle } from './endpoints.ts'
import { helpDialog } from './help.ts'
import type { PackedExchanges, PageData } from './page-data.ts'
import { htmlPage } from './shell.ts'
import { style } from './style.ts'
import { checkStyle } from './style-check.ts'
import { runIcon, summary } from './summary.ts'
import { verdictColour } from './verdict-colour.ts'

/** The maximum length of the packed exchanges, in characters; bodies are cut until they fit. */
const packedBudget = 4_000_000
const bodyLimits = [65_536, 16_384, 4096, 1024, 256]
/** The approximate number of checks from which the body limit is estimated. */
const sampled = 64
/** The maximum length of words, reasons and values; longer ones are cut. */
const textLimit = 4000

/** Renders the conformance report as one HTML file that requests nothing from the network, with a policy that blocks
 * everything else. */
export async function renderHtml(document: ResultDocument): Promise<string> {
  const [script, packed] = await Promise.all([pageScript(), pack(document)])
  return htmlPage({
    title: `${runTitle(document)}: ${shorten(document.target.name, 80)}`,
    icon: runIcon(document),
    colour: verdictColour[runIcon(document)][0],
    style: style + endpointsStyle + checkStyle,
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
<script type="text/plain" id="packed">${packed}</script>
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

/** Compresses the exchanges, which are nine tenths of a document and are read one check at a time. They are written and
 * compressed check by check, so that memory never contains the text of all of them. */
async function pack(document: ResultDocument): Promise<string> {
  const { probe, faults } = { probe: document.target.probe, faults: document.register.faults }
  const limit = bodyLimitOf(document.checks.map(({ exchanges }) => exchanges))
  const pieces = function* (): Generator<string> {
    yield `{"probe":${cutJson(probe, limit)},"checks":[`
    for (const [at, { exchanges }] of document.checks.entries())
      yield `${at === 0 ? '' : ','}${cutJson(exchanges, limit)}`
    yield `]${faults === undefined ? '' : `,"faults":${cutJson(faults, limit)}`}}`
  }
  const packed: Buffer[] = []
  await pipeline(Readable.from(inBlocks(pieces())), createGzip(), async (blocks: AsyncIterable<Buffer>) => {
    for await (const block of blocks) packed.push(block)
  })
  return Buffer.concat(packed).toString('base64')
}

/** Returns the maximum length of a body. It is estimated from some evenly chosen checks, because compressing all
 * exchanges for each limit would take several times as long as the report itself. */
function bodyLimitOf(all: PackedExchanges['checks']): number {
  const step = Math.ceil(all.length / sampled)
  const some = all.filter((_, at) => at % step === 0)
  const sizeAt = (limit: number): number =>
    (step * 4 * gzipSync(some.map((one) => cutJson(one, limit)).join()).length) / 3
  return bodyLimits.find((limit) => sizeAt(limit) <= packedBudget) ?? Math.min(...bodyLimits)
}

/** A text that is short enough as a whole has no longer string in it, which is much faster to see. */
function cutJson(value: unknown, limit: number): string {
  const whole = JSON.stringify(value)
  return whole.length <= limit ? whole : JSON.stringify(cut(value, limit))
}

/** Returns a value in which every longer string is cut; the cut states how much is missing. Parts without such a string
 * are not copied. */
function cut<T>(value: T, limit: number): T {
  if (typeof value === 'string') return (value.length <= limit ? value : cutText(value, limit)) as T
  if (typeof value !== 'object' || value === null) return value
  let copy: T | undefined
  for (const name of Object.keys(value) as (keyof T)[]) {
    const inner = cut(value[name], limit)
    if (inner === value[name]) continue
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as T
    copy[name] = inner
  }
  return copy ?? value
}

const cutText = (text: string, limit: number): string =>
  `${text.slice(0, limit)}\n… cut here: ${text.length - limit} more characters are in result.json`
