/** Checks of who may request a secret for themselves, for both variants. */
import { type Check, check, next, refused, unchanged } from '../../harness/vocabulary/index.ts'
import { entity, ifAccepted, login, user } from '../given.ts'
import { caller, defined, entitylessToken, generated, withSample } from './given.ts'
import { noSecretOn } from './secret-witnesses.ts'
import { givesNoOther, givesNoSecret, givesSecret } from './then-secrets.ts'
import type { Variant } from './variant.ts'

export const callerNames = ['access', 'user', 'other'] as const

export function callersOf(variant: Variant): readonly Check[] {
  const requirement = (id: string): string => `${variant.area}.${id}`
  const situation = [defined(variant), ...caller(variant)]
  return [
    check('generate-without-an-entity-is-refused', {
      requirement: requirement('generate.needs-entity'),
      given: [...situation, ...entitylessToken('entityless', ['{access}'])],
      when: variant.generate('entityless', 'userId'),
      then: [refused(noSecretOn(variant, 'userId'))],
      control: variant.generate('session', 'userId'),
    }),
    check('generate-without-a-token-is-refused', {
      requirement: requirement('generate.needs-token'),
      given: situation,
      when: variant.generate('nobody', 'userId'),
      then: [refused(noSecretOn(variant, 'userId'))],
      control: variant.generate('session', 'userId'),
    }),
    ...(
      [
        ['without-an-entity', 'entityless', entitylessToken('entityless', ['{access}'])],
        ['without-a-token', 'nobody', []],
      ] as const
    ).map(([id, as, made]) =>
      check(`generate-${id}-gives-no-secret`, {
        requirement: requirement('generate.nothing-for-others'),
        given: [...withSample(variant, 'generate'), ...made],
        when: variant.generate(as, 'userId'),
        then: [givesNoSecret],
      }),
    ),
    // The caller has an entity of its own here, and the body names another one.
    check('admin-generate-by-a-user-leaves-the-entity-of-the-user', {
      requirement: requirement('admin-generate.given-entity'),
      given: [defined(variant), ...caller(variant, variant.adminRules), entity('other')],
      when: { ...variant.adminGenerate('otherId'), as: 'session' },
      then: [ifAccepted(unchanged(noSecretOn(variant, 'userId')))],
    }),
    check('admin-destroy-by-a-user-leaves-the-secret-of-the-user', {
      requirement: requirement('admin-destroy.removes'),
      given: [
        defined(variant),
        ...caller(variant, variant.adminRules),
        entity('other'),
        generated(variant.adminGenerate('userId'), 'kept'),
        variant.adminGenerate('otherId'),
      ],
      when: { ...variant.adminDestroy('otherId'), as: 'session' },
      then: [ifAccepted(next(variant.adminGenerate('userId'), givesNoOther('kept')))],
    }),
    // A cache in front of the server could send one reply to several callers.
    check('generate-gives-another-caller-another-secret', {
      requirement: requirement('generate.own-entity'),
      given: [
        ...situation,
        user('other', ['{access}']),
        login('other', 'otherSession'),
        generated(variant.generate('otherSession', 'otherId'), 'first'),
      ],
      when: variant.generate('session', 'userId'),
      then: [givesSecret('first')],
    }),
  ]
}
