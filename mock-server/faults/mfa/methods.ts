/** Faults of methods as a whole. */
import { settingsIn } from '../../engines/mfa/handlers/methods.ts'
import { type Enforcement, type Method, Methods } from '../../engines/mfa/store.ts'
import { type Call, done } from '../../kernel/contracts.ts'
import { refuse } from '../../kernel/http/refusal.ts'
import { droppingOthers } from '../lost-writes.ts'
import { during, withMethods } from '../with-methods.ts'
import {
  deletedIn,
  type Here,
  hasSecrets,
  isInUse,
  issuerOf,
  isUpdated,
  type Kit,
  longer,
  nameOf,
  removeAll,
  secretsOf,
  secretsOfEntity,
  withBody,
  withCall,
  withData,
} from './variant-operations.ts'

const known = ({ method }: { readonly method: Method | undefined }): boolean => method !== undefined

const deletionReaches = ({ on }: Kit, by: (method: Method) => string) =>
  on(['remove'], known, async ({ method }, next, here) => {
    const others = method ? longer(by, method, here) : []
    const reply = await next()
    for (const other of others) {
      here.context.methods.remove(other.key)
      removeAll(secretsOf(other, here), here)
    }
    return reply
  })
const updateReaches = ({ updating }: Kit, by: (method: Method) => string) =>
  updating((method, before, here) => [
    method,
    ...longer(by, before, here).map((other) => ({ ...other, settings: method.settings })),
  ])

/** Reads another method than the requested one. */
const reading = (
  { finding }: Kit,
  change: (method: Method | undefined, key: string, here: Here) => Method | undefined,
) => finding(['read'], (method, { key }, here) => change(method, key, here))

export const methodFaults = (kit: Kit) => {
  const { faults, finding, on, after, remembersDeleted, remembersFirst, updating } = kit
  return faults({
    'update-keeps-fields': 'A POST on an existing method succeeds but keeps the earlier fields.',
    'update-keeps-fields-from-defaults':
      'A POST on an existing method cannot set a field to its default value: the earlier value is kept.',
    'second-update-is-ignored':
      'Only the first POST on an existing method changes it. Later ones succeed but change nothing.',
    'read-takes-a-longer-issuer':
      'GET returns the last method whose issuer is longer than that of the requested method and begins with it.',
    'read-takes-a-shorter-issuer':
      'GET returns the first method whose issuer is shorter than that of the requested method and is its beginning.',
    'update-answers-a-refusal': 'A POST on an existing method changes it, but the reply is a refusal.',
    'delete-answers-a-refusal': 'DELETE removes the method, but the reply is a refusal.',
    'update-reaches-longer-issuers':
      'An update also changes the methods whose issuer is longer than that of the method and begins with it.',
    'delete-takes-longer-issuers':
      'DELETE also removes the methods whose issuer is longer than that of the method and begins with it.',
    'read-escapes-the-issuer': 'GET shows the issuer with & escaped for HTML.',
    'one-of-two-simultaneous-definitions-is-dropped':
      'A definition that arrives during another one succeeds, but nothing is stored.',
    'body-decides-the-method':
      'If the body of a write has a name or an id, it decides which method is written, not the URL.',
    'read-shows-secrets': 'GET shows the secrets that were made from a method.',
    'delete-keeps-reading': 'GET still returns a method after its deletion.',
    'delete-keeps-methods-with-secrets':
      'DELETE of a method from which secrets were made succeeds but keeps the method.',
    'delete-takes-secrets-of-other-methods':
      'DELETE of a method destroys all secrets of the entities that have a secret of the method.',
    'deleted-method-generates': 'Secrets can still be made from a deleted method.',
    'deleted-method-generates-for-the-caller': 'generate still makes secrets from a deleted method.',
  }).by({
    'update-keeps-fields': updating((_method, before) => [before]),
    'update-keeps-fields-from-defaults': updating((method, before, { context }) => {
      const standard: object = settingsIn({ issuer: 'any' }, context.rules.fields)
      const isDefault = new Set(Object.entries({ ...standard, issuer: undefined }).map((entry) => entry.join()))
      const changed = Object.entries(method.settings).filter((entry) => !isDefault.has(entry.join()))
      return [{ ...method, settings: { ...before.settings, ...Object.fromEntries(changed) } }]
    }),
    'second-update-is-ignored': [
      remembersFirst,
      updating((method, before, here) => [isUpdated(before, here) ? before : method]),
    ],
    'read-takes-a-longer-issuer': reading(
      kit,
      (method, _key, here) => method && (longer(issuerOf, method, here).at(-1) ?? method),
    ),
    'read-takes-a-shorter-issuer': reading(kit, (method, _key, { context }) => {
      const isShorter = (issuer: string, than: string): boolean =>
        than.startsWith(issuer) && issuer.length < than.length
      return method && (context.methods.all().find((one) => isShorter(issuerOf(one), issuerOf(method))) ?? method)
    }),
    'update-answers-a-refusal': after(['define'], known, ({ key }) => refuse(`method ${key} was not changed`)),
    'delete-answers-a-refusal': after(['remove'], known, ({ key }) => refuse(`method ${key} was not deleted`)),
    'update-reaches-longer-issuers': updateReaches(kit, issuerOf),
    'delete-takes-longer-issuers': deletionReaches(kit, issuerOf),
    'read-escapes-the-issuer': reading(
      kit,
      (method) =>
        method && {
          ...method,
          settings: { ...method.settings, issuer: method.settings.issuer.replaceAll('&', '&amp;') },
        },
    ),
    'one-of-two-simultaneous-definitions-is-dropped': on(
      ['create', 'define'],
      () => true,
      (_what, next, { context }) =>
        droppingOthers(
          context.methods,
          () => next(),
          // The reply is that of a server which has stored the method.
          () => during(context, { methods: new Methods() }, next),
        ),
    ),
    'body-decides-the-method': on(
      ['define'],
      ({ call }) => typeof nameInBody(call) === 'string',
      ({ call }, next) => {
        const name = String(nameInBody(call))
        return next(withCall(call, { params: call.params.name === undefined ? { id: name } : { name } }))
      },
    ),
    'read-shows-secrets': [
      after(['read'], known, ({ method }, here, reply) =>
        withData(reply, (data) => ({ ...data, secrets: method ? secretsOf(method, here).map(({ key }) => key) : [] })),
      ),
      after(
        ['list'],
        () => true,
        (_what, here, reply) =>
          withData(reply, (data) => {
            const { key_info = {} } = data as { readonly key_info?: object }
            const shown = Object.entries(key_info).map(([id, method]): [string, object] => {
              return [id, { ...method, secrets: secretsOf({ id }, here).map(({ key }) => key) }]
            })
            return { ...data, key_info: Object.fromEntries(shown) }
          }),
      ),
    ],
    'delete-keeps-reading': [
      remembersDeleted,
      reading(kit, (method, key, here) => method ?? deletedIn(here).find((one) => one.key === key)),
    ],
    'delete-keeps-methods-with-secrets': on(
      ['remove'],
      ({ method }, here) => method !== undefined && !isInUse(method, here) && secretsOf(method, here).length > 0,
      () => done,
    ),
    'delete-takes-secrets-of-other-methods': on(['remove'], known, async ({ method }, next, here) => {
      const entities = method ? secretsOf(method, here).map(({ entity }) => entity) : []
      const reply = await next()
      for (const entity of entities) removeAll(secretsOfEntity(entity, here), here)
      return reply
    }),
    'deleted-method-generates': [
      remembersDeleted,
      finding(
        ['generate', 'admin-generate', 'admin-destroy'],
        (method, { key }, here) => method ?? deletedIn(here).find((one) => one.key === key),
      ),
    ],
    'deleted-method-generates-for-the-caller': [
      remembersDeleted,
      finding(['generate'], (method, { key }, here) => method ?? deletedIn(here).find((one) => one.key === key)),
    ],
  })
}

const nameInBody = ({ body, params }: Call): unknown => (params.name === undefined ? body.id : body.name)

/** Faults of methods whose names may be used again. The documents do not say whether ids may. */
export const nameFaults = (kit: Kit) => {
  const { after, faults, on, remembersDeleted } = kit
  const named = (change: (name: string) => string) =>
    on(
      ['define', 'read', 'remove', 'generate', 'admin-generate', 'admin-destroy'],
      ({ key }) => change(key) !== key,
      ({ call, key }, next) => next(withCall(call, { params: { name: change(key) } })),
    )
  return faults({
    'update-reaches-longer-names':
      'An update also changes the methods whose name is longer than that of the method and begins with it.',
    'delete-takes-longer-names':
      'DELETE also removes the methods whose name is longer than that of the method and begins with it.',
    'destroy-takes-longer-names':
      'admin-destroy also destroys the secrets of methods whose name is longer and begins with that of the method.',
    'deleted-settings-come-back':
      'A method that is defined again after its deletion gets the earlier value of each field that is not given.',
    'names-fall-together': 'Dots and underscores in the name of a method are treated as hyphens.',
    'names-end-at-a-dot': 'The last dot of the name of a method and everything after it are ignored.',
    'long-names-are-cut': 'Only the first 120 characters of the name of a method count.',
    'names-are-cut': 'Only the first 40 characters of the name of a method count.',
  }).by({
    'update-reaches-longer-names': updateReaches(kit, nameOf),
    'delete-takes-longer-names': deletionReaches(kit, nameOf),
    'destroy-takes-longer-names': after(['admin-destroy'], known, ({ entity, method }, here) => {
      for (const { id } of method ? longer(nameOf, method, here) : [])
        here.context.secrets.remove({ method: id, entity })
      return undefined
    }),
    'deleted-settings-come-back': [
      remembersDeleted,
      on(
        ['define'],
        ({ key }, { memory }) => memory.has(`deleted ${key}`),
        ({ call, key }, next, { memory }) => {
          const { settings } = memory.get(`deleted ${key}`) as Method
          return next(withBody(call, { ...settings, ...call.body }))
        },
      ),
    ],
    'names-fall-together': named((name) => name.replaceAll(/[._]/g, '-')),
    'names-end-at-a-dot': named((name) => name.replace(/\.[^.]*$/, '')),
    'long-names-are-cut': named((name) => name.slice(0, 120)),
    'names-are-cut': named((name) => name.slice(0, 40)),
  })
}

/** Faults of what only the identity variant has. */
export const listFaults = (kit: Kit) => {
  const { after, faults, noting, on, remembersDeleted, remembersFirst, remembersSecrets, rule, stored } = kit
  const { updating, usedBy } = kit
  const listing = (change: (methods: readonly Method[], here: Here) => readonly Method[]) =>
    stored('methods', 'listed', (_given, next, here) => change(next(), here))
  const omitting = (isOmitted: (method: Method, here: Here) => boolean) =>
    listing((methods, here) => methods.filter((method) => !isOmitted(method, here)))
  const ofEachIssuer = (change: (some: readonly Method[]) => readonly Method[]) =>
    listing((methods) => [...Map.groupBy(methods, issuerOf).values()].flatMap(change))
  const withMethodIds = (change: (ids: readonly string[]) => readonly string[]) =>
    usedBy((all) => all.map((one) => ({ ...one, methodIds: change(one.methodIds) })))
  /** Returns one login enforcement of each entity, the first or the last. */
  const ofEachEntity = (owner: 0 | -1) =>
    usedBy((all) =>
      [...Map.groupBy(all, ({ entities }) => entities.join()).values()].flatMap((some) => some.at(owner) ?? []),
    )
  const rewriting = (change: (before: readonly string[], given: readonly string[]) => readonly string[]) =>
    stored(
      'enforcements',
      'put',
      ([one], next, { context }) => {
        const before = context.enforcements.find(one.name)
        next(before ? { ...one, methodIds: change(before.methodIds, one.methodIds) } : one)
      },
      ([{ name }], { context }) => context.enforcements.find(name) !== undefined,
    )
  /** Does something when the deletion of a method is refused because it is in use. */
  const refusedDeletion = (act: (method: Method, here: Here) => void, more?: object) =>
    on(
      ['remove'],
      ({ method }, here) => method !== undefined && isInUse(method, here),
      async ({ method }, next, here) => {
        try {
          return await next()
        } catch (error) {
          if (method) act(method, here)
          throw error
        }
      },
      more,
    )
  const remembersRefusals = refusedDeletion(({ id }, { memory }) => void memory.set(`undeleted ${id}`, true), {
    remembers: true,
  })
  const isUndeleted = ({ id }: Method, { memory }: Here): boolean => memory.has(`undeleted ${id}`)
  const enforcementOf = ({ memory }: Here): readonly Enforcement[] =>
    [...memory].filter(([key]) => key.startsWith('ended ')).map(([, one]) => one as Enforcement)

  return faults({
    'list-names-a-stranger': 'LIST names a method that does not exist.',
    'ids-are-numbers': 'The ids of methods are numbers, and any text is accepted as an id.',
    'takes-any-id': 'A method can be defined under an id that is not a UUID.',
    'generate-heeds-the-body': 'generate makes the secret for the entity that the body names, not for the caller.',
    'list-names-25-at-most': 'LIST names only the first 25 methods with the same issuer.',
    'only-two-methods-are-in-use': 'Only the first two of the methods of a login enforcement count as in use.',
    'list-names-the-first-of-two': 'LIST leaves out the last of several methods with the same issuer.',
    'list-names-the-second-of-two': 'LIST leaves out the first of several methods with the same issuer.',
    'list-omits-parents': 'LIST in a namespace leaves out the methods of the namespaces above it.',
    'list-names-methods-below': 'LIST also names the methods of the namespaces directly below.',
    'enforcements-of-groups-do-not-count':
      'A method that a login enforcement uses only for groups does not count as in use.',
    'list-omits': 'LIST leaves out methods that were defined through the API.',
    'list-keeps-deleted': 'LIST still names deleted methods.',
    'list-omits-updated': 'LIST leaves out methods that were updated.',
    'list-omits-methods-with-secrets': 'LIST leaves out methods from which secrets were made.',
    'list-omits-methods-in-use': 'LIST leaves out methods that a login enforcement uses.',
    'refused-deletion-hides-from-list': 'LIST leaves out methods whose deletion was refused.',
    'list-keeps-deleted-with-secrets': 'LIST still names deleted methods from which secrets were made.',
    'method-in-use-is-deleted-at-the-second-attempt':
      'DELETE of a method that a login enforcement uses is refused the first time, and succeeds the second time.',
    'update-frees-a-method-in-use':
      'DELETE of a method that a login enforcement uses succeeds if the method was updated.',
    'methods-added-to-an-enforcement-do-not-count':
      'A login enforcement that is written again uses only those of its methods that it used before.',
    'list-below-keeps-deleted': 'LIST in a namespace still names the deleted methods of the namespaces above it.',
    'only-enforcements-of-entities-count':
      'A method counts as in use only if a login enforcement with entities uses it.',
    'one-deleted-enforcement-frees':
      'After the deletion of one login enforcement that used a method, the method no longer counts as in use by others.',
    'method-in-use-is-deleted': 'DELETE of a method that a login enforcement uses succeeds.',
    'only-the-first-method-is-in-use': 'Only the first of the methods of a login enforcement counts as in use.',
    'only-the-last-method-is-in-use': 'Only the last of the methods of a login enforcement counts as in use.',
    'only-the-first-enforcement-counts':
      'Only the oldest of the login enforcements of an entity protects its methods from deletion.',
    'only-the-last-enforcement-counts':
      'Only the newest of the login enforcements of an entity protects its methods from deletion.',
    'enforcement-keeps-its-first-methods':
      'A login enforcement that is written again still uses its earlier methods, too.',
    'refused-deletion-destroys-secrets':
      'DELETE of a method in use is refused but destroys the secrets that were made from it.',
    'refused-deletion-resets-the-method':
      'DELETE of a method in use is refused but resets its fields to their defaults.',
    'update-of-a-method-in-use-is-ignored':
      'A POST on a method that a login enforcement uses succeeds but changes nothing.',
    'enforcement-outlives-its-deletion':
      'A method still counts as in use after the login enforcement that used it was deleted.',
  }).by({
    'list-names-a-stranger': after(
      ['list'],
      () => true,
      (_what, _here, reply) =>
        withData(reply, (data) => {
          const { keys } = data as { readonly keys: readonly string[] }
          return { ...data, keys: [...keys, '00000000-0000-4000-8000-000000000000'] }
        }),
    ),
    'ids-are-numbers': [
      rule({ isId: () => true }),
      on(
        ['create'],
        () => true,
        (_what, next, { context }) => {
          const { services } = context
          const uuid = () => String(Number.parseInt(services.random.uuid().slice(0, 8), 16))
          return during(
            context,
            { services: withMethods(services, { random: withMethods(services.random, { uuid }) }) },
            next,
          )
        },
      ),
    ],
    'takes-any-id': rule({ isId: () => true }),
    'generate-heeds-the-body': on(
      ['generate'],
      ({ call }, { context }) => context.services.entities.find(String(call.body.entity_id ?? '')) !== undefined,
      ({ call }, next) =>
        next(withCall(call, { token: call.token && { ...call.token, entityId: String(call.body.entity_id) } })),
    ),
    'list-names-25-at-most': ofEachIssuer((some) => some.slice(0, 25)),
    'only-two-methods-are-in-use': withMethodIds((ids) => ids.slice(0, 2)),
    'list-names-the-first-of-two': ofEachIssuer((some) => (some.length > 1 ? some.slice(0, -1) : some)),
    'list-names-the-second-of-two': ofEachIssuer((some) => (some.length > 1 ? some.slice(1) : some)),
    'list-omits-parents': stored(
      'above',
      'methods',
      () => [],
      (_given, { context }) => context.services.namespaces.here.path !== '',
    ),
    'list-names-methods-below': on(
      ['list'],
      (_what, { context }) => context.services.namespaces.all().length > 0,
      (_what, next, { context }) => {
        const { above, services } = context
        const inside = services.namespaces
          .all()
          .flatMap(({ name }) => services.namespaces.servicesOf(name)?.extensions.methodsBelow?.() ?? [])
        return during(context, { above: { methods: () => [...inside, ...above.methods()] } }, next)
      },
    ),
    'enforcements-of-groups-do-not-count': usedBy((all) =>
      all.filter(({ entities, accessors, types }) => entities.length + accessors.length + types.length > 0),
    ),
    'list-omits': omitting(() => true),
    'list-keeps-deleted': [remembersDeleted, listing((methods, here) => [...methods, ...deletedIn(here)])],
    'list-omits-updated': [remembersFirst, omitting(isUpdated)],
    'list-omits-methods-with-secrets': [remembersSecrets, omitting(hasSecrets)],
    'list-omits-methods-in-use': omitting(isInUse),
    'refused-deletion-hides-from-list': [remembersRefusals, omitting(isUndeleted)],
    'list-keeps-deleted-with-secrets': [
      remembersDeleted,
      remembersSecrets,
      listing((methods, here) => [...methods, ...deletedIn(here).filter((method) => hasSecrets(method, here))]),
    ],
    'method-in-use-is-deleted-at-the-second-attempt': [
      usedBy((all, { method }, here) => (method && isUndeleted(method, here) ? [] : all)),
      remembersRefusals,
    ],
    'update-frees-a-method-in-use': [
      remembersFirst,
      usedBy((all, { method }, here) => (method && isUpdated(method, here) ? [] : all)),
    ],
    'methods-added-to-an-enforcement-do-not-count': rewriting((before, given) =>
      given.filter((id) => before.includes(id)),
    ),
    'list-below-keeps-deleted': [
      remembersDeleted,
      listing((methods, here) => [...methods, ...deletedIn(here)]),
      on(
        ['list'],
        (_what, here) => deletedIn(here).length > 0,
        (_what, next, { context }) => {
          const { methods } = context
          return during(context, { methods: withMethods(methods, { listed: () => methods.all() }) }, next)
        },
      ),
    ],
    'only-enforcements-of-entities-count': usedBy((all) => all.filter(({ entities }) => entities.length > 0)),
    'one-deleted-enforcement-frees': stored('enforcements', 'remove', ([name], next, { context }) => {
      const freed = context.enforcements.find(name)?.methodIds ?? []
      next(name)
      for (const one of context.enforcements.all())
        context.enforcements.put({ ...one, methodIds: one.methodIds.filter((id) => !freed.includes(id)) })
    }),
    'method-in-use-is-deleted': usedBy(() => []),
    'only-the-first-method-is-in-use': withMethodIds((ids) => ids.slice(0, 1)),
    'only-the-last-method-is-in-use': withMethodIds((ids) => ids.slice(-1)),
    'only-the-first-enforcement-counts': ofEachEntity(0),
    'only-the-last-enforcement-counts': ofEachEntity(-1),
    'enforcement-keeps-its-first-methods': rewriting((before, given) => [...new Set([...before, ...given])]),
    'refused-deletion-destroys-secrets': refusedDeletion((method, here) => removeAll(secretsOf(method, here), here)),
    'refused-deletion-resets-the-method': refusedDeletion((method, { context }) => {
      const settings = settingsIn({ issuer: method.settings.issuer }, context.rules.fields)
      context.methods.put({ ...method, settings })
    }),
    'update-of-a-method-in-use-is-ignored': updating((method, before, here) => [
      isInUse(before, here) ? before : method,
    ]),
    'enforcement-outlives-its-deletion': [
      noting('enforcements', 'remove', ([name], { context, memory }) => {
        memory.set(`ended ${name}`, context.enforcements.find(name))
      }),
      noting('enforcements', 'put', ([{ name }], { memory }) => {
        memory.delete(`ended ${name}`)
      }),
      usedBy((all, _what, here) => [...all, ...enforcementOf(here)]),
    ],
  })
}
