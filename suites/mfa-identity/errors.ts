import { check, del, get, post, refused, unchanged } from '../../harness/vocabulary/index.ts'
import { cutShort, entity } from '../given.ts'
import { caller, define, defined, fields, generated } from '../mfa/given.ts'
import { invalidRequestNames, invalidRequestsOf } from '../mfa/invalid-requests.ts'
import { noSecretOn, secretStays } from '../mfa/secret-witnesses.ts'
import { isUuid } from '../mfa/then.ts'
import { topic } from '../mfa/topic.ts'
import { identity } from '../mfa/variant.ts'
import { methodStays } from '../mfa/witnesses.ts'

const { adminGenerate, adminDestroy, generate } = identity
const person = [defined(identity), entity('person')]
const onlyEntity = { entity_id: '{personId}' }

/** The method is a required field of the body here. */
const withoutMethod = [
  check('generate-without-method-is-refused', {
    requirement: 'mfa-identity.generate.method-required',
    given: [defined(identity), ...caller(identity)],
    when: { ...generate('session', 'userId'), body: {} },
    then: [refused(noSecretOn(identity, 'userId'))],
    control: generate('session', 'userId'),
  }),
  check('admin-generate-without-method-is-refused', {
    requirement: 'mfa-identity.admin-generate.method-required',
    given: person,
    when: adminGenerate('personId', 'method', onlyEntity),
    then: [refused(noSecretOn(identity, 'personId'))],
    control: adminGenerate('personId'),
  }),
  check('admin-destroy-without-method-is-refused', {
    requirement: 'mfa-identity.admin-destroy.method-required',
    given: [...person, generated(adminGenerate('personId'), 'secret')],
    when: adminDestroy('personId', 'method', onlyEntity),
    then: [refused(secretStays(identity, 'personId', 'secret'))],
    control: adminDestroy('personId'),
  }),
]

const empty = { method_id: '' }
const ofEmptyMethods = [
  check('generate-with-an-empty-method-is-refused', {
    requirement: 'mfa-identity.generate.method-other-refused',
    given: [defined(identity), ...caller(identity)],
    when: { ...generate('session', 'userId'), body: empty },
    then: [refused(noSecretOn(identity, 'userId'))],
    control: generate('session', 'userId'),
  }),
  check('admin-generate-with-an-empty-method-is-refused', {
    requirement: 'mfa-identity.admin-generate.method-other-refused',
    given: person,
    when: adminGenerate('personId', 'method', { ...onlyEntity, ...empty }),
    then: [refused(noSecretOn(identity, 'personId'))],
    control: adminGenerate('personId'),
  }),
  check('admin-destroy-with-an-empty-method-is-refused', {
    requirement: 'mfa-identity.admin-destroy.method-other-refused',
    given: [...person, generated(adminGenerate('personId'), 'secret')],
    when: adminDestroy('personId', 'method', { ...onlyEntity, ...empty }),
    then: [refused(secretStays(identity, 'personId', 'secret'))],
    control: adminDestroy('personId'),
  }),
]

const malformed = [
  check('generate-with-a-malformed-body-is-refused', {
    requirement: 'mfa-identity.generate.malformed-refused',
    given: [defined(identity), ...caller(identity)],
    when: cutShort(generate('session', 'userId')),
    then: [refused(noSecretOn(identity, 'userId'))],
    control: generate('session', 'userId'),
  }),
]

/** `id` is the UUID of the method, also in the path of an update. */
const ofIds = [
  check('ids-are-uuids', {
    requirement: 'mfa-identity.method.id-is-uuid',
    given: [defined(identity, fields(), 'second')],
    when: define(identity),
    then: [isUuid('method', 'second')],
  }),
  check('an-id-that-is-not-a-uuid-is-refused', {
    requirement: 'mfa-identity.method.id-other-refused',
    given: [defined(identity)],
    when: post('identity/mfa/method/totp/{label}', fields(), { undo: del('identity/mfa/method/totp/{label}') }),
    then: [refused(methodStays(get('identity/mfa/method/totp/{label}'), identity.read()))],
    control: identity.redefine(fields()),
  }),
]

const ofOthers = [
  check('generate-acts-on-no-entity-that-the-body-names', {
    requirement: 'mfa-identity.generate.own-entity',
    given: [defined(identity), ...caller(identity), entity('person')],
    when: { ...generate('session', 'userId'), body: { method_id: '{method}', entity_id: '{personId}' } },
    then: [unchanged(noSecretOn(identity, 'personId'))],
  }),
]

export default topic('mfa-identity/errors', {
  about: 'Requests that lack a required field, or that name a method or an entity which does not exist.',
  names: [...invalidRequestNames, 'label'],
  checks: [...invalidRequestsOf(identity), ...withoutMethod, ...ofEmptyMethods, ...malformed, ...ofIds, ...ofOthers],
})
