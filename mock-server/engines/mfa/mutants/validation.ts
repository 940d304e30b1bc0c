/** Faults of how codes are validated at a login. */
import type { ValidationTables } from '../tables.ts'
import { type Fault, fault, inGroup } from './cells.ts'

const login = (id: string, does: string, change: (before: ValidationTables) => Partial<ValidationTables>): Fault =>
  fault(id, does, inGroup('validation', change))

export const validationFaults: readonly Fault[] = [
  login('login-ignores-algorithm', 'Codes are always validated with SHA1, whatever the method says.', () => ({
    algorithm: () => 'SHA1',
  })),
  login('login-ignores-digits', 'Codes are always validated with 6 digits, whatever the method says.', () => ({
    digits: () => 6,
  })),
  login('login-ignores-period', 'Codes are always validated with a period of 30 s, whatever the method says.', () => ({
    period: () => 30,
  })),
  login(
    'login-refuses-default-codes',
    'Codes are validated with SHA512 if the algorithm of the method is SHA1.',
    () => ({
      algorithm: ({ algorithm }) => (algorithm === 'SHA1' ? 'SHA512' : algorithm),
    }),
  ),
  login(
    'login-takes-the-last-digits-of-a-code',
    'The last 6 digits of a code of 8 digits are accepted as the code.',
    ({ isCode }) => ({ isCode: (given, right) => isCode(given, right) || isCode(given, right.slice(-6)) }),
  ),
  login('login-needs-no-code', 'A login that needs a code and brings none gives a token.', () => ({
    withoutCode: 'passed',
  })),
  login('login-attempts-at-most-5', 'At most 5 failed validations are allowed, whatever the method says.', () => ({
    failures: (maximum) => Math.min(5, maximum),
  })),
  login('login-takes-no-late-code', 'Codes of earlier periods are refused, whatever skew says.', ({ steps }) => ({
    steps: (skew) => steps(skew).filter((step) => step >= 0),
  })),
  login('login-takes-no-early-code', 'Codes of later periods are refused, whatever skew says.', ({ steps }) => ({
    steps: (skew) => steps(skew).filter((step) => step <= 0),
  })),
  login(
    'login-skews-too-far',
    'Codes are accepted for one period more than skew allows, earlier and later.',
    ({ steps }) => ({
      steps: (skew) => steps(skew + 1),
    }),
  ),
  login('login-attempts-unlimited', 'Failed validations are not counted.', () => ({
    failures: () => Number.POSITIVE_INFINITY,
  })),
  login('login-attempts-one-fewer', 'One failed validation fewer than max_validation_attempts is allowed.', () => ({
    failures: (maximum) => maximum - 1,
  })),
  login('login-attempts-one-more', 'One failed validation more than max_validation_attempts is allowed.', () => ({
    failures: (maximum) => maximum + 1,
  })),
  login('login-attempts-add-up', 'A successful validation does not reset the count of failed validations.', () => ({
    success: 'counts-on',
  })),
  login(
    'login-attempts-of-every-entity',
    'A failed validation counts against every entity with a secret of the method.',
    () => ({
      failureOf: 'every-entity',
    }),
  ),
  login('login-refuses-secrets-of-generate', 'Codes for a secret that generate made are refused.', () => ({
    accepts: ({ by }) => by !== 'generate',
  })),
  login('login-refuses-renewed-secrets', 'Codes for a secret that followed a destroyed one are refused.', () => ({
    accepts: ({ isRenewed }) => !isRenewed,
  })),
  fault(
    'generate-replaces-the-secret',
    'generate with an existing secret says so, and stores another secret in its place.',
    inGroup('secret', ({ present }) => ({ present: { ...present, generate: 'replaced' as const } })),
  ),
  login('destroyed-secret-validates', 'Codes for a destroyed secret are still accepted.', () => ({
    secrets: ['present', 'destroyed'],
  })),
  login('login-takes-codes-of-other-methods', 'Codes for the secrets of other methods are accepted.', ({ of }) => ({
    of: { ...of, methods: 'every' },
  })),
  login('login-takes-codes-of-other-entities', 'Codes for the secrets of other entities are accepted.', ({ of }) => ({
    of: { ...of, entities: 'every' },
  })),
  login('codes-never-end', 'A code that was valid at any time since the secret was made stays valid.', () => ({
    codesEnd: false,
  })),
]
