import { expect, test } from 'vitest'
import { checkResult } from '../../../harness/commands/output/sample-results.test-bed.ts'
import type { Requirement, Verdict } from '../../../harness/vocabulary/index.ts'
import { sampleDocument } from '../sample/document.ts'
import { hostileText } from '../sample/text.ts'
import { endpointsSection } from './endpoints.ts'

const document = sampleDocument({ checks: 8, outcome: 'conformant' })
/** Renders the tree of these requests, each with the verdicts of sentences about it. */
function treeOf(requests: Readonly<Record<string, readonly Verdict[]>>): string {
  const sentences = Object.entries(requests).flatMap(([request, verdicts]) =>
    verdicts.map((verdict, at) => ({ request, verdict, id: `policies.${request}.${at}` })),
  )
  const requirements = sentences.map(
    ({ request, id }): Requirement => ({
      ...{ id, area: 'policies', level: 'must', says: id, requests: [request] },
      source: { document: 1, section: 's', row: 'r' },
    }),
  )
  const checks = sentences.map(({ verdict, id }) => ({ ...checkResult(id, verdict), requirements: [id] }))
  return endpointsSection({ ...document, checks, register: { ...document.register, requirements } })
}

const textOf = (html: string): string =>
  html
    .slice(html.indexOf('<ul class="tree">'))
    .replace(/<li[^>]*>/g, '\n')
    .replace(/<[^>]*>/g, ' ')
    .replace(/ +/g, ' ')
    .trim()

test('paths are a tree, in which each request has the number of sentences that hold', () => {
  const html = treeOf({
    'LIST sys/policies/acl': ['pass'],
    'GET sys/policies/acl/:name': ['pass', 'fail', 'not-applicable'],
    'POST sys/policies/acl/:name': ['pass', 'pass'],
    'GET sys/plugins/catalog': ['not-applicable'],
    'GET {pki}/ca': ['not-verified'],
  })
  expect(
    textOf(html)
      .split('\n')
      .map((line) => line.trim()),
  ).toEqual([
    'sys / Failed: 4 of 5',
    'policies / Failed: 4 of 5',
    'acl LIST Passed: 1',
    'acl/:name GET Failed: 1 of 2 POST Passed: 2',
    'plugins/catalog GET Not applicable: n/a',
    '{pki}/ca GET Not verified: 0 of 1',
  ])
  expect(html).toContain('href="#list=requirements&amp;request=GET%20sys/policies/acl/%3Aname"')
  expect(html.match(/<details open>/g)).toHaveLength(2)
})

test('paths whose sentences all hold are folded, and no path becomes markup', () => {
  const html = treeOf({ 'GET sys/a': ['pass'], 'GET sys/b': ['pass'], [`GET ${hostileText}`]: ['pass'] })
  expect(html).not.toContain('<details open>')
  expect(html).not.toMatch(/<\/script|<img/)
  expect(treeOf({})).toBe('')
})
