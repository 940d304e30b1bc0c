import { expect, test } from 'vitest'
import { withLinksOfPackage } from './page-links.ts'

const packed = [
  'README.md',
  'fixtures/README.md',
  'reports/report.png',
  'dist/fixtures/api/terms.js',
  'dist/result.json',
]
const inPackage = (text: string, page = 'fixtures/README.md') => withLinksOfPackage(page, text, packed)

test.each([
  ['[home](../README.md#two)', '[home](../README.md#two)'],
  ['[terms](api/terms.ts)', '[terms](../dist/fixtures/api/terms.js)'],
  ['in [`api/`](api/), all', 'in [`api/`](../dist/fixtures/api/), all'],
  ['[result](../result.json)', '[result](../dist/result.json)'],
  ['![report](../reports/report.png)', '![report](../reports/report.png)'],
  ['see [how to work](../CONTRIBUTING.md#commits) here', 'see how to work here'],
  ['[`x[1]`](x.test.ts) and [below](#below)', '`x[1]` and [below](#below)'],
  ['[elsewhere](https://vault.example)', '[elsewhere](https://vault.example)'],
  ['```sh\n[a](b.md)\n```\n[a](b.md)', '```sh\n[a](b.md)\n```\na'],
])('%s', (text, expected) => {
  expect(inPackage(text)).toBe(expected)
})
