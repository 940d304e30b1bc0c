import { expect, test } from 'vitest'
import { check, get, post, refused, status, succeeds, unseen } from '../../vocabulary/index.ts'
import { assay } from '../child.test-bed.ts'
import { controlStep, mutantStep, rowStep, snapshotStep, witnessStep } from './steps.ts'

const row = { area: 'policies', says: 'It is.', source: { document: 1, section: 'A', row: 'b' } } as const
const about = { requirement: 'policies.a.b', mutants: ['policies/one'] } as const
const refusing = check('is-refused', { ...about, when: post('a', {}), then: [refused(get('a'))] })

test('a row that does not exist, or that the documents leave open, is missing', () => {
  const rows = [{ ...row, id: 'policies.a.c', level: 'must' as const }]
  expect(rowStep(refusing, rows).lacks).toEqual([
    expect.stringMatching(/^there is no row policies\.a\.b.*policies\.a\.c/),
  ])
  const open = [{ ...row, id: 'policies.a.b', level: 'info' as const }]
  expect(rowStep(refusing, open).lacks).toEqual([expect.stringContaining('is left open by the documents')])
  expect(rowStep(refusing, [{ ...row, id: 'policies.a.b', level: 'must' }]).lacks).toEqual([])
})

test('a refusal needs a control, unless a step before sends the same request, or the list says why', () => {
  expect(controlStep(refusing, 'policies/errors/is-refused').lacks).toEqual([expect.stringContaining('`control`')])
  expect(controlStep({ ...refusing, control: post('a', { b: 1 }) }, 'x').lacks).toEqual([])
  expect(controlStep({ ...refusing, given: [post('a', { b: 1 })] }, 'x').lacks).toEqual([])
  expect(controlStep(refusing, 'policies/versions/acl-is-absent-before-0-9').lacks).toEqual([])
  expect(controlStep(check('is', { ...about, when: get('a'), then: [succeeds] }), 'x').lacks).toEqual([])
})

test('a bare status of a refused write needs a witness', () => {
  const bare = (when = post('a', {})) => witnessStep(check('is', { ...about, when, then: [status(400)] }))
  expect(bare().lacks).toEqual([expect.stringContaining('refused(witness)')])
  expect(bare(get('a')).lacks).toEqual([])
  expect(witnessStep(refusing).says).toMatch(/as before$/)
  const blind = check('is', { ...about, when: post('a', {}), then: [refused(unseen('nothing shows it'))] })
  expect(witnessStep(blind)).toMatchObject({ says: expect.stringContaining('nothing shows it'), lacks: [] })
})

test('no mutants, and unknown ones, are missing; it counts those that only this check names', () => {
  const none = { ...refusing, mutants: [] } as unknown as typeof refusing
  expect(mutantStep(none, [], new Map()).lacks).toHaveLength(1)
  expect(mutantStep(refusing, ['policies/once'], new Map()).lacks).toEqual([
    expect.stringMatching(/^there is no mutant policies\/one; did you mean .*once/),
  ])
  expect(mutantStep(refusing, ['policies/one'], new Map()).says).toBe('1 named, of which 1 by no other check')
  const others = new Map([['policies/errors/wider', ['policies/one', 'policies/two']]])
  expect(mutantStep(refusing, ['policies/one'], others)).toEqual({
    step: 'mutants',
    says: '1 named, of which 0 by no other check; policies/errors/wider names all of them, so see whether one check is enough',
    lacks: [],
  })
})

test('an id that is not in the snapshot is missing, with the command that writes it', () => {
  expect(snapshotStep('a/b/c', 'a/b/c\n').lacks).toEqual([])
  expect(snapshotStep('a/b/d', 'a/b/c\n').lacks).toEqual([expect.stringContaining('catalog-consistency.test.ts -u')])
})

test('a check of the project lacks nothing; a glob is refused', async () => {
  const { code, out } = await assay(['vet', 'policies/fields/egp-no-other-level-is-kept'])
  expect({ code, last: out.trim().split('\n').at(-1) }).toEqual({ code: 0, last: 'nothing is missing' })
  expect(out.split('\n').filter((line) => line.startsWith('ok  ')).length).toBe(9)
  const several = await assay(['vet', 'policies/errors/*'])
  expect(several).toMatchObject({ code: 2, err: expect.stringContaining('give the address of one') })
})
