import { expect, test } from 'vitest'
import { PolicySyntaxError } from '../kernel/acl/cursor.ts'
import { parseRules } from './parse.ts'

// biome-ignore format: one list reads better than forty lines
const pieces = [
  'main', '=', 'rule', '{', '}', 'true', 'false', 'null', '(', ')', '[', ']', ',', '.', 'request', 'request.path', 'token',
  'identity.entity.id', '"text"', '"', '\\', 'is', 'not', 'in', 'and', 'or', 'xor', 'matches', '"^a.*$"', 'contains', 'else',
  'when', 'func(a) { return a }', 'any', 'all', 'filter', 'map', 'as x {', 'for', 'if', '+', '*', '-=', ':', 'length(', 'x',
  'print(', 'import "time"', 'time.now.hour', 'is defined', 'break', '"[a-z]+("', '==', '!=', '<', '!', '&&', '||', '12', '-1', '#', '\n', '/*', '*/', ';', '__proto__', 'import', 'ü',
]

const facts = { now: 0, namespace: {}, request: { path: 'a' }, replication: {}, token: {}, identity: {} }

test('any text is parsed or refused with a syntax error, and each parsed document returns a result', () => {
  let state = 11
  const draw = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  let parsed = 0
  for (let round = 0; round < 12_000; round++) {
    const words = Array.from({ length: draw(12) }, () => pieces[draw(pieces.length)] ?? '').join(' ')
    try {
      const rules = parseRules(draw(3) ? `main = rule { ${words} }` : words)
      expect(typeof rules.evaluate(facts).passes).toBe('boolean')
      parsed += 1
    } catch (error) {
      if (!(error instanceof PolicySyntaxError)) throw new Error(`${JSON.stringify(words)} threw ${error}`)
    }
  }
  expect(parsed).toBeGreaterThan(150)
})
