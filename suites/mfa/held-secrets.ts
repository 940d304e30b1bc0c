/** Checks in which methods are updated and deleted while entities have secrets of them, in both variants. */
import type { Action, Ceremony, Check, Exchange } from '../../harness/vocabulary/index.ts'
import {
  afterSuccess,
  check,
  DoesNotApply,
  fieldOf,
  next,
  performanceOf,
  requestWords,
  StepFailed,
} from '../../harness/vocabulary/index.ts'
import { assertTaken, attempted, entity, ifAccepted, login } from '../given.ts'
import { byWay, caller, defined, fields, generated, redefinedWhereTaken, unusedId, ways } from './given.ts'
import { secretIn } from './secret.ts'
import { gone } from './then.ts'
import { givesNoOther, givesSecret } from './then-secrets.ts'
import type { Variant } from './variant.ts'

/** Sends a request twice without waiting for the first reply. `{first}` is the secret of one reply; the other reply is
 * judged. */
const twiceAtOnce = (exchange: Exchange): Ceremony => ({
  kind: 'ceremony',
  words: `${requestWords(exchange)}, sent twice at the same time; one reply gives the secret \`first\``,
  touches: [exchange],
  provides: ['first'],
  async run(scope) {
    const [one, other] = await Promise.all([scope.send(exchange), scope.send(exchange)])
    const [made, judged] = secretIn(one) ? [one, other] : [other, one]
    const secret = secretIn(made)
    if (!secret) throw DoesNotApply.shown(made, `${made.asked} showed no secret`)
    scope.save('first', secret.key, { secret: true })
    return judged
  },
})

/** Writes the entity `person` again by its name. A server may refuse that, or create another entity with that name. */
const writtenAgain: Action = {
  kind: 'action',
  words: 'the entity `person` is written again',
  touches: [],
  performs: [entity('person')],
  async run(scope) {
    const [writing] = performanceOf(scope.dialect.operations, entity('person'))?.exchanges ?? []
    if (!writing) throw new StepFailed('dialect-lacks', { dialect: scope.dialect.id, operation: 'createEntity' })
    // The undo and the id of the entity are known since it was created, so this request needs neither.
    const { saves: _, undo: __, ...again } = writing
    const reply = await scope.send(again)
    assertTaken(reply)
    const id = fieldOf(reply, 'id')
    if (typeof id === 'string' && id !== scope.value('personId'))
      throw DoesNotApply.shown(reply, 'the target makes another entity of the same name')
  },
}

export function heldSecretsOf(variant: Variant): readonly Check[] {
  const requirement = (id: string): string => `${variant.area}.${id}`
  const { adminGenerate, adminDestroy, read, remove } = variant
  const person = [defined(variant), entity('person')]
  /** A server could create a method under a name that it does not know. */
  const whateverItMakes = { ...adminDestroy('personId', 'unknown'), undo: remove('unknown') }
  const update = redefinedWhereTaken(variant, fields({ digits: 8 }))
  // The documents do not say whether a method by name can be deleted while an entity has a secret of it.
  const afterDeletion = variant.area === 'mfa-legacy' ? ifAccepted : afterSuccess
  return [
    ...ways.map((way) =>
      check(`${way}-keeps-the-secret-of-an-updated-method`, {
        requirement: requirement('secret.outlives-update'),
        given: [defined(variant), ...caller(variant), generated(byWay(variant, way), 'first'), update],
        when: byWay(variant, way),
        then: [givesNoOther('first')],
      }),
    ),
    check('a-secret-outlives-a-change-of-its-entity', {
      requirement: requirement('secret.outlives-entity-changes'),
      given: [...person, generated(adminGenerate('personId'), 'first'), writtenAgain],
      when: adminGenerate('personId'),
      then: [givesNoOther('first')],
    }),
    check('a-secret-outlives-the-next-login', {
      requirement: requirement('secret.outlives-entity-changes'),
      given: [
        ...caller(variant),
        defined(variant),
        generated(variant.generate('session', 'userId'), 'first'),
        login('user', 'again'),
      ],
      // The secret is that of the entity, and not of the token with which it was generated.
      when: variant.generate('again', 'userId'),
      then: [givesNoOther('first')],
    }),
    check('destroy-takes-the-secret-of-an-updated-method', {
      requirement: requirement('admin-destroy.removes'),
      given: [...person, generated(adminGenerate('personId'), 'first'), update],
      when: adminDestroy('personId'),
      // If the update destroyed the secret, the request to destroy it may be refused.
      then: [next(adminGenerate('personId'), givesSecret('first'))],
    }),
    check('delete-leaves-secrets-of-other-methods', {
      requirement: requirement('delete.other-secrets'),
      given: [
        ...person,
        defined(variant, fields(), 'second'),
        generated(adminGenerate('personId'), 'first'),
        generated(adminGenerate('personId', 'second'), 'kept'),
      ],
      when: remove(),
      then: [afterDeletion(next(adminGenerate('personId', 'second'), givesNoOther('kept')))],
    }),
    check('two-requests-at-once-make-one-secret', {
      requirement: requirement('admin-generate.one-at-once'),
      given: person,
      when: twiceAtOnce(adminGenerate('personId')),
      then: [givesNoOther('first')],
    }),
    check('a-third-secret-leaves-the-first', {
      requirement: requirement('admin-generate.no-overwrite'),
      given: [
        ...person,
        defined(variant, fields(), 'second'),
        defined(variant, fields(), 'third'),
        generated(adminGenerate('personId'), 'first'),
        adminGenerate('personId', 'second'),
        adminGenerate('personId', 'third'),
      ],
      when: adminGenerate('personId'),
      then: [givesNoOther('first')],
    }),
    // The documents do not say how a server replies to the request itself.
    ...(
      [
        ['entity', 'admin-destroy.removes', adminDestroy('unknown')],
        ['method', 'admin-destroy.other-methods', whateverItMakes],
      ] as const
    ).map(([what, duty, destroying]) =>
      check(`destroy-with-an-unknown-${what}-leaves-secrets`, {
        requirement: requirement(duty),
        given: [...person, unusedId('unknown'), generated(adminGenerate('personId'), 'kept'), attempted(destroying)],
        when: adminGenerate('personId'),
        then: [givesNoOther('kept')],
      }),
    ),
    check('delete-ends-reading-a-method-with-secrets', {
      requirement: requirement('method.deletes'),
      given: [...person, adminGenerate('personId')],
      when: remove(),
      then: [afterDeletion(gone(read()))],
    }),
  ]
}
