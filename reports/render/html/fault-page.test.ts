import { describe, expect, test } from 'vitest'
import { hostileText } from '../sample/text.ts'
import { type FaultProof, type FaultRow, renderFaultPage } from './fault-page.ts'

const row = (area: string, operator: string, number: number, more: Partial<FaultRow>): FaultRow => ({
  fault: {
    id: `${area}/thing.${number}/${operator}`,
    ...{ area, operator, says: `POST \`/${area}\` is wrong.`, rows: [`${area}.thing.${number}`] },
  },
  state: 'noticed',
  noticedBy: `${area}/errors/check-${number % 2}`,
  ...more,
})

const { noticedBy: _, ...open } = row('policies', 'ghost', 9, { state: 'not-noticed' })
const { noticedBy: __, ...excused } = row('cloud', 'late', 8, {
  state: 'excused',
  reason: 'the document sets no bound',
})
const proof: FaultProof = {
  rows: [
    ...[1, 2, 3].map((number) => row('policies', 'hollow', number, {})),
    ...[4, 5].map((number) => row('cloud', 'hollow', number, {})),
    open,
    excused,
  ],
  ...{ server: 'the reference server', suite: 'assay 1.0.0' },
}
const page = renderFaultPage(proof)

describe('the page of faults', () => {
  test('shows the counts, the faults that were not noticed and those that are excused', () => {
    expect(page).toContain('<h1 id="title">1 fault not noticed</h1>')
    expect(page).toContain('5 noticed by a check that passes without them, 1 excused with a reason, 1 not noticed')
    expect(page).toContain('excused: The document sets no bound')
    expect(renderFaultPage({ ...proof, rows: proof.rows.slice(0, 5) })).toContain('Every fault is noticed or excused')
  })

  test('shows how many rows the faults make red, if that was counted', () => {
    const worst = [{ fault: 'pki/root/ghost', rows: ['pki.root.whole', 'pki.root.is-ca'] }]
    const areas = [{ area: 'pki', faults: 12, median: 1, p95: 2, most: 3 }]
    const counted = renderFaultPage({ ...proof, widths: { Mutant: { areas, worst } } })
    const amounts = [12, 1, 2, 3].map((amount) => `<td class="amount">${amount}</td>`).join('')
    expect(counted).toContain(`<th scope="row">Mutant</th><td>pki</td>${amounts}`)
    expect(counted).toContain('pki.root.whole, pki.root.is-ca')
    expect(page).not.toContain('Rows red per fault')
  })

  test('links each fault to its check and back, and has no other links', () => {
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    const links = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, id = '']) => id)
    expect(links.filter((id) => !ids.has(id) && !id.startsWith('icon-'))).toEqual([])
    expect(links).toContain('check-policies_errors_check-1')
    expect(links).toContain('fault-policies_thing.1_hollow')
    expect(page).not.toMatch(/(href|src)="https?:/)
  })

  test('escapes all texts', () => {
    const rows = [{ ...open, fault: { ...open.fault, id: hostileText, says: hostileText, area: hostileText } }]
    expect(renderFaultPage({ ...proof, rows, server: hostileText })).not.toMatch(/<\/script|<img/)
  })
})
