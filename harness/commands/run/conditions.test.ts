import { expect, test } from 'vitest'
import { createRedactor } from '../../redaction/redaction.ts'
import type { SessionPlan } from '../../run/session-plan.ts'
import { commandFor, conditionsOf } from './conditions.ts'
import type { RunFlags } from './flags.ts'

const flags: RunFlags = { level: 'should', jobs: 8, seed: 1, out: 'x', format: [] }
const target = { timeoutMs: 30_000, maxRps: 0, maxWaitSeconds: 20, patienceSeconds: 60 }
const conditions = (more: Partial<RunFlags>, profile: string, secrets: readonly string[] = []) =>
  conditionsOf(
    { target } as SessionPlan,
    { ...flags, ...more },
    [{ name: 'profile', text: profile }],
    createRedactor(secrets),
  )

test('the command has every flag that matters, but no dangerous or secret value', () => {
  expect(
    commandFor({
      ...flags,
      ...{ profile: 'my profile.yaml', area: ['pki', 'cloud'], check: ['pki/*', '!pki/errors/*'], literal: false },
      ...{
        safety: 'disruptive',
        allowDisruptive: '4c8a',
        control: 'http://127.0.0.1:1/key',
        shard: { index: 1, of: 3 },
      },
      ...{ maxDuration: 60, known: ['openbao-2.6'], sign: 'key.pem' },
    }),
  ).toBe(
    "npx assay run --profile 'my profile.yaml' --area pki,cloud --check 'pki/*' --check '!pki/errors/*' --level should --safety disruptive --allow-disruptive CLUSTER_ID --control URL --max-duration 60 --jobs 8 --seed 1 --shard 1/3 --known openbao-2.6",
  )
})

test('the command of a run of the embedded server names it', () => {
  expect(commandFor(flags)).toBe('npx assay run embedded --level should --jobs 8 --seed 1')
})

test('the hash of a profile changes with the profile, and not with its secrets', () => {
  const hash = (profile: string, secret: string) => conditions({}, profile, [secret]).inputs[0]?.sha256
  const one = hash('token: first-secret\nurl: a', 'first-secret')
  expect(hash('token: other-secret\nurl: a', 'other-secret')).toBe(one)
  expect(hash('token: first-secret\nurl: b', 'first-secret')).not.toBe(one)
})

test('timeouts are those of the target', () => {
  expect(conditions({ maxDuration: 90 }, '')).toMatchObject({
    ...{ timeoutSeconds: 30, maxWaitSeconds: 20, patienceSeconds: 60, maxDurationSeconds: 90, node: process.version },
  })
})
