import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ObstacleCode } from './obstacles.ts'
import { blockerOf, obstacles } from './reasons.ts'

const root = resolve(import.meta.dirname, '../..')
const own = globSync(['harness/**/*.ts', 'suites/**/*.ts'], { cwd: root })
  .filter((file) => !/\.(test|test-bed)\.ts$/.test(file) && !/vocabulary\/(reasons|obstacles)\.ts$/.test(file))
  .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const)
const codes = Object.keys(obstacles) as ObstacleCode[]

describe('the table of reasons', () => {
  test('has codes in kebab-case, and each is used', () => {
    for (const code of codes) expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/)
    const all = own.map(([, text]) => text).join('\n')
    expect(codes.filter((code) => !all.includes(`'${code}'`))).toEqual([])
  })

  test('is the only place with words about obstacles', () => {
    const scattered = own.filter(([, text]) => /blocker: \{\s*kind: '|\bkind: '[a-z-]+', reason/.test(text))
    expect(scattered.map(([file]) => file)).toEqual([])
  })

  test('has a remedy wherever something is not verified', () => {
    const withoutRemedy = codes.filter((code) => obstacles[code].mend === undefined)
    expect(withoutRemedy).toEqual(['area-absent', 'holds-elsewhere', 'left-open'])
  })

  test('puts facts into words, and keeps the facts', () => {
    expect(blockerOf('connection-cut', { asked: 'GET x', cuts: 4 })).toEqual({
      kind: 'transport',
      code: 'connection-cut',
      facts: { asked: 'GET x', cuts: 4 },
      reason: 'the target cut the connection at GET x (4 times of 4), but replies to other requests',
      mend: 'check what the log of the target, or of the proxy in front of it, says about this request',
    })
    expect(blockerOf('holds-elsewhere', { fact: 'edition', wanted: 'edition premium', seen: 'community' })).toEqual({
      kind: 'edition',
      code: 'holds-elsewhere',
      facts: { fact: 'edition', wanted: 'edition premium', seen: 'community' },
      reason: 'holds for edition premium; the target is community',
    })
  })

  test('is used by every step that fails: none has a reason in its own words', () => {
    const made = own.flatMap(([file, text]) =>
      [...text.matchAll(/new StepFailed\(\s*(.{0,40})/g)].map(([, first = '']) => ({ file, first })),
    )
    expect(made.length).toBeGreaterThan(30)
    const coded = (first: string): boolean => Object.hasOwn(obstacles, /^'([a-z-]+)',/.exec(first)?.[1] ?? '')
    expect(made.filter(({ first }) => !coded(first))).toEqual([])
  })

  test('has a reason and a remedy for each way in which a step can fail', () => {
    const refused = { asked: 'POST x', answer: '500 broken' }
    expect(blockerOf('step-refused', { ...refused, cluster: 'second' })).toMatchObject({
      kind: 'given',
      reason: 'POST x on second answered 500 broken',
    })
    expect(blockerOf('not-shown', { ...refused, what: 'a token' }).reason).toBe(
      'POST x answered 500 broken, and does not show a token',
    )
    expect(blockerOf('not-shown', { asked: 'POST x', answer: '200', what: 'a token' }).reason).toBe(
      'the reply to POST x does not show a token',
    )
    expect(blockerOf('not-in-time', { what: 'second to be secondary', saw: 'primary' })).toMatchObject({
      reason: 'waited for second to be secondary until the timeout; last seen: primary',
      mend: 'raise patienceSeconds in the profile if the target only needs more time',
    })
    expect(blockerOf('step-denied', { asked: 'POST x', answer: '403' }).mend).toMatch(/assay plan --policy/)
    expect(blockerOf('step-denied', { asked: 'POST x', answer: '403', as: 'the token of the check' }).mend).toBe(
      'check on the target why the token of the check may not do this',
    )
  })
})
