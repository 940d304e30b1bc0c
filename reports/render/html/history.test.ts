import { expect, test } from 'vitest'
import type { History } from '../../../harness/vocabulary/index.ts'
import { renderMarkdown } from '../markdown.ts'
import { sampleDocument } from '../sample/document.ts'
import { historyLine, historySection } from './history.ts'

const document = sampleDocument({ checks: 20 })
const entry = {
  run: 'r1',
  startedAt: '2026-01-01T10:00:00.000Z',
  word: 'non-conformant',
  counts: document.counts,
  suite: '0.1.0',
  targetVersion: '1.2.0',
} as const
const history: History = {
  entries: [entry, { ...entry, run: 'r2', word: 'conformant', targetVersion: '<b>1.3</b>' }],
  newSince: ['policies/errors/a'],
  fixedSince: [],
  flaky: ['policies/errors/b'],
  redefined: [],
}

test('the page has a bar for each run, and the checks that changed', () => {
  const html = historySection({ ...document, history })
  expect(html.match(/<g>/g)).toHaveLength(2)
  expect(html).toContain('href="#open=policies/errors/a"')
  expect(html).toContain('Both passed and failed on one version of the target: 1 check')
  expect(html).toContain('the target changed from 1.2.0 to &lt;b&gt;1.3')
  expect(html).not.toContain('Fixed since')
  expect(html).toMatch(/<text [^>]+>T<\/text>/)
  expect(html.match(/<tr><th scope="row">/g)).toHaveLength(2)
})

test('the first screen has the verdict of each run in one line, the newest at the end', () => {
  const [first, last] = [...historyLine({ ...document, history }).matchAll(/<li title="([^"]*)">/g)].map(
    ([, words]) => words,
  )
  expect([first, last]).toEqual([
    `2026-01-01 10:00:00 UTC: non-conformant, ${document.counts.fail} failed`,
    `2026-01-01 10:00:00 UTC: conformant, ${document.counts.fail} failed`,
  ])
  expect(historyLine({ ...document, history: { ...history, entries: [entry] } })).toBe('')
})

test('the Markdown summary lists the same changes', () => {
  const markdown = renderMarkdown({ ...document, history })
  expect(markdown).toContain('- Fails since the run before: `policies/errors/a`')
  expect(renderMarkdown({ ...document, history: { ...history, newSince: [], flaky: [] } })).toContain(
    'Nothing has changed since.',
  )
})

test('a first run has no history to show', () => {
  expect(historySection({ ...document, history: { ...history, entries: [entry] } })).toBe('')
  expect(historySection(document)).toBe('')
})
