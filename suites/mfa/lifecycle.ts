/** Checks in which methods and secrets are created and deleted, in both variants. */
import type {
  Ceremony,
  Check,
  Exchange,
  Expectation,
  Json,
  JsonObject,
  Matcher,
} from '../../harness/vocabulary/index.ts'
import { afterSuccess, check, next, refused, together, unchanged } from '../../harness/vocabulary/index.ts'
import { assertTaken, entity, shownSoFar } from '../given.ts'
import { count, seconds } from '../numbers.ts'
import { theWord } from '../word.ts'
import {
  byWay,
  caller,
  define,
  defined,
  definedWhereTaken,
  fields,
  generated,
  issuer,
  redefinedWhereTaken,
  unusedId,
  type Way,
  ways,
} from './given.ts'
import { heldSecretsOf } from './held-secrets.ts'
import { noSecretOn } from './secret-witnesses.ts'
import { gone, stored, storedIfShown, unlessOutOfBounds } from './then.ts'
import { givesNoOther, givesSecret, showsNo } from './then-secrets.ts'
import type { Variant } from './variant.ts'
import { methodStays } from './witnesses.ts'

type Naming = (id: string) => string

/** Each value differs from the default. `max_validation_attempts` has a check of its own. */
const updates: readonly {
  readonly name: string
  readonly value: string | number
  readonly is?: Json | Matcher
  /** The default, if the documents give no bounds of the field. */
  readonly standard?: string | number
}[] = [
  { name: 'issuer', value: 'Another Ltd' },
  { name: 'period', value: '1m', is: seconds(60), standard: '30s' },
  { name: 'key_size', value: 32, is: count(32), standard: 20 },
  { name: 'qr_size', value: 300, is: count(300), standard: 200 },
  { name: 'algorithm', value: 'SHA256', is: theWord('SHA256') },
  { name: 'digits', value: 8, is: count(8) },
  { name: 'skew', value: 0, is: count(0) },
]

/** Defines two methods without waiting for the first reply. */
const twoAtOnce = (variant: Variant): Ceremony => {
  const [one, other] = [fields(), fields({ issuer: '{label} and others' })]
  return {
    kind: 'ceremony',
    words: 'define two TOTP methods at the same time',
    touches: [...variant.defining(one, 'method'), ...variant.defining(other, 'second')],
    provides: ['method', 'second'],
    async run(scope) {
      const replies = await Promise.all([variant.define(scope, one, 'method'), variant.define(scope, other, 'second')])
      for (const reply of replies) assertTaken(reply)
      return replies[1]
    },
  }
}

function ofMethods(variant: Variant, requirement: Naming): readonly Check[] {
  const { read, remove, redefine, adminGenerate } = variant
  const naming: JsonObject = variant.area === 'mfa-legacy' ? { name: '{method}' } : { id: '{method}' }
  const two = [defined(variant, { issuer: '{label}' }), defined(variant, { issuer: '{label}-more' }, 'second')]
  return [
    check('define-is-read-back', {
      requirement: [requirement('method.defines'), requirement('issuer.kept')],
      given: [unusedId('unknown')],
      when: define(variant),
      then: [afterSuccess(next(read(), storedIfShown('issuer', issuer, read('unknown'))))],
    }),
    check('update-replaces-a-field', {
      requirement: requirement('method.updates'),
      // Every server that accepts 3 and the default 5 accepts 4.
      given: [definedWhereTaken(variant, fields({ max_validation_attempts: 3 }))],
      when: redefine(fields({ max_validation_attempts: 4 })),
      then: [afterSuccess(next(read(), stored('max_validation_attempts', count(4))))],
    }),
    check('a-second-update-replaces-a-field', {
      requirement: requirement('method.updates'),
      given: [
        definedWhereTaken(variant, fields({ max_validation_attempts: 3 })),
        redefinedWhereTaken(variant, fields({ max_validation_attempts: 4 })),
        shownSoFar(read(), stored('max_validation_attempts', count(4))),
      ],
      when: redefine(fields({ max_validation_attempts: 3 })),
      then: [afterSuccess(next(read(), stored('max_validation_attempts', count(3))))],
    }),
    ...updates.map(({ name, value, is = value, standard }) => {
      const isReplaced = afterSuccess(next(read(), stored(name, is)))
      const usual = redefine(fields({ [name]: standard ?? value }))
      return check(`update-replaces-${name.replaceAll('_', '-')}`, {
        requirement: requirement('method.updates'),
        given: [defined(variant)],
        when: redefine(fields({ [name]: value })),
        then: [
          standard === undefined
            ? isReplaced
            : unlessOutOfBounds(name, { touches: [usual], send: (scope) => scope.send(usual) }, isReplaced),
        ],
      })
    }),
    check('update-sets-fields-back-to-their-defaults', {
      requirement: requirement('method.updates'),
      given: [
        defined(variant, fields({ digits: 8, skew: 0 })),
        shownSoFar(read(), together(stored('digits', count(8)), stored('skew', count(0)))),
      ],
      when: redefine(fields({ digits: 6, skew: 1 })),
      then: [afterSuccess(next(read(), together(stored('digits', count(6)), stored('skew', count(1)))))],
    }),
    check('update-leaves-a-method-that-the-body-names', {
      requirement: requirement('method.only-named'),
      given: [...two, shownSoFar(read(), stored('issuer', '{label}'))],
      // A server may refuse fields that are not fields of the request.
      when: redefine({ issuer: 'Another Ltd', ...naming }, 'second'),
      then: [unchanged(methodStays(read()))],
    }),
    check('two-methods-defined-at-once-are-both-there', {
      requirement: requirement('method.defines'),
      given: [unusedId('unknown')],
      when: twoAtOnce(variant),
      then: [
        together(
          next(read(), storedIfShown('issuer', issuer, read('unknown'))),
          next(read('second'), storedIfShown('issuer', '{label} and others', read('unknown'))),
        ),
      ],
    }),
    check('update-leaves-other-methods', {
      requirement: requirement('method.only-named'),
      given: [...two, shownSoFar(read('second'), stored('issuer', '{label}-more'))],
      when: redefine({ issuer: '{label}', max_validation_attempts: 4 }),
      then: [unchanged(methodStays(read('second')))],
    }),
    check('delete-leaves-other-methods', {
      requirement: requirement('delete.only-named'),
      given: [...two, shownSoFar(read('second'), stored('issuer', '{label}-more'))],
      when: remove(),
      then: [afterSuccess(unchanged(methodStays(read('second'))))],
    }),
    check('reading-shows-no-secret', {
      requirement: [requirement('secret.unshown'), requirement('method.defines'), requirement('digits.values')],
      given: [
        unusedId('unknown'),
        defined(variant, fields({ digits: 8 })),
        entity('person'),
        generated(adminGenerate('personId'), 'secret'),
      ],
      when: read(),
      then: [showsNo('secret'), storedIfShown('digits', count(8), read('unknown'))],
    }),
    check('read-returns-the-method-asked-for', {
      requirement: requirement('method.reads'),
      given: two,
      when: read(),
      then: [stored('issuer', '{label}'), next(read('second'), stored('issuer', '{label}-more'))],
    }),
    check('delete-ends-reading', {
      requirement: requirement('method.deletes'),
      given: [defined(variant)],
      when: remove(),
      then: [afterSuccess(gone(read()))],
    }),
    ...(variant.area === 'mfa-identity'
      ? []
      : [
          // The documents leave open whether a method can be defined under the id of a deleted one.
          check('a-method-defined-again-has-the-defaults', {
            requirement: [requirement('digits.default'), requirement('method.deletes')],
            given: [defined(variant, fields({ digits: 8 })), shownSoFar(read(), stored('digits', count(8))), remove()],
            when: define(variant),
            then: [afterSuccess(next(read(), stored('digits', count(6))))],
          }),
        ]),
    check('a-deleted-method-gives-no-secret', {
      requirement: [requirement('method.needed'), requirement('method.deletes')],
      given: [defined(variant), defined(variant, fields(), 'second'), ...caller(variant)],
      when: remove(),
      then: [
        afterSuccess(next(adminGenerate('userId'), refused(noSecretOn(variant, 'userId', 'second')))),
        next(variant.generate('session', 'userId'), refused(noSecretOn(variant, 'userId', 'second'))),
      ],
      control: adminGenerate('userId', 'second'),
    }),
  ]
}

function ofSecrets(variant: Variant, requirement: Naming): readonly Check[] {
  const other: Readonly<Record<Way, Way>> = { generate: 'admin-generate', 'admin-generate': 'generate' }
  const situation = [defined(variant), ...caller(variant)]
  // `earlier` requests a secret of one entity by the other endpoint; `later` requests one of another entity.
  const [own, given] = [variant.generate('session', 'userId'), variant.adminGenerate('personId')]
  const earlier: Readonly<Record<Way, Exchange>> = { generate: given, 'admin-generate': own }
  const later: Readonly<Record<Way, Exchange>> = { generate: own, 'admin-generate': given }
  // Only `generate` looks once more, because the witnesses of other checks use `admin-generate` several times.
  const onceMore: Readonly<Record<Way, { renewed: readonly Expectation[]; kept: readonly Expectation[] }>> = {
    'admin-generate': { renewed: [], kept: [] },
    generate: {
      renewed: [next(variant.adminDestroy('userId'), afterSuccess(next(own, givesSecret('first'))))],
      kept: [next(own, givesNoOther('first'))],
    },
  }
  const comes = ways.flatMap((way) => [
    check(`${way}-gives-a-secret`, {
      requirement: requirement(`${way}.creates`),
      given: situation,
      when: byWay(variant, way),
      then: [givesSecret()],
    }),
    check(`${way}-after-destroy-gives-a-new-secret`, {
      requirement: [requirement('admin-destroy.removes'), requirement(`admin-destroy.${way}-again`)],
      given: [...situation, generated(byWay(variant, other[way]), 'first')],
      when: variant.adminDestroy('userId'),
      then: [together(afterSuccess(next(byWay(variant, way), givesSecret('first'))), ...onceMore[way].renewed)],
    }),
    check(`${way}-heeds-no-secret-of-another-entity`, {
      requirement: requirement(way === 'generate' ? 'generate.own-entity' : 'admin-generate.given-entity'),
      given: [...situation, entity('person'), generated(earlier[way], 'first')],
      when: later[way],
      then: [givesSecret('first')],
    }),
  ])
  const stays = ways.flatMap((way) =>
    ways.map((first) =>
      check(`${way}-keeps-the-secret-of-${first}`, {
        requirement: [
          requirement(`${way}.no-overwrite`),
          ...(first === way
            ? []
            : [requirement(way === 'generate' ? 'admin-generate.given-entity' : 'generate.own-entity')]),
        ],
        given: [...situation, generated(byWay(variant, first), 'first')],
        when: byWay(variant, way),
        // The reply may say that there is a secret, and the next one shows whether there still is.
        then: [together(givesNoOther('first'), ...onceMore[way].kept)],
      }),
    ),
  )
  const spares = ways.map((way) =>
    check(`${way}-leaves-other-methods`, {
      requirement: requirement(`${way}.named-method`),
      given: [...situation, defined(variant, fields(), 'second')],
      when: byWay(variant, way),
      then: [afterSuccess(unchanged(noSecretOn(variant, 'userId', 'second')))],
    }),
  )
  const sparesEntities = check('admin-generate-leaves-other-entities', {
    requirement: requirement('admin-generate.given-entity'),
    given: [defined(variant), entity('person'), entity('other')],
    when: given,
    then: [afterSuccess(unchanged(noSecretOn(variant, 'otherId')))],
  })
  return [...comes, ...stays, ...spares, sparesEntities, ...ofDestroying(variant, requirement)]
}

/** Returns the checks of what must stay unchanged when one secret is destroyed. */
function ofDestroying(variant: Variant, requirement: Naming): readonly Check[] {
  const { adminGenerate, adminDestroy } = variant
  return [
    check('destroy-spares-other-entities', {
      requirement: requirement('admin-destroy.removes'),
      given: [
        defined(variant),
        entity('person'),
        entity('other'),
        generated(adminGenerate('personId'), 'first'),
        generated(adminGenerate('otherId'), 'kept'),
        adminDestroy('personId'),
      ],
      when: adminGenerate('otherId'),
      then: [givesNoOther('kept'), next(adminGenerate('personId'), givesSecret('first'))],
    }),
    check('destroy-spares-other-methods', {
      requirement: requirement('admin-destroy.other-methods'),
      given: [
        defined(variant),
        defined(variant, fields(), 'second'),
        entity('person'),
        generated(adminGenerate('personId'), 'first'),
        generated(adminGenerate('personId', 'second'), 'kept'),
        adminDestroy('personId'),
      ],
      when: adminGenerate('personId', 'second'),
      then: [givesNoOther('kept')],
    }),
    check('destroy-takes-one-of-two-secrets', {
      requirement: requirement('admin-destroy.removes'),
      given: [
        defined(variant),
        defined(variant, fields(), 'second'),
        entity('person'),
        generated(adminGenerate('personId'), 'first'),
        generated(adminGenerate('personId', 'second'), 'kept'),
      ],
      when: adminDestroy('personId'),
      then: [afterSuccess(next(adminGenerate('personId'), givesSecret('first')))],
    }),
  ]
}

/** The names that these checks use, besides those of the variant. */
export const lifecycleNames = ['access', 'user', 'person', 'other', 'label'] as const

export const lifecycleOf = (variant: Variant): readonly Check[] => {
  const requirement = (id: string): string => `${variant.area}.${id}`
  return [...ofMethods(variant, requirement), ...ofSecrets(variant, requirement), ...heldSecretsOf(variant)]
}
