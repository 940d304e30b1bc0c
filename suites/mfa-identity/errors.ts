import { check, refused, topic } from '../../harness/vocabulary/index.ts'
import { entity } from '../given.ts'
import { faultNames, faultsOf } from '../mfa/faults.ts'
import { caller, defined, generated } from '../mfa/given.ts'
import { identity } from '../mfa/variant.ts'
import { noSecretOn, secretStays } from '../mfa/witnesses.ts'

const { adminGenerate, adminDestroy, generate } = identity
const person = [defined(identity), entity('person')]
const onlyEntity = { entity_id: '{personId}' }

/** The method stands in the body here, and is required there. */
const withoutMethod = [
  check('generate-without-method-is-refused', {
    requirement: 'mfa-identity.generate.method-required',
    given: [defined(identity), ...caller(identity)],
    when: { ...generate('session', 'userId'), body: {} },
    then: [refused(noSecretOn(identity, 'userId'))],
    control: generate('session', 'userId'),
    mutants: ['mfa-identity/generate-method-optional', 'mfa-identity/refusals-act'],
  }),
  check('admin-generate-without-method-is-refused', {
    requirement: 'mfa-identity.admin-generate.method-required',
    given: person,
    when: adminGenerate('personId', 'method', onlyEntity),
    then: [refused(noSecretOn(identity, 'personId'))],
    control: adminGenerate('personId'),
    mutants: ['mfa-identity/admin-generate-method-optional', 'mfa-identity/refusals-act'],
  }),
  check('admin-destroy-without-method-is-refused', {
    requirement: 'mfa-identity.admin-destroy.method-required',
    given: [...person, generated(adminGenerate('personId'), 'secret')],
    when: adminDestroy('personId', 'method', onlyEntity),
    then: [refused(secretStays(identity, 'personId', 'secret'))],
    control: adminDestroy('personId'),
    mutants: ['mfa-identity/admin-destroy-method-optional', 'mfa-identity/refusals-act'],
  }),
]

export default topic('mfa-identity/errors', {
  about: 'Requests that lack what is required, or name what is not there.',
  names: faultNames,
  checks: [...faultsOf(identity), ...withoutMethod],
})
