import { expect, test } from 'vitest'
import { checkResult, sampleResult } from '../../harness/commands/output/sample-results.test-bed.ts'
import { compactOf } from '../../harness/compare/compact.ts'
import { comparisonOf } from '../../harness/compare/comparison.ts'
import type { CheckResult } from '../../harness/vocabulary/index.ts'
import { matrixSection } from './html-matrix.ts'

const law = { requirements: [], documents: { 1: 'One', 2: 'Two', 3: 'Three' } }
const on = (requirement: string, verdict: CheckResult['verdict']): CheckResult => ({
  ...checkResult(requirement, verdict),
  requirements: [`policies.${requirement}`],
})

function matrixOf(...results: readonly (readonly [register: string, ...CheckResult[]])[]): string {
  const all = results.map(([hash, ...checks]) => ({
    result: { ...compactOf(sampleResult({ checks })), register: { hash } },
  }))
  return matrixSection(comparisonOf(all, law))
}

const cellsOf = (html: string, row: string): readonly string[] => {
  const [, cells = ''] = html.slice(html.lastIndexOf(`policies.${row}`)).match(/<\/th>(.*?)<\/tr>/s) ?? []
  return [...cells.matchAll(/<td class="([^"]*)">/g)].map(([, look = '']) => look)
}

test('shows what differs first, and folds what is the same everywhere', () => {
  const html = matrixOf(['r', on('a', 'pass'), on('b', 'pass')], ['r', on('a', 'pass'), on('b', 'fail')])
  expect(html).toContain('What differs: 1 of 2 statements')
  expect(cellsOf(html, 'b')).toEqual(['pass', 'fail heat3'])
  expect(html.indexOf('policies.b')).toBeLessThan(html.indexOf('policies.a'))
  expect(html).toContain('1 statement with the same verdict everywhere')
})

test('a statement that fails on every server is no difference', () => {
  const html = matrixOf(['r', on('a', 'fail')], ['r', on('a', 'fail')])
  expect(html).toContain('What differs: 0 of 1 statement')
  expect(html).toContain('hold nowhere, without a difference')
})

test('what one result does not have is one line, and never lacking at the server', () => {
  const [a, b] = [on('a', 'pass'), on('b', 'pass')]
  const html = matrixOf(['new', a, b], ['new', a, on('b', 'fail')], ['old', a])
  expect(cellsOf(html, 'b')).toEqual(['pass', 'fail heat3', 'silent'])
  expect(html).toContain('not in this result')
  expect(html).toMatch(
    /Not compared, because the results are of unlike registers: the result of .* lacks 1 check of the others\./,
  )
  expect(html).not.toContain('not there')
})

test('an area of which a result defines every check otherwise is not compared, and not said to be lacking', () => {
  const otherwise = { ...on('a', 'pass'), when: 'POST y' }
  const html = matrixOf(['old', on('a', 'pass')], ['old', on('a', 'fail')], ['new', otherwise])
  expect(html).toContain('>not compared<')
  expect(html).not.toContain('not there')
})

test('an area that one statement decides is not shown as a share, nor in a strong colour', () => {
  const html = matrixOf(['r', on('a', 'pass')], ['r', on('a', 'pass')])
  expect(html).toContain('1 of 1')
  expect(html).not.toMatch(/100 %|class="pass heat/)
})
