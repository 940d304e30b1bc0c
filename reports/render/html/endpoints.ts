/** Shows the endpoints of the documents as a tree of paths, with the verdict on each request: how many of the sentences
 * about it hold. */
import type { ResultDocument, Verdict } from '../../../harness/vocabulary/index.ts'
import { markup } from '../escape.ts'
import { sentencesWith } from '../links.ts'
import { judgeRequirements } from '../tally.ts'
import { number, verdictLabels } from '../wording.ts'
import { icon } from './icons.ts'

/** The verdicts on sentences about the requests of a path, by request such as `GET sys/policies/acl/:name`. */
type Requests = Map<string, Verdict[]>

interface Node {
  /** One or more segments of a path. */
  readonly name: string
  readonly requests: Requests
  readonly children: readonly Node[]
}

export function endpointsSection(document: ResultDocument): string {
  const requests: Requests = new Map()
  for (const { requirement, verdict } of judgeRequirements(document))
    for (const request of verdict === undefined ? [] : (requirement.requests ?? []))
      requests.set(request, [...(requests.get(request) ?? []), verdict as Verdict])
  if (requests.size === 0) return ''
  const roots = childrenOf(
    [...requests].map(([request, verdicts]) => ({ request, verdicts, rest: segmentsOf(request) })),
  )
  return `<section class="endpoints" aria-labelledby="endpoints-title"><h2 id="endpoints-title">Endpoint by endpoint</h2>
<p class="note">How many of the sentences about a request hold, of those that apply. <span class="scripted">A request leads to its sentences.</span></p>
<ul class="tree">${roots.map(item).join('')}</ul></section>`
}

const segmentsOf = (request: string): readonly string[] => request.slice(request.indexOf(' ') + 1).split('/')

interface Rest {
  readonly request: string
  readonly verdicts: Verdict[]
  /** The segments below the node. */
  readonly rest: readonly string[]
}

/** Groups requests by their next segment. A segment with one child is joined with it, so that no level has a single
 * line. */
function childrenOf(below: readonly Rest[]): readonly Node[] {
  const groups = Map.groupBy(
    below.filter(({ rest }) => rest.length > 0),
    ({ rest }) => rest[0] ?? '',
  )
  return [...groups].flatMap(([name, own]): readonly Node[] => {
    const shorter = own.map((one) => ({ ...one, rest: one.rest.slice(1) }))
    const here = shorter.filter(({ rest }) => rest.length === 0)
    const children = childrenOf(shorter)
    const [only] = children
    const requests: Requests = new Map(here.map(({ request, verdicts }) => [request, verdicts]))
    if (!only || children.length > 1) return [{ name, requests, children }]
    const joined = { ...only, name: `${name}/${only.name}` }
    return here.length === 0 ? [joined] : [{ name, requests, children: [] }, joined]
  })
}

function item({ name, requests, children }: Node): string {
  const verbs = [...requests].map(verb).join('')
  const path = `<code>${markup(name)}</code>`
  if (children.length === 0) return `<li class="leaf">${path}<span class="verbs">${verbs}</span></li>`
  const all = children.flatMap(verdictsIn)
  // A path may be served itself, and have paths below it.
  const own = verbs === '' ? '' : `<li class="leaf">${path}<span class="verbs">${verbs}</span></li>`
  const isOpen = all.some((one) => telling.has(one))
  return `${own}<li><details${isOpen ? ' open' : ''}><summary>${path}<code>/</code> ${amount(all)}</summary><ul>${children.map(item).join('')}</ul></details></li>`
}

/** Verdicts that unfold the paths above them: an incomplete run would otherwise unfold the whole tree. */
const telling: ReadonlySet<Verdict> = new Set(['fail', 'warn', 'error'])

const verdictsIn = ({ requests, children }: Node): readonly Verdict[] => [
  ...[...requests.values()].flat(),
  ...children.flatMap(verdictsIn),
]

function verb([request, verdicts]: readonly [string, readonly Verdict[]]): string {
  const method = request.slice(0, request.indexOf(' '))
  return `<a href="${markup(sentencesWith({ request }))}"><b>${markup(method)}</b> ${amount(verdicts)}</a>`
}

const order = ['fail', 'warn', 'error', 'not-verified', 'accepted', 'pass', 'not-applicable'] as const

/** Returns the sign of the worst verdict, and how many sentences hold. */
function amount(verdicts: readonly Verdict[]): string {
  const worst = order.find((verdict) => verdicts.includes(verdict)) ?? 'none'
  const apply = verdicts.filter((verdict) => verdict !== 'not-applicable').length
  const held = verdicts.filter((verdict) => verdict === 'pass').length
  const words = worst === 'none' ? '' : `<span class="vh">${verdictLabels[worst].word}: </span>`
  const counted = apply === 0 ? 'n/a' : held === apply ? number(apply) : `${number(held)} of ${number(apply)}`
  return `<span class="amount">${icon(worst)}${words}${counted}</span>`
}

export const endpointsStyle = `
.tree,.tree ul{padding:0;margin:0;list-style:none}.tree ul{margin-left:.55rem;padding-left:1.1rem;border-left:1px solid var(--rule)}
.tree summary{cursor:pointer;padding:.2rem 0}.tree summary>code:first-child{font-weight:600}.tree code{font-size:.8125rem}
.tree .leaf{display:grid;grid-template-columns:minmax(9rem,17rem) 1fr;gap:.1rem 1rem;align-items:baseline;padding:.2rem 0}
.verbs{display:flex;flex-wrap:wrap;gap:.15rem 1.25rem}.verbs a{display:inline-flex;gap:.4rem;align-items:baseline;color:var(--ink);font-size:.8125rem;min-width:6.5rem}.verbs b{font-family:var(--mono);font-size:.75rem;font-weight:500;color:var(--soft);min-width:3.2rem}
.endpoints .amount{display:inline-flex;gap:.3rem;align-items:center;font-size:.8125rem;font-variant-numeric:tabular-nums}.tree summary .amount{margin-left:.5rem}
@media(max-width:44rem){.tree .leaf{grid-template-columns:1fr}.verbs{gap:.15rem .75rem}.tree ul{padding-left:.6rem}}
`
