/** Makes result documents for the tests of the reports. They look like the result of a run, have any size, and are the
 * same for the same seed. */
import { en, Faker } from '@faker-js/faker'
import type {
  Area,
  CheckResult,
  Finding,
  Kind,
  Level,
  Requirement,
  ResultDocument,
  Verdict,
} from '../../../harness/vocabulary/index.ts'
import { count } from '../tally.ts'
import { type Outcome, sampleCauses, sampleVerdict } from './causes.ts'
import { sampleBlocker, sampleExchanges, sampleMismatch, sampleProbe } from './exchanges.ts'
import { hostileText } from './text.ts'

export interface SampleOptions {
  readonly checks?: number
  readonly outcome?: Outcome
  /** Puts markup, control characters, right-to-left text and huge bodies wherever the text comes from a target. */
  readonly hostile?: boolean
  readonly seed?: number
}

const kinds = ['fields', 'transitions', 'errors', 'limits', 'versions', 'access'] as const

const subjects: Readonly<Record<Area, readonly string[]>> = {
  'dr-replication': ['primary-enable', 'secondary-token', 'operation-token', 'status', 'demote'],
  'performance-replication': ['paths-filter', 'dynamic-filter', 'secondary-enable', 'promote'],
  policies: ['acl', 'rgp', 'egp', 'name-path-map', 'enforcement-level'],
  pki: ['root', 'intermediate', 'role', 'issue', 'revoke', 'crl', 'sign-verbatim'],
  'plugin-catalog': ['register', 'read', 'list', 'reload'],
  'mfa-legacy': ['totp-method', 'secret', 'admin-destroy'],
  'mfa-identity': ['method', 'login-enforcement', 'secret'],
  cloud: ['root-config', 'lease', 'role', 'credentials', 'static-role'],
}

const duties: Readonly<Record<(typeof kinds)[number], readonly string[]>> = {
  fields: ['returns-what-was-written', 'takes-the-default', 'keeps-unknown-fields-out', 'accepts-a-list'],
  transitions: ['takes-effect-at-once', 'is-gone-after-delete', 'replaces-the-earlier-one'],
  errors: ['without-a-name-is-refused', 'with-a-wrong-type-is-refused', 'of-an-absent-one-is-not-found'],
  limits: ['holds-at-the-upper-bound', 'is-cut-at-the-maximum'],
  versions: ['exists-since-0-9', 'is-absent-before-1-3'],
  access: ['needs-the-capability', 'is-refused-without-a-token', 'needs-sudo'],
}

const outcomes: Readonly<Record<Outcome, readonly { value: Verdict; weight: number }[]>> = {
  conformant: [
    { value: 'pass', weight: 900 },
    { value: 'not-applicable', weight: 60 },
    { value: 'warn', weight: 12 },
    { value: 'accepted', weight: 6 },
  ],
  'non-conformant': [
    { value: 'pass', weight: 880 },
    { value: 'fail', weight: 28 },
    { value: 'warn', weight: 16 },
    { value: 'accepted', weight: 8 },
    { value: 'not-applicable', weight: 50 },
    { value: 'not-verified', weight: 24 },
    { value: 'error', weight: 4 },
  ],
  incomplete: [
    { value: 'pass', weight: 640 },
    { value: 'not-verified', weight: 290 },
    { value: 'not-applicable', weight: 60 },
    { value: 'warn', weight: 10 },
  ],
}

export function sampleDocument(options: SampleOptions = {}): ResultDocument {
  const { checks: wanted = 60, outcome = 'non-conformant', hostile = false, seed = 7 } = options
  const faker = new Faker({ locale: en, seed })
  const areas = wanted < 80 ? (['policies'] as const) : (Object.keys(subjects) as Area[])
  const requirements: Requirement[] = []
  const checks: CheckResult[] = []
  const each = Math.ceil(wanted / areas.length)
  for (const area of areas) {
    for (let n = 0; n < each && checks.length < wanted; n++) {
      const made = sampleCheck(faker, { area, n, each, outcome, hostile, at: checks.length })
      checks.push(made.check)
      if (made.requirement) requirements.push(made.requirement)
    }
    requirements.push(openRequirement(area))
  }
  const counts = count(checks)
  const causes = sampleCauses(checks)
  const judgingMs = checks.reduce((sum, check) => sum + check.durationMs, 0)
  return {
    schema: 'assay/result/2',
    suite: { name: 'assay', version: '0.1.0', commit: '1f0c2d9a7b64e8355c0f7ad2b9e4410c66f3a8de' },
    register: {
      hash: faker.string.hexadecimal({ length: 64, casing: 'lower', prefix: '' }),
      requirements,
      faults,
      documents: { 1: 'Replication and Policies', 2: 'Certificates and Plugins', 3: 'Second Factors and Clouds' },
    },
    run: {
      id: 'k3v9q2',
      startedAt: '2026-11-20T09:30:00.000Z',
      finishedAt: new Date(Date.UTC(2026, 10, 20, 9, 30, 1) + judgingMs).toISOString(),
      durationMs: judgingMs + 1000,
      judgingMs,
      seed: 42,
      jobs: 8,
      safety: 'scoped',
      selection: { areas: [...new Set(checks.map(({ area }) => area))], asked: [], checks: [], level: 'must' },
      leftOut: [],
      interrupted: false,
      conditions: sampleConditions,
    },
    target: sampleTarget(hostile),
    findings: sampleFindings(outcome, hostile),
    checks,
    causes,
    leftBehind: outcome === 'non-conformant' ? ['policy acl assay-k3v9q2-17-policy'] : [],
    accepted: [],
    verdict: sampleVerdict(outcome, counts, causes),
    counts,
  }
}

interface Position {
  readonly area: Area
  readonly n: number
  readonly each: number
  readonly at: number
  readonly outcome: Outcome
  readonly hostile: boolean
}

/** The topic of a made-up check: a subject of its area, and something that must hold of it. */
interface Story {
  readonly kind: Kind
  readonly subject: string
  readonly duty: string
  /** `-2` and so on once all subjects and duties are used up; otherwise empty. */
  readonly suffix: string
  /** The number of the check within its area. */
  readonly n: number
}

/** Chooses the topic of a check. The checks of an area are ordered by kind, as in a suite. */
function storyOf({ area, each, n: position }: Position): Story {
  const perKind = Math.ceil(each / kinds.length)
  const n = (position % perKind) * kinds.length + Math.floor(position / perKind)
  const kind = kinds[n % kinds.length] ?? 'fields'
  const list = subjects[area]
  const subject = list[Math.floor(n / kinds.length) % list.length] ?? 'thing'
  const duty = duties[kind][Math.floor(n / (kinds.length * list.length)) % duties[kind].length] ?? 'holds'
  const round = Math.floor(n / (kinds.length * list.length * duties[kind].length))
  return { kind, subject, duty, n, suffix: round ? `-${round + 1}` : '' }
}

function sampleCheck(faker: Faker, position: Position): { check: CheckResult; requirement?: Requirement } {
  const story = storyOf(position)
  const usual = faker.helpers.weightedArrayElement([
    { value: 'must' as const, weight: 8 },
    { value: 'should' as const, weight: 1 },
  ])
  const drawn = faker.helpers.weightedArrayElement([...outcomes[position.outcome]])
  const verdict = drawn === 'fail' && usual === 'should' ? 'warn' : drawn
  const level = verdict === 'warn' ? 'should' : verdict === 'fail' ? 'must' : usual
  const requirement = sampleRequirement(faker, position, story, level)
  return { requirement, check: sampleResult(faker, position, story, { requirement, verdict }) }
}

function sampleRequirement(faker: Faker, { area, hostile }: Position, story: Story, level: Level): Requirement {
  const { kind, subject, duty, suffix, n } = story
  const words = `${subject.replaceAll('-', ' ')} ${duty.replaceAll('-', ' ')}`
  return {
    id: `${area}.${subject}.${duty}${suffix}`,
    area,
    level,
    says: hostile && n % 7 === 0 ? hostileText : `The ${words}, and the very next request already sees it.`,
    source: {
      document: documentOf(area),
      section: kind === 'access' ? 'Authentication' : 'Endpoints, Policy endpoints',
      row: faker.helpers.arrayElement(['LIST', 'GET', 'POST', 'DELETE', 'rule 2']),
      ...(n % 11 === 0 ? { reading: 10 } : {}),
    },
    ...(n % 9 === 0 ? { applies: { editions: ['premium' as const], since: '0.9' } } : {}),
  }
}

function documentOf(area: Area): 1 | 2 | 3 {
  if (area === 'pki' || area === 'plugin-catalog') return 2
  return area.startsWith('mfa') || area === 'cloud' ? 3 : 1
}

interface Judged {
  readonly requirement: Requirement
  readonly verdict: Verdict
}

function sampleResult(faker: Faker, position: Position, story: Story, { requirement, verdict }: Judged): CheckResult {
  const { area, hostile, at } = position
  const { kind, subject, duty, suffix, n } = story
  const isHostile = hostile && n % 5 === 0
  const noun = subject.replaceAll('-', ' ')
  const isFinding = verdict === 'fail' || verdict === 'warn' || verdict === 'accepted'
  const isSilent = verdict === 'not-applicable'
  const exchanges = isSilent ? [] : sampleExchanges(faker, { area, subject, verdict, hostile, at })
  const mismatches = isFinding ? sampleMismatch(exchanges, hostile) : []
  const blocker = sampleBlocker(faker, verdict)
  return {
    id: `${area}/${kind}/${subject}-${duty}${suffix}`,
    topic: `${area}/${kind}`,
    area,
    kind,
    level: requirement.level,
    safety: kind === 'transitions' ? 'scoped' : 'read-only',
    requirements: [requirement.id],
    verdict,
    ...(blocker ? { blocker } : {}),
    mismatches,
    ...(verdict === 'accepted' ? { accepted: sampleAcceptance } : {}),
    given: ['a token with the policy `{policy}` exists', `a ${noun} of that name exists`],
    when: isHostile ? hostileText : `the ${noun} is read`,
    then: ['the reply is a success', '/data/policy is the text that was written'],
    ...(kind === 'errors' ? { control: `the same request with a name` } : {}),
    provenBy: { mutants: at % 3 === 0 ? mutants : mutants.slice(0, 1), faults: at % 2 === 0 ? [wireFault] : [] },
    names: { policy: isHostile ? hostileText : `assay-k3v9q2-${at}-policy` },
    exchanges,
    startedAt: new Date(Date.UTC(2026, 10, 20, 9, 30, 1) + at * 40).toISOString(),
    durationMs: exchanges.reduce((sum, one) => sum + (one.attempts.at(-1)?.durationMs ?? 0), 0),
  }
}

const sampleConditions = {
  command: 'npx assay run --profile staging.yaml --level should --jobs 8 --seed 42',
  ...{ node: 'v24.1.0', timeoutSeconds: 30, maxRps: 0, maxWaitSeconds: 20, patienceSeconds: 60 },
  inputs: [{ name: 'profile', sha256: '5f'.repeat(32) }],
} as const

const mutants = ['kernel/forgets', 'kernel/lies', 'kernel/answers-late', 'kernel/mixes-names']
const wireFault = 'policies/acl.read/stale'
const faults = Object.fromEntries([...mutants, wireFault].map((id) => [id, `What ${id} does.`]))

const sampleAcceptance = {
  was: 'fail',
  at: 'accepted.yaml:1:3',
  until: '2027-01-31',
  reason: 'Known since 1.13; fixed in the next release.',
  issue: 'https://tracker.example/4711',
} as const

function openRequirement(area: Area): Requirement {
  return {
    id: `${area}.replies.status-code`,
    area,
    level: 'info',
    says: 'The exact status code of a refusal.',
    source: { document: 1, section: 'Errors', row: 'first sentence' },
    open: 'Error status codes and the shape of error bodies are not shown.',
  }
}

const known = { product: 'reference', edition: 'premium', features: { 'cloud.static-roles': 'served' } } as const

function sampleTarget(hostile: boolean): ResultDocument['target'] {
  return {
    url: 'https://secrets.staging.example:8200',
    name: hostile ? hostileText : 'staging, eu-west',
    dialect: 'vault',
    insecure: hostile,
    declared: { edition: 'premium', version: '1.14.0' },
    observed: { version: '1.14.1', ...known },
    facts: { version: '1.14.0', ...known },
    evidence: {
      version: 'GET sys/health, /version',
      edition: 'GET sys/policies/egp answered 200',
      product: 'GET sys/health',
    },
    sealed: false,
    clockSkewMs: 118,
    absentAreas: [],
    capabilities: [
      { path: 'sys/policies/acl/*', capabilities: ['create', 'read', 'update', 'delete', 'list'] },
      { path: 'sys/replication/dr/primary/secondary-token', capabilities: ['deny'] },
    ],
    probe: sampleProbe(hostile),
  }
}

function sampleFindings(outcome: Outcome, hostile: boolean): Finding[] {
  if (outcome === 'conformant') return []
  const findings: Finding[] = [
    {
      severity: 'warning',
      code: 'version-differs',
      text: 'The profile declares version 1.14.0; sys/health says 1.14.1. The declared version decides which checks apply.',
    },
    { severity: 'note', code: 'clock-skew', text: 'The clock of the target is 118 ms ahead.' },
  ]
  return hostile ? [...findings, { severity: 'error', code: 'hostile', text: hostileText }] : findings
}
