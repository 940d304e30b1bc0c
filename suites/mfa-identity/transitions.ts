import {
  type Action,
  afterSuccess,
  check,
  DoesNotApply,
  list,
  next,
  post,
  refused,
  type Step,
  together,
} from '../../harness/vocabulary/index.ts'
import { assertTaken, attempted, entity, namespace, refusedSoFar, shownSoFar, user, whereTaken } from '../given.ts'
import { listMethodCheck } from '../list-method.ts'
import { enforced, enforcedBy, enforcedByMount, enforcedForGroup, released, releasedFrom } from '../mfa/codes.ts'
import { defined, definedWhereTaken, fields, generated } from '../mfa/given.ts'
import { lifecycleNames, lifecycleOf } from '../mfa/lifecycle.ts'
import { secretStays } from '../mfa/secret-witnesses.ts'
import { everyListedIsThere, gone, listed, notListed, stored } from '../mfa/then.ts'
import { givesSecret, showsNo } from '../mfa/then-secrets.ts'
import { topic } from '../mfa/topic.ts'
import { defineById, definingById, identity } from '../mfa/variant.ts'
import { methodStays } from '../mfa/witnesses.ts'
import { count } from '../numbers.ts'
import { action } from '../records.ts'

const { adminGenerate, read, redefine, remove } = identity
const methods = list('identity/mfa/method/totp')

/** No other check uses this issuer. */
const labelled = { issuer: '{label}' }
const methodsOfTheSpace = list('{space}/identity/mfa/method/totp')
const definedInTheSpace = action(
  'a TOTP method `inner` of the namespace, if the target accepts it',
  { touches: definingById(labelled, 'inner', '{space}/'), provides: ['inner'] },
  async (scope) => {
    assertTaken(await defineById(scope, labelled, 'inner', '{space}/'))
    scope.value('inner')
  },
)
/** No document says that entities of a namespace have secrets. */
const ifServed = (step: Action): Action => ({
  ...step,
  words: `${step.words}, if the target accepts it`,
  async run(scope) {
    try {
      await step.run(scope)
    } catch (error) {
      throw DoesNotApply.ofStep(error, ({ message }) => `${message}, and no statement says that it must be taken`)
    }
  },
})
const insider = entity('person', '{space}/')
const made = action(insider.words, { provides: ['personId'] }, (scope) => scope.perform(insider))
const ofInsider = { method_id: '{inner}', entity_id: '{personId}' }
const destroyedInside = post('{space}/identity/mfa/method/totp/admin-destroy', ofInsider)
const generatedInside = post('{space}/identity/mfa/method/totp/admin-generate', ofInsider, { undo: destroyedInside })
const ofNamespaces = [
  check('destroy-in-a-namespace-removes-the-secret', {
    requirement: 'mfa-identity.admin-destroy.removes',
    given: [
      namespace('space'),
      definedInTheSpace,
      { ...ifServed(made), performs: [insider] },
      ifServed(generated(generatedInside, 'first')),
    ],
    when: destroyedInside,
    then: [afterSuccess(next(generatedInside, givesSecret('first')))],
  }),
]
/** More methods than a page of a list usually has. */
const many = Array.from({ length: 26 }, (_, at) => `method${at}`)
const ofLists = [
  listMethodCheck('mfa-identity', {
    given: [defined(identity, labelled)],
    listing: methods,
    names: listed('method'),
    restsOn: 'mfa-identity/transitions/list-names-what-exists',
  }),
  check('list-names-what-exists', {
    requirement: 'mfa-identity.list.names-visible',
    given: [defined(identity, labelled), defined(identity, labelled, 'second')],
    when: methods,
    then: [listed('method'), listed('second')],
  }),
  check('list-names-each-of-many', {
    requirement: 'mfa-identity.list.names-visible',
    given: many.map((method) => defined(identity, labelled, method)),
    when: methods,
    then: [together(...many.map((method) => listed(method)))],
  }),
  check('list-names-nothing-that-is-not-there', {
    requirement: 'mfa-identity.list.names-readable',
    // A server may still list a deleted method.
    given: [defined(identity, labelled), defined(identity, labelled, 'second'), attempted(remove('second'))],
    when: methods,
    then: [listed('method'), everyListedIsThere(methods)],
  }),
  check('list-drops-what-is-deleted', {
    requirement: ['mfa-identity.list.names-visible', 'mfa-identity.method.deletes'],
    // A server could keep the list that it made for an earlier request.
    given: [defined(identity, labelled), defined(identity, labelled, 'second'), attempted(methods)],
    when: remove(),
    then: [afterSuccess(next(methods, notListed('method'))), next(methods, listed('second'))],
  }),
  check('list-in-a-namespace-names-the-methods-of-its-parent', {
    requirement: ['mfa-identity.list.parents', 'mfa-identity.list.names-visible'],
    given: [
      namespace('space'),
      definedInTheSpace,
      shownSoFar(methodsOfTheSpace, listed('inner')),
      defined(identity, labelled),
    ],
    when: methodsOfTheSpace,
    then: [listed('method'), next(remove(), afterSuccess(next(methodsOfTheSpace, notListed('method'))))],
  }),
  check('list-names-no-method-of-a-namespace-below', {
    requirement: 'mfa-identity.list.none-below',
    given: [
      namespace('space'),
      definedInTheSpace,
      shownSoFar(methodsOfTheSpace, listed('inner')),
      defined(identity, labelled),
      shownSoFar(methods, listed('method')),
    ],
    when: methods,
    then: [notListed('inner')],
  }),
  check('list-names-an-updated-method', {
    requirement: 'mfa-identity.list.names-visible',
    given: [defined(identity, labelled), identity.redefine({ ...labelled, digits: 8 })],
    when: methods,
    then: [listed('method')],
  }),
  check('list-names-a-method-with-a-secret', {
    requirement: 'mfa-identity.list.names-visible',
    given: [defined(identity, labelled), entity('person'), adminGenerate('personId')],
    when: methods,
    then: [listed('method')],
  }),
  check('list-shows-no-secret', {
    requirement: 'mfa-identity.secret.unshown',
    given: [defined(identity, labelled), entity('person'), generated(adminGenerate('personId'), 'secret')],
    when: methods,
    then: [showsNo('secret')],
  }),
  check('list-drops-a-deleted-method-that-had-a-secret', {
    requirement: ['mfa-identity.list.names-visible', 'mfa-identity.method.deletes'],
    given: [
      defined(identity, labelled),
      defined(identity, labelled, 'second'),
      entity('person'),
      adminGenerate('personId'),
    ],
    when: remove(),
    then: [afterSuccess(next(methods, notListed('method'))), next(methods, listed('second'))],
  }),
  check('list-still-names-a-method-in-use', {
    requirement: ['mfa-identity.list.names-visible', 'mfa-identity.delete.in-use-refused'],
    needs: ['entity'],
    given: [defined(identity, labelled), user('user', []), enforced],
    when: remove(),
    then: [next(methods, listed('method'))],
  }),
]

const unusual = fields({ period: 60, key_size: 32, qr_size: 300, algorithm: 'SHA256', digits: 8, skew: 0 })
const person = user('user', [])
const used = [defined(identity), person, enforced]
const several = [defined(identity), ...['second', 'third', 'spare'].map((one) => defined(identity, fields(), one))]
const second = defined(identity, fields(), 'second')

/** The deletion of a method in use is refused, while that of the method `spare`, which is in no use, succeeds. */
const kept = (
  id: string,
  given: readonly Step[],
  {
    spare = 'second',
    stays = methodStays(read()),
  }: { readonly spare?: string; readonly stays?: Parameters<typeof refused>[0] } = {},
) =>
  check(id, {
    ...{ requirement: 'mfa-identity.delete.in-use-refused', needs: ['entity'] },
    ...{ given, when: remove(), then: [refused(stays)], control: remove(spare) },
  })
const ofUse = [
  // No field except `max_validation_attempts` has its default, so a refusal that resets the method is noticed.
  kept('a-method-in-use-is-kept', [definedWhereTaken(identity, unusual), person, enforced, second]),
  kept('a-method-in-use-is-kept-at-the-second-attempt', [...used, second, refusedSoFar(remove())]),
  kept('a-method-in-use-keeps-its-secrets', [...used, generated(adminGenerate('userId'), 'secret'), second], {
    stays: secretStays(identity, 'userId', 'secret'),
  }),
  kept('a-method-in-use-beside-others-is-kept', [...several, person, enforcedBy(['second', 'third', 'method'])], {
    spare: 'spare',
  }),
  kept(
    'a-method-added-to-an-enforcement-is-kept',
    [
      ...[...several, person, enforcedBy(['second']), enforcedBy(['second', 'method', 'third'])],
      whereTaken(redefine(fields({ digits: 8 }))),
    ],
    { spare: 'spare' },
  ),
  kept(
    'a-method-of-one-among-several-enforcements-is-kept',
    [...[...several, person], ...['second', 'method', 'third'].map((one, at) => enforcedBy([one], `{rule}-${at + 1}`))],
    { spare: 'spare' },
  ),
  kept('a-method-of-one-enforcement-less-is-kept', [
    ...[defined(identity), second, person],
    ...[enforcedBy(['method'], '{rule}-1'), enforcedBy(['method'], '{rule}-2'), releasedFrom('{rule}-2')],
  ]),
  kept('a-method-in-use-by-a-login-method-is-kept', [
    ...[defined(identity), second, person],
    ...enforcedByMount(['method']),
  ]),
  kept('a-method-in-use-for-a-group-is-kept', [defined(identity), second, person, enforcedForGroup(['method'])]),
  check('a-method-in-use-is-updated', {
    requirement: 'mfa-identity.method.updates',
    needs: ['entity'],
    // A server may refuse to change what logins rely on.
    given: [...used, whereTaken(redefine(fields({ max_validation_attempts: 4 })))],
    when: read(),
    then: [stored('max_validation_attempts', count(4))],
  }),
  check('a-method-taken-out-of-an-enforcement-is-deleted', {
    requirement: 'mfa-identity.delete.freed',
    needs: ['entity'],
    // Objects are deleted in reverse order, so the enforcement is deleted before both methods.
    given: [defined(identity), second, person, enforced, enforcedBy(['second'])],
    when: remove(),
    then: [afterSuccess(gone(read()))],
  }),
  check('a-method-no-longer-in-use-is-deleted', {
    requirement: 'mfa-identity.delete.freed',
    needs: ['entity'],
    given: [...used, released],
    when: remove(),
    then: [afterSuccess(gone(read()))],
  }),
]

export default topic('mfa-identity/transitions', {
  about: 'TOTP methods by id, and the secrets of entities: how both are created, kept, destroyed and created again.',
  names: [...lifecycleNames, 'rule', 'space'],
  checks: [...lifecycleOf(identity), ...ofLists, ...ofNamespaces, ...ofUse],
})
