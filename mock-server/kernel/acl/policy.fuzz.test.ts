import { expect, test } from 'vitest'
import { compileAcl } from './compile.ts'
import { PolicySyntaxError } from './cursor.ts'
import { parsePolicy } from './policy.ts'

/** A random generator with a seed, so that a failure can be repeated. */
function draws(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const pieces = [
  'path', 'name', '"a"', '"secret/*"', '"+/x"', '{', '}', '[', ']', '=', ',', ':', '"', '\\', '\n', '#', '//', '/*', '*/',
  '<<EOF', '<<-E', 'EOF', 'E', 'capabilities', '"read"', 'policy', '"deny"', '0x1f', '-1.5e3', 'true', 'null', '\u0000',
  'ü', '\ud800', '{{identity.entity.id}}', 'allowed_parameters', '__proto__', '"path"', '"\\u00', ' ', '\t',
] // biome-ignore format: one list reads better than forty lines
const seeds = [
  'path "a/*" { capabilities = ["read", "list"] allowed_parameters = { "k" = ["v*"] } min_wrapping_ttl = "1s" }',
  '{"path": {"a": {"capabilities": ["read"], "denied_parameters": {"*": []}}}}',
  'path "a" { comment = <<EOF\nx\nEOF\n policy = "write" }\nname = "n"',
]

function outcome(text: string): 'policy' | 'error' {
  try {
    compileAcl([parsePolicy(text)]).check({ path: 'a/b', capability: 'read', parameters: { k: 'v' } })
    return 'policy'
  } catch (error) {
    if (!(error instanceof PolicySyntaxError)) throw new Error(`${JSON.stringify(text)} threw ${error}`)
    const lines = text.split('\n')
    if (error.line > lines.length || error.column > (lines[error.line - 1] ?? '').length + 1) {
      throw new Error(`${JSON.stringify(text)}: ${error.message} is outside the text`)
    }
    return 'error'
  }
}

test('any document results in a policy, or in a syntax error with a position inside the text', () => {
  const draw = draws(7)
  const outcomes = { policy: 0, error: 0 }
  for (let round = 0; round < 6_000; round++) {
    const words = Array.from({ length: draw(24) }, () => pieces[draw(pieces.length)] ?? '')
    outcomes[outcome(words.join(draw(2) ? ' ' : ''))] += 1
  }
  for (let round = 0; round < 6_000; round++) {
    const seed = seeds[draw(seeds.length)] ?? ''
    const [from, to] = [draw(seed.length), draw(seed.length)].sort((a, b) => a - b)
    outcomes[outcome(seed.slice(0, from) + (pieces[draw(pieces.length * 2)] ?? '') + seed.slice(to))] += 1
  }
  expect(outcomes.policy).toBeGreaterThan(200)
  expect(outcomes.error).toBeGreaterThan(2_000)
})

test('long and deep documents are parsed within the timeout', () => {
  const texts = [
    '{',
    '[',
    '"',
    '/*',
    '#\n',
    '<<E\n',
    'a = [',
    '{"path":',
    'a ',
    'path "a" {} ',
    '1.',
    '\\',
    'x = "${',
  ].map((piece) => piece.repeat(20_000))
  texts.push(`{"path": {"a": {"capabilities": [${'"read",'.repeat(20_000)}"read"]}}}`)
  for (const text of texts) expect(['policy', 'error']).toContain(outcome(text))
})
