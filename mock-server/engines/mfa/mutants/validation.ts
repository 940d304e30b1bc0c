/** Mutants of how codes are judged at a login. */
import type { ValidationTables } from '../tables.ts'
import { type Fault, fault, inGroup } from './cells.ts'

const login = (id: string, does: string, change: (before: ValidationTables) => Partial<ValidationTables>): Fault =>
  fault(id, does, inGroup('validation', change))

export const validationFaults: readonly Fault[] = [
  login('login-ignores-algorithm', 'Codes are validated with SHA1 whatever the method says.', () => ({
    algorithm: () => 'SHA1',
  })),
  login('login-ignores-digits', 'Codes are validated with 6 digits whatever the method says.', () => ({
    digits: () => 6,
  })),
  login('login-ignores-period', 'Codes are validated with a period of 30 s whatever the method says.', () => ({
    period: () => 30,
  })),
  login('login-refuses-default-codes', 'Codes are validated with SHA512 where the method has SHA1.', () => ({
    algorithm: ({ algorithm }) => (algorithm === 'SHA1' ? 'SHA512' : algorithm),
  })),
  login('login-takes-no-late-code', 'The code of one step ago is refused.', ({ steps }) => ({
    steps: (skew) => steps(skew).filter((step) => step >= 0),
  })),
  login('login-takes-no-early-code', 'The code of the next step is refused.', ({ steps }) => ({
    steps: (skew) => steps(skew).filter((step) => step <= 0),
  })),
  login('login-skews-too-far', 'One step more than skew, late and early, is accepted.', ({ steps }) => ({
    steps: (skew) => steps(skew + 1),
  })),
  login('login-attempts-unlimited', 'Failed validations are not counted.', () => ({
    failures: () => Number.POSITIVE_INFINITY,
  })),
  login('login-attempts-one-fewer', 'One failed validation fewer is allowed.', () => ({
    failures: (maximum) => maximum - 1,
  })),
  login('login-attempts-one-more', 'One failed validation more is allowed.', () => ({
    failures: (maximum) => maximum + 1,
  })),
  login('login-attempts-add-up', 'A success does not set the count of failed validations back.', () => ({
    success: 'counts-on',
  })),
  login(
    'login-attempts-of-every-entity',
    'A failed validation counts for every entity with a secret of the method.',
    () => ({
      failureOf: 'every-entity',
    }),
  ),
  login('destroyed-secret-validates', 'Codes of a destroyed secret are still accepted.', () => ({
    secrets: ['present', 'destroyed'],
  })),
  login('login-takes-codes-of-other-methods', 'Codes of the secrets of other methods are accepted.', ({ of }) => ({
    of: { ...of, methods: 'every' },
  })),
  login('login-takes-codes-of-other-entities', 'Codes of the secrets of other entities are accepted.', ({ of }) => ({
    of: { ...of, entities: 'every' },
  })),
  login('codes-never-end', 'A code that was valid since the secret was made stays valid.', () => ({ codesEnd: false })),
]
