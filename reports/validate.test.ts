import { describe, expect, it } from 'vitest'
import { renderJson } from './render/json.ts'
import { sampleDocument } from './render/sample/document.ts'
import { blockerWords } from './render/wording.ts'
import schema from './result.schema.json' with { type: 'json' }
import { validateResult } from './validate.ts'

/** Returns the sample document with values set at JSON pointers; undefined removes the member. */
function sample(changes: Readonly<Record<string, unknown>>): unknown {
  const document: unknown = JSON.parse([...renderJson(sampleDocument())].join(''))
  for (const [pointer, value] of Object.entries(changes)) {
    const names = pointer.slice(1).split('/')
    const last = names.pop() ?? ''
    const parent = names.reduce((part, name) => Reflect.get(Object(part), name), document)
    if (value === undefined) Reflect.deleteProperty(Object(parent), last)
    else Reflect.set(Object(parent), last, value)
  }
  return document
}

describe('a result document', () => {
  it('is valid as it is written', () => {
    for (const outcome of ['conformant', 'non-conformant', 'incomplete'] as const)
      expect(validateResult(JSON.parse([...renderJson(sampleDocument({ outcome, hostile: true }))].join('')))).toEqual(
        [],
      )
  })

  it('may have fields that this version does not know', () => {
    const later = { '/later': 1, '/checks/0/later': {}, '/checks/0/exchanges/0/attempts/0/later': [] }
    expect(validateResult(sample(later))).toEqual([])
  })

  const cases: [string, Readonly<Record<string, unknown>>, string][] = [
    ['names a missing part', { '/target/url': undefined }, '/target lacks "url".'],
    [
      'names a word that is not a verdict',
      { '/checks/3/verdict': 'green' },
      '/checks/3/verdict must be one of pass, fail',
    ],
    ['names a wrong type', { '/run/seed': 'x' }, '/run/seed must be integer.'],
    ['names the document', { '/checks': undefined }, 'the document lacks "checks".'],
    [
      'refuses a document without a schema',
      { '/schema': undefined },
      'it has no "schema" (expected assay/result/2); is it a result.json of assay?',
    ],
    ['refuses another schema', { '/schema': 'junit' }, 'its schema is "junit", but this version reads assay/result/2.'],
    [
      'refuses a newer schema',
      { '/schema': 'assay/result/3' },
      'it was written by assay 0.1.0 with the schema assay/result/3, but this version reads assay/result/2: update assay, or render it with the version that wrote it.',
    ],
    [
      'refuses an older schema',
      { '/schema': 'assay/result/1' },
      'its schema assay/result/1 is older than assay/result/2, which this version reads: run again to get a new result, or render it with the build that wrote it (assay 0.1.0).',
    ],
  ]
  for (const [name, changes, words] of cases)
    it(name, () => {
      const faults = validateResult(sample(changes))
      expect(faults).toHaveLength(1)
      expect(faults[0]).toContain(words)
    })

  it('is an object', () => {
    for (const value of [null, [], 'x', 1]) expect(validateResult(value)).toEqual(['it is not a JSON object.'])
  })
})

it('knows every kind of blocker that a run may write', () => {
  expect(schema.$defs.obstacle.enum).toEqual(Object.keys(blockerWords))
})
