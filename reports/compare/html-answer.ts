/** The top of the page that compares two servers. It answers whether the second is as good as the first. */
import type { Change, ComparedServer, Comparison, Verdict } from '../../harness/vocabulary/index.ts'
import { markup, prose, shorten } from '../render/escape.ts'
import { icon } from '../render/html/icons.ts'
import { plural, sentence } from '../render/wording.ts'
import { causeName } from './tables.ts'

/** The sign for the result of a comparison. */
export const signOf = ({ verdict }: Comparison): Verdict =>
  verdict.exitCode === 0 ? 'pass' : verdict.exitCode === 3 ? 'not-verified' : 'fail'

export function answer(comparison: Comparison): string {
  const { servers, verdict, title } = comparison
  const [first, other] = servers
  if (servers.length !== 2 || !first || !other) return `<section><h1>${markup(title)}</h1></section>`
  const sign = signOf(comparison)
  const says = verdict.says[0] ?? ''
  const lead = verdict.titles[0] ?? ''
  const rest = says.slice(lead.length).replace(/^: /, '')
  return `<section class="hero ${sign}"><div class="verdict">${icon(sign)}<div><h1>${markup(lead)}</h1>
<ul class="changes">${rest
    .replace(/\.$/, '')
    .split('; ')
    .map((fact) => `<li>${markup(sentence(fact.charAt(0).toUpperCase() + fact.slice(1)))}</li>`)
    .join('')}</ul>${drift(other)}</div></div>
${worse(other)}</section>`
}

function drift({ drift: found }: ComparedServer): string {
  if (!found) return ''
  return `<p class="note">${
    found.entries.length === 0
      ? 'Clients can notice no other difference in the replies that were compared.'
      : `Clients can notice <a href="#drift">${plural(found.entries.length, 'difference')}</a> that no check decides.`
  }</p>`
}

const mostCauses = 8

/** Lists what passes at the first server but not at the second, by cause. */
function worse({ changes, causes }: ComparedServer): string {
  const of = (kind: Change['kind']) => new Set(changes.filter((one) => one.kind === kind).map(({ check }) => check))
  const lists = (['worse', 'absent', 'undecided'] as const).map((kind) => {
    const checks = of(kind)
    return causes.flatMap(({ says, verdict, checks: own }, index) => {
      const count = own.filter((id) => checks.has(id)).length
      return count === 0 ? [] : [{ says, verdict, index, count }]
    })
  })
  const found = lists.flat()
  if (found.length === 0) return ''
  const items = found.slice(0, mostCauses).map(({ says, verdict, index, count }) => {
    const name = verdict === 'fail' || verdict === 'warn' ? ` <a href="#s1c${index}">${causeName(index)}</a>` : ''
    return `<li>${icon(verdict)} <span>${prose(shorten(sentence(says), 400))}${name} <span class="note">${plural(count, 'check')}</span></span></li>`
  })
  const rest = found.length - mostCauses
  return `<ul class="worse">${items.join('')}${rest > 0 ? `<li class="note">${plural(rest, 'more cause')} below.</li>` : ''}</ul>`
}

export const answerStyle = `
.hero h1{font-size:1.6rem}.changes{margin:.4rem 0 0}.changes li{padding:.1rem 0}.worse{padding:0 1.5rem 1rem 1.5rem}.worse li{display:flex;gap:.5rem;padding:.35rem 0;border-top:1px solid var(--rule);font-size:.875rem}.worse .icon{margin-top:.25em}.worse a{text-decoration:underline}
`
