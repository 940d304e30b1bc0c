/** Checks of requests that lack a required field or name a missing object, for both variants. */
import { type Check, check, refused } from '../../harness/vocabulary/index.ts'
import { cutShort, entity } from '../given.ts'
import { byWay, caller, define, defined, fields, generated, redefinable, unusedId, ways, withSample } from './given.ts'
import { noSecretOn, secretStays } from './secret-witnesses.ts'
import { givesNoSecret } from './then-secrets.ts'
import type { Variant } from './variant.ts'
import { methodStays } from './witnesses.ts'

/** Returns a body without the entity. The other fields of the variant remain. */
const withoutEntity = (variant: Variant) => (variant.area === 'mfa-identity' ? { method_id: '{method}' } : {})

export const invalidRequestNames = ['access', 'user', 'person'] as const

export function invalidRequestsOf(variant: Variant): readonly Check[] {
  const requirement = (id: string): string => `${variant.area}.${id}`
  const { adminGenerate, adminDestroy, redefine, read } = variant
  const person = [defined(variant), entity('person')]
  /** The caller has an entity, which a server could take where none is named. */
  const somebody = [defined(variant), ...caller(variant, variant.adminRules)]
  return [
    check('define-without-issuer-is-refused', {
      requirement: requirement('issuer.required'),
      // The twin is defined first, because finding out where methods are defined may take more than one request.
      given: [defined(variant, fields({ digits: 8 }), 'second')],
      when: define(variant, { digits: 8 }),
      then: [refused(variant.undefinedStays())],
    }),
    check('update-without-issuer-is-refused', {
      requirement: requirement('issuer.required-in-updates'),
      given: [defined(variant), ...redefinable(variant)],
      when: redefine({ digits: 8 }),
      then: [refused(methodStays(read()))],
      control: redefine(fields({ digits: 8 })),
    }),
    check('update-with-a-malformed-body-is-refused', {
      requirement: requirement('method.malformed-refused'),
      given: [defined(variant), ...redefinable(variant)],
      when: cutShort(redefine(fields({ digits: 8 }))),
      then: [refused(methodStays(read()))],
      control: redefine(fields({ digits: 8 })),
    }),
    check('admin-generate-with-a-malformed-body-is-refused', {
      requirement: requirement('admin-generate.malformed-refused'),
      given: person,
      when: cutShort(adminGenerate('personId')),
      then: [refused(noSecretOn(variant, 'personId'))],
      control: adminGenerate('personId'),
    }),
    check('admin-destroy-with-a-malformed-body-is-refused', {
      requirement: requirement('admin-destroy.malformed-refused'),
      given: [...person, generated(adminGenerate('personId'), 'secret')],
      when: cutShort(adminDestroy('personId')),
      then: [refused(secretStays(variant, 'personId', 'secret'))],
      control: adminDestroy('personId'),
    }),
    check('admin-generate-without-entity-is-refused', {
      requirement: requirement('admin-generate.entity-required'),
      given: somebody,
      when: { ...adminGenerate('userId', 'method', withoutEntity(variant)), as: 'session' },
      then: [refused(noSecretOn(variant, 'userId'))],
      control: { ...adminGenerate('userId'), as: 'session' },
    }),
    check('admin-destroy-without-entity-is-refused', {
      requirement: requirement('admin-destroy.entity-required'),
      given: [...somebody, generated(adminGenerate('userId'), 'secret')],
      when: { ...adminDestroy('userId', 'method', withoutEntity(variant)), as: 'session' },
      then: [refused(secretStays(variant, 'userId', 'secret'))],
      control: { ...adminDestroy('userId'), as: 'session' },
    }),
    check('admin-generate-for-an-empty-entity-is-refused', {
      requirement: requirement('admin-generate.entity-other-refused'),
      given: person,
      when: adminGenerate('personId', 'method', { ...withoutEntity(variant), entity_id: '' }),
      then: [refused(noSecretOn(variant, 'personId'))],
      control: adminGenerate('personId'),
    }),
    check('admin-destroy-of-an-empty-entity-is-refused', {
      requirement: requirement('admin-destroy.entity-other-refused'),
      given: [...person, generated(adminGenerate('personId'), 'secret')],
      when: adminDestroy('personId', 'method', { ...withoutEntity(variant), entity_id: '' }),
      then: [refused(secretStays(variant, 'personId', 'secret'))],
      control: adminDestroy('personId'),
    }),
    check('admin-generate-for-an-unknown-entity-is-refused', {
      requirement: requirement('admin-generate.known-entity'),
      given: [...person, unusedId('strangerId')],
      when: adminGenerate('strangerId'),
      then: [refused(noSecretOn(variant, 'personId'))],
      control: adminGenerate('personId'),
    }),
    ...ways.map((way) =>
      check(`${way}-with-an-unknown-method-is-refused`, {
        requirement: requirement('method.needed'),
        given: [defined(variant), ...caller(variant), unusedId('unknown')],
        when: byWay(variant, way, 'unknown'),
        then: [refused(noSecretOn(variant, 'userId'), methodStays(read('unknown'), read()))],
        control: byWay(variant, way),
      }),
    ),
    ...ways.map((way) =>
      check(`${way}-with-an-unknown-method-gives-no-secret`, {
        requirement: requirement('method.nothing-of-none'),
        given: [...withSample(variant, way), unusedId('unknown')],
        when: byWay(variant, way, 'unknown'),
        then: [givesNoSecret],
      }),
    ),
  ]
}
