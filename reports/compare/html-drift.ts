import type { ComparedServer, Comparison, Drift, DriftEntry, DriftReply } from '../../harness/vocabulary/index.ts'
import { markup, shorten } from '../render/escape.ts'
import { number, plural } from '../render/wording.ts'
import { basis, differs, groupsOf, type Piece, type Sides, where } from './drift-words.ts'

/** The maximum number of entries that the page shows for each area. */
const mostEntries = 100

/** Returns a section for each server after the first: what clients may notice. It is empty if the results hold no
 * exchanges. */
export function driftSections({ servers: [first, ...others] }: Comparison): string {
  const sections = others.flatMap((server, at) =>
    server.drift && first
      ? [section(server, server.drift, { first: nameOf(first), other: nameOf(server) }, at === 0 ? ' id="drift"' : '')]
      : [],
  )
  return sections.join('\n')
}

const nameOf = ({ target }: ComparedServer): string => shorten(target.name, 60)

const section = ({ target }: ComparedServer, drift: Drift, sides: Sides, id: string): string =>
  `<section class="drift"${id}><h2>${plural(drift.entries.length, 'difference')} of ${markup(shorten(target.name, 60))} that clients can notice and no check decides</h2>
<p class="note">${basis(drift)}</p>${groupsOf(drift)
    .map(
      ({ title, entries }) =>
        `<details class="statements" open><summary><h3>${markup(title)}: ${plural(entries.length, 'difference')}</h3></summary>${entries
          .slice(0, mostEntries)
          .map((entry) => difference(entry, sides))
          .join(
            '',
          )}${entries.length > mostEntries ? `<p class="note">${number(entries.length - mostEntries)} more are in compare.json.</p>` : ''}</details>`,
    )
    .join('')}</section>`

function difference(entry: DriftEntry, { first, other }: Sides): string {
  const { example, requests } = entry
  const several =
    requests.length > 1
      ? `<ul class="plain">${requests.map((one) => `<li><code>${markup(shorten(one.request, 160))}</code> <span class="note">${number(one.replies)} of ${number(one.of)}</span></li>`).join('')}</ul>`
      : ''
  return `<details class="difference"><summary><b class="kind">${entry.kind}</b> <span>${pieces(differs(entry, { first, other }))} <span class="note">${pieces(where(entry))}</span></span></summary>
<p class="note">For example in <code>${markup(example.check)}</code>:</p>
<div class="pair">${reply(first, example.first)}${reply(other, example.other)}</div>${several}</details>`
}

const pieces = (all: readonly Piece[]): string =>
  all.map((piece) => (typeof piece === 'string' ? markup(piece) : `<code>${markup(piece.code)}</code>`)).join('')

function reply(name: string, { request, requestBody, status, headers, body }: DriftReply): string {
  const lines = [
    request,
    ...(requestBody === undefined ? [] : [requestBody]),
    '',
    `${status}`,
    ...Object.entries(headers).map(([key, value]) => `${key}: ${value}`),
    ...(body === '' ? [] : ['', laidOut(body)]),
  ]
  return `<figure><figcaption>${markup(name)}</figcaption><pre tabindex="0">${markup(lines.join('\n'))}</pre></figure>`
}

function laidOut(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

export const driftStyle = `
.difference{border-top:1px solid var(--rule);padding:.45rem 0;font-size:.875rem}.difference summary{cursor:pointer}.difference .kind{display:inline-block;min-width:4rem;font-size:.75rem;color:var(--soft)}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr));gap:.75rem;margin:.35rem 0 .5rem}.pair figure{margin:0;min-width:0}.pair figcaption{font-size:.75rem;color:var(--soft)}.pair pre{background:var(--sheet);border-radius:6px;padding:.6rem;max-height:24rem;overflow:auto;white-space:pre-wrap;font-size:.75rem}
`
