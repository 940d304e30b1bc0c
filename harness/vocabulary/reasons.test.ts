import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { blockerOf, type ObstacleCode, obstacles } from './reasons.ts'

const root = resolve(import.meta.dirname, '../..')
const own = globSync('harness/**/*.ts', { cwd: root })
  .filter((file) => !/\.(test|test-bed)\.ts$/.test(file) && !file.endsWith('vocabulary/reasons.ts'))
  .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const)
const codes = Object.keys(obstacles) as ObstacleCode[]

describe('the table of reasons', () => {
  test('has codes in kebab-case, and each is used', () => {
    for (const code of codes) expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/)
    const all = own.map(([, text]) => text).join('\n')
    expect(codes.filter((code) => !all.includes(`'${code}'`))).toEqual([])
  })

  test('is the only place with words about obstacles', () => {
    const strewn = own.filter(([, text]) => /blocker: \{\s*kind: '|\bkind: '[a-z-]+', reason/.test(text))
    expect(strewn.map(([file]) => file)).toEqual([])
  })

  test('says what helps wherever something is not verified', () => {
    const idle = codes.filter((code) => obstacles[code].mend === undefined)
    expect(idle).toEqual(['area-absent', 'holds-elsewhere', 'left-open'])
  })

  test('makes words of facts, and keeps both', () => {
    expect(blockerOf('connection-cut', { asked: 'GET x', cuts: 4 })).toEqual({
      kind: 'transport',
      code: 'connection-cut',
      facts: { asked: 'GET x', cuts: 4 },
      reason: 'the target cut the connection at GET x (4 times of 4), and answers other requests',
      mend: 'see what the log of the target, or of the proxy before it, says about this request',
    })
    expect(blockerOf('holds-elsewhere', { fact: 'edition', wanted: 'edition premium', seen: 'community' })).toEqual({
      kind: 'edition',
      code: 'holds-elsewhere',
      facts: { fact: 'edition', wanted: 'edition premium', seen: 'community' },
      reason: 'holds for edition premium; the target is community',
    })
  })

  test('lets a step say what helps where it knows better', () => {
    expect(blockerOf('step-refused', { says: 'POST x answered 500', mend: 'see y' }).mend).toBe('see y')
    expect(blockerOf('step-refused', { says: 'POST x answered 500' }).mend).toMatch(/^see the exchange/)
  })
})
