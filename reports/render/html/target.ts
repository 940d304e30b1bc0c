/** Shows how the target was recognised: facts, rights of the token and the exchanges of the probe. Between them it
 * shows what took longest and how to repeat the run. */
import type { ResultDocument } from '../../../harness/vocabulary/index.ts'
import { markup, shorten } from '../escape.ts'
import { duration, factWords } from '../wording.ts'
import { conditionsSection } from './conditions.ts'
import { timesSection } from './times.ts'

export function targetSection(document: ResultDocument): string {
  const { target } = document
  const subjects = new Map<string, { declared?: string; observed?: string; used?: string }>()
  const put = (which: 'declared' | 'observed' | 'used', facts: typeof target.facts): void => {
    for (const [name, value] of factWords(facts)) subjects.set(name, { ...subjects.get(name), [which]: value })
  }
  put('declared', target.declared)
  put('observed', target.observed)
  put('used', target.facts)
  // Evidence may concern something that is not a fact, such as the seal, the clock or the token.
  for (const name of Object.keys(target.evidence)) {
    if (!subjects.has(name) && name !== 'features') subjects.set(name, {})
  }
  const text = (value: string | undefined): string =>
    value === undefined ? '<span class="nothing">–</span>' : markup(shorten(value, 200))
  const rows = [...subjects].map(
    ([name, fact]) =>
      `<tr><th scope="row">${markup(name)}</th><td>${text(fact.declared)}</td><td>${text(fact.observed)}</td><td>${text(fact.used)}</td><td>${text(target.evidence[name] ?? (name.startsWith('feature ') ? target.evidence.features : undefined))}</td></tr>`,
  )
  const skew =
    target.clockSkewMs === undefined ? '' : `<p class="note">Clock of the target: ${skewWords(target.clockSkewMs)}.</p>`
  const rights = target.capabilities.map(
    ({ path, capabilities }) =>
      `<tr><th scope="row"><code>${markup(shorten(path, 200))}</code></th><td>${markup(capabilities.join(', '))}</td></tr>`,
  )
  return `<section class="target"><details><summary><h2>How the target was recognised</h2></summary>
<div class="scroll" tabindex="0" role="region" aria-label="Facts of the target"><table><thead><tr><th scope="col">fact</th><th scope="col">declared</th><th scope="col">observed</th><th scope="col">used</th><th scope="col">read from</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>${skew}
${rights.length > 0 ? `<h3>What the token may do</h3><div class="scroll" tabindex="0" role="region" aria-label="Capabilities of the token"><table><thead><tr><th scope="col">path</th><th scope="col">capabilities</th></tr></thead><tbody>${rights.join('')}</tbody></table></div>` : ''}
</details>${timesSection(document)}${conditionsSection(document)}${
    target.probe.length > 0
      ? `<details id="probe" class="scripted"><summary><h2>Exchanges of the probe</h2></summary><div id="probe-exchanges" class="trace"></div></details>`
      : '<details id="probe" hidden><summary>none</summary><div id="probe-exchanges"></div></details>'
  }</section>`
}

const skewWords = (ms: number): string =>
  Math.abs(ms) < 1000 ? 'less than a second off' : `${duration(Math.abs(ms))} ${ms > 0 ? 'ahead' : 'behind'}`
