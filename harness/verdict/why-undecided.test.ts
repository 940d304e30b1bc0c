import { describe, expect, test } from 'vitest'
import { checkResult } from '../commands/output/sample-results.test-bed.ts'
import { type Blocker, blockerOf, type CheckResult, type RecordedExchange } from '../vocabulary/index.ts'
import { type Circumstances, verdictOf } from './verdict.ts'

let made = 0
const open = (blocker: Blocker, ...exchanges: RecordedExchange[]): CheckResult => ({
  ...checkResult(`open-${++made}`, 'not-verified'),
  ...{ blocker, exchanges },
})
const pass = (...exchanges: RecordedExchange[]): CheckResult => ({
  ...checkResult(`pass-${++made}`, 'pass'),
  exchanges,
})

/** Makes an exchange that was sent in this second; without a status, it got no reply. */
const sent = (second: number, method: string, status?: number): RecordedExchange => ({
  ...{ phase: 'when', method, url: 'http://127.0.0.1:8200/v1/x', requestHeaders: {}, as: 'operator' },
  attempts: [
    { sentAt: `2026-01-01T00:00:0${second}.000Z`, durationMs: 1, ...(status === undefined ? {} : { status }) },
  ],
})

const verdictFor = (checks: readonly CheckResult[]) => {
  const calm: Omit<Circumstances, 'checks'> = {
    ...{ interrupted: false, leftBehind: [], defects: [], regressed: [], outdated: [], asked: [] },
    ...{ absentAreas: [], leftOut: [], isShard: false },
  }
  return verdictOf({ ...calm, checks })
}

describe('the headline names what kept the checks from a verdict', () => {
  test.each([
    ['sealed', 'The target is sealed, so nothing could be judged.', 'Unseal it, and run again.'],
    [
      'not-initialized',
      'The target is not initialized, so nothing could be judged.',
      'Initialize and unseal it, and run again.',
    ],
    [
      'token-untold',
      'The replies from http://a/x do not show whether the token is valid (404), so nothing could be judged.',
      'Fix the URL or the namespace, or check whether a proxy replies in place of the target, and run again.',
    ],
    [
      'token-replaced',
      'A token that nobody issued is served at http://a/x as if it were yours: something in front of the target, such as an agent with a token of its own, replaces tokens, or the target checks none, so nothing could be judged.',
      'Judge the target at its own address, and run again.',
    ],
  ] as const)('%s: it never served', (code, headline, mend) => {
    const blocker = blockerOf(code, { url: 'http://a/x', told: '404' })
    const verdict = verdictFor([open(blocker), open(blocker)])
    expect(verdict).toMatchObject({
      word: 'not-served',
      exitCode: 5,
      headline,
      reasons: [{ code: 'not-served', mend }],
    })
  })

  test('a target that was sealed in mid-run has served', () => {
    expect(verdictFor([pass(), open(blockerOf('sealed', {}))])).toMatchObject({ word: 'incomplete', exitCode: 3 })
  })

  test('the target went away', () => {
    const failing = blockerOf('target-failing', { says: 'nothing more was sent' })
    const checks = [pass(sent(1, 'GET', 200), sent(2, 'POST', 204)), open(failing, sent(3, 'GET')), open(failing)]
    expect(verdictFor(checks).headline).toBe(
      '2 must checks could not be verified, mostly because the target went away after 2 requests.',
    )
  })

  test('a target that answers to the end has not gone away', () => {
    const failing = blockerOf('target-failing', { says: 'still 503 after all retries' })
    expect(verdictFor([pass(sent(1, 'GET', 200)), open(failing, sent(2, 'GET', 503))]).headline).toBe(
      '1 must check could not be verified, mostly because still 503 after all retries.',
    )
  })

  test('every write was denied', () => {
    const denied = blockerOf('step-denied', { asked: 'POST x', answer: '403' })
    const checks = [pass(sent(1, 'GET', 200)), open(denied, sent(2, 'POST', 403)), open(denied, sent(3, 'DELETE', 403))]
    expect(verdictFor(checks).headline).toContain('mostly because every write was denied to the token')
    expect(verdictFor([...checks, pass(sent(4, 'POST', 204))]).headline).not.toContain('every write')
  })

  test('nodes were behind', () => {
    const behind = open(blockerOf('nodes-differ', { asked: 'POST x', words: 'they did not agree within 10 s' }))
    expect(verdictFor([pass(), behind, behind])).toMatchObject({
      headline: expect.stringContaining('mostly because nodes behind the address did not show what was written'),
      reasons: [{ code: 'not-verified', facts: { whyCode: 'standby' } }],
    })
  })

  test('what helps most of them comes first', () => {
    const facts = { asked: 'DELETE x', status: 403, who: 'nginx, with a page' }
    const behind = open(blockerOf('gateway-answered', facts))
    const helps = 'Judge the target at its own address, or let nginx pass its replies on as they are: '
    const mendOf = (checks: readonly CheckResult[]) => verdictFor(checks).reasons[0]?.mend
    expect(mendOf([behind, behind])).toMatch(new RegExp(`^${helps}[^;]+\\.$`))
    expect(mendOf([pass(), behind])).toMatch(new RegExp(`^${helps}[^;]+; or exclude the checks `))
  })

  test('nothing, if there are several obstacles', () => {
    const need = (line: string) => open(blockerOf('not-provided', { needs: [line], lines: [line] }))
    expect(verdictFor([pass(), need('a'), need('b'), need('c')]).headline).toBe('3 must checks could not be verified.')
    expect(verdictFor([need('a'), need('b'), need('c')]).headline).toBe('None of 3 checks could be decided.')
    expect(verdictFor([need('a')]).headline).toBe(
      'The only check could not be decided, because the profile does not provide a.',
    )
  })
})
