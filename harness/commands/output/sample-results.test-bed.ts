/** Sample results for tests. */
import { assemble } from '../../verdict/document.ts'
import type { CheckResult, Requirement, ResultDocument, Verdict } from '../../vocabulary/index.ts'

export const checkResult = (id: string, verdict: Verdict): CheckResult => ({
  id: `policies/errors/${id}`,
  topic: 'policies/errors',
  area: 'policies',
  kind: 'errors',
  level: 'must',
  safety: 'scoped',
  requirements: ['policies.acl.write.policy-required'],
  verdict,
  mismatches: [],
  given: [],
  when: 'POST x',
  then: ['the request is refused'],
  exchanges: [],
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 1,
})

export interface Sample {
  readonly checks: readonly CheckResult[]
  readonly run?: Partial<ResultDocument['run']>
  readonly leftBehind?: readonly string[]
  readonly cleanCommands?: readonly string[]
  readonly defects?: readonly string[]
  readonly regressed?: readonly string[]
  readonly outdated?: readonly string[]
  readonly accepted?: ResultDocument['accepted']
  readonly paths?: readonly string[]
  readonly requirements?: readonly Requirement[]
  readonly absentAreas?: ResultDocument['target']['absentAreas']
}

export const sampleResult = ({
  checks,
  run = {},
  leftBehind = [],
  absentAreas = [],
  ...more
}: Sample): ResultDocument =>
  assemble({
    suite: { name: 'assay', version: '0.1.0', commit: null },
    requirements: [],
    run: {
      id: 'a1',
      startedAt: '2026-01-01T00:00:00.000Z',
      finishedAt: '2026-01-01T00:00:01.000Z',
      durationMs: 1000,
      judgingMs: 900,
      seed: 1,
      jobs: 8,
      safety: 'scoped',
      selection: { areas: ['policies'], asked: [], checks: checks.map(({ id }) => id), level: 'should' },
      leftOut: [],
      interrupted: false,
      ...run,
    },
    target: {
      url: 'http://127.0.0.1:8200',
      name: '127.0.0.1:8200',
      dialect: 'vault',
      insecure: false,
      declared: {},
      observed: {},
      facts: {},
      evidence: {},
      absentAreas,
      capabilities: [],
      probe: [],
    },
    findings: [],
    checks,
    leftBehind,
    ...more,
  })
