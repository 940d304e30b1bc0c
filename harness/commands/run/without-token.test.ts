import { expect, test } from 'vitest'
import type { SelectedCheck } from '../../select/select.ts'
import { resolveTarget } from '../../targets/resolve.ts'
import type { ResolvedTarget } from '../../targets/target.ts'
import { addressOf, check, get, next, post, status, succeeds, topic } from '../../vocabulary/index.ts'
import { checkResult } from '../output/sample-results.test-bed.ts'
import { assertToken, judgedPartly, sentOnlyBy } from './without-token.ts'

const about = { requirement: 'policies.x', mutants: ['policies/x'] } as const
const open = get('sys/replication/status', { as: 'nobody' })
const things = topic('policies/errors', {
  about: '',
  checks: [
    check('status-is-open', { ...about, when: open, then: [succeeds] }),
    check('situation-needs-it', { ...about, given: [post('x', {})], when: open, then: [succeeds] }),
    check('reading-needs-it', { ...about, when: open, then: [next(get('x'), status(404))] }),
    check('control-needs-it', { ...about, when: open, control: get('x'), then: [status(403)] }),
  ],
})
const selected = things.checks.map(
  (one): SelectedCheck => ({
    topic: things,
    check: one,
    address: addressOf(things, one),
    level: 'must',
    file: '',
    suite: '',
  }),
)
const at = (token?: string) =>
  resolveTarget({ target: 'http://127.0.0.1:1' }, token ? { ASSAY_TOKEN: token } : {}) as ResolvedTarget

test('a check needs no token if none of its exchanges does', () => {
  expect(sentOnlyBy('nobody', selected, at()).map(({ check: { id } }) => id)).toEqual(['status-is-open'])
})

test('rejects a run that needs a token and has none', () => {
  const rest = selected.slice(1)
  expect(() => assertToken(at(), rest)).toThrow('no token for http://127.0.0.1:1, and every selected check needs one')
  expect(() => assertToken(at('t'), rest)).not.toThrow()
  expect(() => assertToken(at(), selected)).not.toThrow()
})

test('the checks that need no token are judged, and the results keep the selected order', async () => {
  const judgedNow: string[] = []
  const { results, executed } = await judgedPartly(
    selected,
    selected.slice(1, 2),
    async (some) => {
      judgedNow.push(...some.map(({ check: { id } }) => id))
      const results = some.map(({ check: { id } }) => checkResult(id, 'pass'))
      return {
        results,
        executed: 1,
        judgingMs: 1,
        leftBehind: [],
        findings: [],
        defects: [],
        measured: [],
        interrupted: false,
      }
    },
    (others) => others.map(({ check: { id } }) => checkResult(id, 'not-verified')),
  )
  expect(judgedNow).toEqual(['situation-needs-it'])
  expect(executed).toBe(1)
  expect(results.map(({ verdict }) => verdict)).toEqual(['not-verified', 'pass', 'not-verified', 'not-verified'])
})
