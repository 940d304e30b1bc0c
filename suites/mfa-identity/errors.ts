import { check, refused, topic } from '../../harness/vocabulary/index.ts'
import { entity } from '../given.ts'
import { faultNames, faultsOf } from '../mfa/faults.ts'
import { caller, defined, generated } from '../mfa/given.ts'
import { identity } from '../mfa/variant.ts'

const { adminGenerate, adminDestroy, generate } = identity
const person = [defined(identity), entity('person')]
const onlyEntity = { entity_id: '{personId}' }

/** The method stands in the body here, and is required there. */
const withoutMethod = [
  check('generate-without-method-is-refused', {
    requirement: 'mfa-identity.generate.method-required',
    given: [defined(identity), ...caller(identity)],
    when: { ...generate('session', 'userId'), body: {} },
    then: [refused()],
    control: generate('session', 'userId'),
    mutants: ['mfa-identity/generate-method-optional'],
  }),
  check('admin-generate-without-method-is-refused', {
    requirement: 'mfa-identity.admin-generate.method-required',
    given: person,
    when: adminGenerate('personId', 'method', onlyEntity),
    then: [refused()],
    control: adminGenerate('personId'),
    mutants: ['mfa-identity/admin-generate-method-optional'],
  }),
  check('admin-destroy-without-method-is-refused', {
    requirement: 'mfa-identity.admin-destroy.method-required',
    given: [...person, generated(adminGenerate('personId'), 'secret')],
    when: adminDestroy('personId', 'method', onlyEntity),
    then: [refused()],
    control: adminDestroy('personId'),
    mutants: ['mfa-identity/admin-destroy-method-optional'],
  }),
]

export default topic('mfa-identity/errors', {
  about: 'Requests that lack what is required, or name what is not there.',
  names: faultNames,
  checks: [...faultsOf(identity), ...withoutMethod],
})
