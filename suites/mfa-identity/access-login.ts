/** Logins that require a code. */
import { type Check, check, type JsonObject, type Step } from '../../harness/vocabulary/index.ts'
import { entity, user } from '../given.ts'
import {
  type Authenticator,
  enforced,
  enforcedBy,
  failedLogins,
  givesNoToken,
  givesNoTokenPlainly,
  givesToken,
  login,
  loginBy,
  loginWith,
  loginWithoutCode,
  periodPassed,
  proven,
  remembered,
  stepOfItsOwn,
} from '../mfa/codes.ts'
import { caller, defined, definedWhereTaken, fields, generated } from '../mfa/given.ts'
import { topic } from '../mfa/topic.ts'
import { identity } from '../mfa/variant.ts'
import { action } from '../records.ts'

const requirement = (id: string): string => `mfa-identity.login.${id}`

/** `user` has a secret of the method, and has to log in with a code. */
const situation = (method: JsonObject): readonly Step[] => [
  definedWhereTaken(identity, fields(method)),
  user('user', []),
  generated(identity.adminGenerate('userId'), 'secret'),
  enforced,
]

const plain: Authenticator = { period: 30, digits: 6, algorithm: 'SHA1' }
/** The time steps are long, so that no check has to wait, and a few seconds between two requests do not matter. */
const slow: Authenticator = { ...plain, period: 600 }
const withSkew = (skew: number, authenticator: Authenticator = slow): JsonObject => ({ ...authenticator, skew })

/** Each of these checks may move the clock. */
const timed = { needs: ['entity'], lock: 'clock' } as const

const configured: readonly { readonly id: string; readonly authenticator: Authenticator }[] = [
  ...(['SHA256', 'SHA512'] as const).map((algorithm) => ({
    id: algorithm.toLowerCase(),
    authenticator: { ...plain, algorithm },
  })),
  { id: '8-digits', authenticator: { ...plain, digits: 8 } },
  { id: 'another-period', authenticator: slow },
]

const ofConfiguration = [
  check('login-takes-a-code-by-default', {
    ...timed,
    requirement: requirement('code'),
    given: situation({}),
    when: login(plain, 0),
    then: [givesToken],
  }),
  ...configured.map(({ id, authenticator }) =>
    check(`login-takes-a-code-of-${id}`, {
      ...timed,
      requirement: requirement('as-configured'),
      given: situation({ ...authenticator }),
      when: login(authenticator, 0),
      then: [givesToken],
    }),
  ),
]

const long: Authenticator = { ...slow, digits: 8 }
const ofLogins = [
  // A code of 6 digits is the end of the code of 8 digits (RFC 4226, 5.3).
  check('a-code-of-6-digits-does-not-validate-for-8', {
    ...timed,
    requirement: requirement('as-configured'),
    given: [...situation(withSkew(1, long)), stepOfItsOwn(slow), proven(long, -1)],
    when: login(slow, 0),
    then: [givesNoToken],
  }),
  check('a-login-without-a-code-gives-no-token', {
    ...timed,
    requirement: requirement('code'),
    given: [...situation(withSkew(1)), stepOfItsOwn(slow), proven(slow, 0)],
    when: loginWithoutCode,
    then: [givesNoTokenPlainly],
  }),
]

const taken = [
  { id: 'late', step: -1 },
  { id: 'early', step: 1 },
].map(({ id, step }) =>
  check(`skew-1-takes-a-code-one-step-${id}`, {
    ...timed,
    requirement: requirement('skew'),
    given: [...situation(withSkew(1)), stepOfItsOwn(slow)],
    when: login(slow, step),
    then: [givesToken],
  }),
)

const notTaken = [
  { skew: 1, step: -2 },
  { skew: 1, step: 2 },
  { skew: 0, step: -1 },
  { skew: 0, step: 1 },
].map(({ skew, step }) =>
  check(`skew-${skew}-refuses-a-code-${skew === 0 ? 'one-step' : 'two-steps'}-${step < 0 ? 'late' : 'early'}`, {
    ...timed,
    requirement: requirement('skew'),
    // No code of an earlier time step has been valid since the secret was created.
    given: [stepOfItsOwn(slow), ...situation(withSkew(skew)), proven(slow, 0)],
    when: login(slow, step),
    then: [givesNoToken],
  }),
)

const brief: Authenticator = { ...plain, period: 10 }
const ofTime: readonly Check[] = [
  check('a-code-ends-with-its-period', {
    ...timed,
    needs: ['entity', 'clock'],
    requirement: requirement('period'),
    given: [
      ...situation(withSkew(0, brief)),
      stepOfItsOwn(brief),
      remembered(brief, 'old'),
      periodPassed(brief),
      proven(brief, 0),
    ],
    when: loginWith('old'),
    then: [givesNoToken],
  }),
]

const limited = (most: number): JsonObject => ({ ...withSkew(1), max_validation_attempts: most })
const ofAttempts = [
  check('attempts-beyond-the-limit-fail', {
    ...timed,
    requirement: requirement('attempts'),
    given: [...situation(limited(2)), stepOfItsOwn(slow), proven(slow, -1), failedLogins(slow, 2)],
    when: login(slow, 0),
    then: [givesNoToken],
  }),
  check('attempts-beyond-the-default-limit-fail', {
    ...timed,
    requirement: requirement('attempts'),
    given: [...situation(withSkew(1)), stepOfItsOwn(slow), proven(slow, -1), failedLogins(slow, 5)],
    when: login(slow, 0),
    then: [givesNoToken],
  }),
  check('attempts-within-the-limit-do-no-harm', {
    ...timed,
    requirement: requirement('attempts'),
    // The limit is higher than the default.
    given: [...situation(limited(7)), stepOfItsOwn(slow), failedLogins(slow, 6)],
    when: login(slow, 0),
    then: [givesToken],
  }),
  check('failures-of-another-entity-do-no-harm', {
    ...timed,
    requirement: requirement('attempts-own'),
    given: [
      ...situation(limited(2)),
      user('other', []),
      generated(identity.adminGenerate('otherId'), 'otherSecret'),
      enforcedBy(['method'], '{rule}-other', 'entity', 'other'),
      stepOfItsOwn(slow),
      failedLogins(slow, 3, 'other'),
    ],
    when: login(slow, 0),
    then: [givesToken],
  }),
  check('only-consecutive-failures-count', {
    ...timed,
    requirement: requirement('attempts-consecutive'),
    given: [
      ...situation(limited(2)),
      stepOfItsOwn(slow),
      failedLogins(slow, 1),
      proven(slow, -1),
      failedLogins(slow, 1),
    ],
    when: login(slow, 0),
    then: [givesToken],
  }),
]

/** A second generation may be accepted or refused (reading 33). The login shows which secret is valid afterwards. */
const generatedAgain: Step = action(
  'a secret is requested again, by the operator and by `user`',
  { touches: [identity.adminGenerate('userId'), identity.generate('session', 'userId')] },
  async (scope) => {
    await scope.send(identity.adminGenerate('userId'))
    await scope.send(identity.generate('session', 'userId'))
  },
)

const ofSecrets = [
  check('the-first-secret-still-validates', {
    ...timed,
    requirement: [
      requirement('first-secret'),
      'mfa-identity.admin-generate.no-overwrite',
      'mfa-identity.generate.no-overwrite',
    ],
    given: [
      defined(identity, fields({ ...plain })),
      ...caller(identity),
      generated(identity.generate('session', 'userId'), 'secret'),
      generatedAgain,
      enforced,
    ],
    when: login(plain, 0),
    then: [givesToken],
  }),
  check('a-renewed-secret-validates', {
    ...timed,
    requirement: requirement('code'),
    given: [
      ...situation({ ...plain }),
      identity.adminDestroy('userId'),
      generated(identity.adminGenerate('userId'), 'renewed'),
    ],
    when: loginBy('renewed', plain),
    then: [givesToken],
  }),
  ...(
    [
      ['method', [defined(identity, fields(withSkew(1)), 'second')], identity.adminGenerate('userId', 'second')],
      ['entity', [entity('person')], identity.adminGenerate('personId')],
    ] as const
  ).map(([what, made, generating]) =>
    check(`a-code-of-another-${what}-does-not-validate`, {
      ...timed,
      requirement: requirement('own-secret'),
      given: [
        ...situation(withSkew(1)),
        ...made,
        generated(generating, 'otherSecret'),
        stepOfItsOwn(slow),
        proven(slow, -1),
      ],
      when: loginBy('otherSecret', slow),
      then: [givesNoToken],
    }),
  ),
  check('a-destroyed-secret-no-longer-validates', {
    ...timed,
    requirement: [requirement('destroyed-secret'), 'mfa-identity.admin-destroy.removes'],
    given: [...situation(withSkew(1)), stepOfItsOwn(slow), proven(slow, -1), identity.adminDestroy('userId')],
    when: login(slow, 0),
    then: [givesNoToken],
  }),
]

export default topic('mfa-identity/access-login', {
  about: 'Logins that require a code: which codes are accepted, how late or early, and after how many failures.',
  names: ['user', 'other', 'rule', 'person', 'access'],
  checks: [...ofConfiguration, ...ofLogins, ...taken, ...notTaken, ...ofTime, ...ofAttempts, ...ofSecrets],
})
