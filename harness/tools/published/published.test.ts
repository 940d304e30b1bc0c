import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { sampleDocument } from '../../../reports/render/sample/document.ts'
import { type Deviation, deviationOf, readDeviations } from './deviations.ts'
import { knownListOf } from './known-list.ts'
import { projectReportOf } from './project-report.ts'

const sample = sampleDocument({ outcome: 'non-conformant' })
const source = { document: 1, section: 'Endpoints', row: 'GET it' } as const
const document = { ...sample, causes: sample.causes.map((cause) => ({ ...cause, sentence: 'It is so.', source })) }
const causes = document.causes.filter(({ verdict }) => verdict === 'fail')
const [first] = causes
const words = { to: 'clients', matters: 'Clients differ.', sort: 'bug' } as const
const entryFor = (id: string, does: string): Deviation => ({
  id,
  does,
  statements: [...new Set(causes.flatMap(({ requirements = [] }) => requirements))],
  ...words,
})

test('a list has an entry for each cause, in the words of the table', () => {
  const { versions, deviations: list } = parse(knownListOf(document, 'some-1.0', [entryFor('differs', 'It differs.')]))
  expect(versions).toBe('1.0.x')
  expect(list).toHaveLength(causes.length)
  expect(list[0]).toMatchObject({ deviation: 'differs', ...words })
  expect(list[0].reason).toMatch(/^It differs\. This contradicts ".+" \(document \d, .+\)/)
  expect(list[0].observed[0]).toMatch(/^fail:[0-9a-f]{12}$/)
})

test('a cause without words in the table is refused by its name', () => {
  expect(() => knownListOf(document, 'some-1.0', [])).toThrow(`- ${first?.requirements?.join(', ')}: ${first?.says}`)
})

test('words for a product precede those for all', () => {
  const table = [
    entryFor('all', ''),
    { ...entryFor('own', ''), of: ['some'] },
    { ...entryFor('other', ''), of: ['other'] },
  ]
  expect(deviationOf(causes[0] ?? {}, 'some-1.0', table)?.id).toBe('own')
  expect(deviationOf(causes[0] ?? {}, 'third-2', table)?.id).toBe('all')
})

test('a report names request, wanted, seen and version, and nothing of the run', () => {
  const text = projectReportOf(document, entryFor('differs', 'It differs.'), causes.slice(0, 1))
  expect(text).toContain('# It differs\n')
  expect(text).toContain(`Seen in ${document.target.facts.product} ${document.target.facts.version}.`)
  expect(text).toMatch(/^Wanted: ".+"/m)
  expect(text).not.toMatch(/assay-[0-9a-f]{8}-\d/)
})

test('the table has one entry for each statement of a product, and says why a product may be right', () => {
  const table = readDeviations()
  const keys = table.flatMap(({ of = ['all'], statements }) =>
    of.flatMap((name) => statements.map((one) => `${name} ${one}`)),
  )
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
  expect(new Set(table.map(({ id }) => id)).size).toBe(table.length)
  for (const { does, matters, sort, dispute } of table) {
    expect(does).toMatch(/^.+\.$/)
    expect(matters).toMatch(/^[A-Z].+\.$/)
    expect(dispute !== undefined).toBe(sort === 'disputable')
  }
})
