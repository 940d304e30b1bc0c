/** Mutants of methods as a whole. The file is long because each is written out with a sentence. */
import type { SecretOperation, VariantTables } from '../tables.ts'
import { cells, type Fault, fault, inGroup, type VariantChange } from './cells.ts'

const inDeletion = (changed: Partial<VariantTables['deletion']>) => inGroup('deletion', () => changed)

const reaches =
  (changed: Partial<VariantTables['reach']>): VariantChange =>
  (tables) => ({ ...tables, reach: { ...tables.reach, ...changed } })

/** Returns one login enforcement of each entity, the first or the last. */
const ofEachEntity =
  (owner: 0 | -1): VariantTables['deletion']['enforcements'] =>
  (all) =>
    [...Map.groupBy(all, ({ entities }) => entities.join()).values()].flatMap((some) => some.at(owner) ?? [])

/** Makes deleted methods usable for these operations. */
const usable =
  (...operations: readonly SecretOperation[]): VariantChange =>
  (tables) => ({
    ...tables,
    usable: {
      ...tables.usable,
      ...Object.fromEntries(operations.map((operation) => [operation, ['defined', 'deleted']])),
    },
  })

const omits = (omitted: VariantTables['omitted']) => cells({ omitted })

type Find = VariantTables['find']

/** Makes a fault whose GET returns the method that `choose` finds by the issuer of the requested method, if any. */
const takesAnother = (
  id: string,
  does: string,
  choose: (methods: Parameters<Find>[0], issuer: string) => ReturnType<Find>,
): Fault =>
  fault(id, does, (tables) => ({
    ...tables,
    find(methods, key) {
      const requested = tables.find(methods, key)
      return requested && (choose(methods, requested.settings.issuer) ?? requested)
    },
  }))

export const methodFaults: readonly Fault[] = [
  fault(
    'update-keeps-fields',
    'A POST on an existing method succeeds but keeps the earlier fields.',
    cells({ update: 'kept' }),
  ),
  fault(
    'update-keeps-fields-from-defaults',
    'A POST on an existing method cannot set a field to its default value: the earlier value is kept.',
    cells({ update: 'except-by-defaults' }),
  ),
  fault(
    'second-update-is-ignored',
    'Only the first POST on an existing method changes it. Later ones succeed but change nothing.',
    cells({ update: 'replaced-once' }),
  ),
  takesAnother(
    'read-takes-a-longer-issuer',
    'GET returns the last method whose issuer is longer than that of the requested method and begins with it.',
    (methods, asked) =>
      methods.findLast(({ settings: { issuer } }) => issuer.startsWith(asked) && issuer.length > asked.length),
  ),
  takesAnother(
    'read-takes-a-shorter-issuer',
    'GET returns the first method whose issuer is shorter than that of the requested method and is its beginning.',
    (methods, asked) =>
      methods.find(({ settings: { issuer } }) => asked.startsWith(issuer) && issuer.length < asked.length),
  ),
  fault(
    'update-answers-a-refusal',
    'A POST on an existing method changes it, but the reply is a refusal.',
    (tables) => ({ ...tables, answers: { ...tables.answers, update: 'refused' } }),
  ),
  fault('delete-answers-a-refusal', 'DELETE removes the method, but the reply is a refusal.', (tables) => ({
    ...tables,
    answers: { ...tables.answers, deletion: 'refused' },
  })),
  fault(
    'update-reaches-longer-issuers',
    'An update also changes the methods whose issuer is longer than that of the method and begins with it.',
    reaches({ update: 'longer-issuers' }),
  ),
  fault(
    'delete-takes-longer-issuers',
    'DELETE also removes the methods whose issuer is longer than that of the method and begins with it.',
    reaches({ deletion: 'longer-issuers' }),
  ),
  fault(
    'read-escapes-the-issuer',
    'GET shows the issuer with & escaped for HTML.',
    cells({ shownIssuer: (issuer) => issuer.replaceAll('&', '&amp;') }),
  ),
  fault(
    'one-of-two-simultaneous-definitions-is-dropped',
    'A definition that arrives during another one succeeds, but nothing is stored.',
    cells({ simultaneous: 'dropped' }),
  ),
  fault(
    'body-decides-the-method',
    'If the body of a write has a name or an id, it decides which method is written, not the URL.',
    cells({ writes: (fromUrl, fromBody) => (typeof fromBody === 'string' ? fromBody : fromUrl) }),
  ),
  fault('read-shows-secrets', 'GET shows the secrets that were made from a method.', cells({ shownSecrets: 'all' })),
  fault(
    'delete-keeps-reading',
    'GET still returns a method after its deletion.',
    cells({ readable: ['defined', 'deleted'] }),
  ),
  fault(
    'delete-keeps-methods-with-secrets',
    'DELETE of a method from which secrets were made succeeds but keeps the method.',
    inDeletion({ withSecrets: 'kept' }),
  ),
  fault(
    'delete-takes-secrets-of-other-methods',
    'DELETE of a method destroys all secrets of the entities that have a secret of the method.',
    inDeletion({ takes: 'secrets-of-their-entities' }),
  ),
  fault(
    'deleted-method-generates',
    'Secrets can still be made from a deleted method.',
    usable('generate', 'admin-generate', 'admin-destroy'),
  ),
  fault(
    'deleted-method-generates-for-the-caller',
    'generate still makes secrets from a deleted method.',
    usable('generate'),
  ),
]

/** Faults of methods whose names may be used again. The documents do not say whether ids may. */
export const nameFaults: readonly Fault[] = [
  fault(
    'update-reaches-longer-names',
    'An update also changes the methods whose name is longer than that of the method and begins with it.',
    reaches({ update: 'longer-names' }),
  ),
  fault(
    'delete-takes-longer-names',
    'DELETE also removes the methods whose name is longer than that of the method and begins with it.',
    reaches({ deletion: 'longer-names' }),
  ),
  fault(
    'destroy-takes-longer-names',
    'admin-destroy also destroys the secrets of methods whose name is longer and begins with that of the method.',
    reaches({ destruction: 'longer-names' }),
  ),
  fault(
    'deleted-settings-come-back',
    'A method that is defined again after its deletion gets the earlier value of each field that is not given.',
    cells({ deletedSettings: 'completing' }),
  ),
  fault(
    'names-fall-together',
    'Dots and underscores in the name of a method are treated as hyphens.',
    cells({ nameOf: (name) => name.replaceAll(/[._]/g, '-') }),
  ),
  fault(
    'names-end-at-a-dot',
    'The last dot of the name of a method and everything after it are ignored.',
    cells({ nameOf: (name) => name.replace(/\.[^.]*$/, '') }),
  ),
  fault(
    'long-names-are-cut',
    'Only the first 120 characters of the name of a method count.',
    cells({ nameOf: (name) => name.slice(0, 120) }),
  ),
  fault(
    'names-are-cut',
    'Only the first 40 characters of the name of a method count.',
    cells({ nameOf: (name) => name.slice(0, 40) }),
  ),
]

/** Faults of what only the identity variant has. */
export const listFaults: readonly Fault[] = [
  fault(
    'list-names-a-stranger',
    'LIST names a method that does not exist.',
    cells({ strangers: ['00000000-0000-4000-8000-000000000000'] }),
  ),
  fault(
    'ids-are-numbers',
    'The ids of methods are numbers, and any text is accepted as an id.',
    cells({ newId: (id) => String(Number.parseInt(id.slice(0, 8), 16)), isId: () => true }),
  ),
  fault('takes-any-id', 'A method can be defined under an id that is not a UUID.', cells({ isId: () => true })),
  fault(
    'generate-heeds-the-body',
    'generate makes the secret for the entity that the body names, not for the caller.',
    cells({ generatesFor: 'entity-in-body' }),
  ),
  fault(
    'list-names-25-at-most',
    'LIST names only the first 25 methods with the same issuer.',
    cells({ named: (all) => all.slice(0, 25) }),
  ),
  fault(
    'only-two-methods-are-in-use',
    'Only the first two of the methods of a login enforcement count as in use.',
    inDeletion({ methods: (ids) => ids.slice(0, 2) }),
  ),
  fault(
    'list-names-the-first-of-two',
    'LIST leaves out the last of several methods with the same issuer.',
    cells({ named: (all) => (all.length > 1 ? all.slice(0, -1) : all) }),
  ),
  fault(
    'list-names-the-second-of-two',
    'LIST leaves out the first of several methods with the same issuer.',
    cells({ named: (all) => (all.length > 1 ? all.slice(1) : all) }),
  ),
  fault(
    'list-omits-parents',
    'LIST in a namespace leaves out the methods of the namespaces above it.',
    cells({ listedBelow: 'none' }),
  ),
  fault(
    'list-names-methods-below',
    'LIST also names the methods of the namespaces directly below.',
    cells({ listedFrom: 'here-and-below' }),
  ),
  fault(
    'enforcements-of-groups-do-not-count',
    'A method that a login enforcement uses only for groups does not count as in use.',
    inDeletion({
      enforcements: (all) =>
        all.filter(({ entities, accessors, types }) => entities.length + accessors.length + types.length > 0),
    }),
  ),
  fault('list-omits', 'LIST leaves out methods that were defined through the API.', cells({ listed: [] })),
  fault('list-keeps-deleted', 'LIST still names deleted methods.', cells({ listed: ['defined', 'deleted'] })),
  fault(
    'list-omits-updated',
    'LIST leaves out methods that were updated.',
    omits(({ isUpdated }) => isUpdated),
  ),
  fault(
    'list-omits-methods-with-secrets',
    'LIST leaves out methods from which secrets were made.',
    omits(({ hasSecrets }) => hasSecrets),
  ),
  fault(
    'list-omits-methods-in-use',
    'LIST leaves out methods that a login enforcement uses.',
    omits(({ isInUse }) => isInUse),
  ),
  fault(
    'refused-deletion-hides-from-list',
    'LIST leaves out methods whose deletion was refused.',
    omits(({ isUndeleted }) => isUndeleted),
  ),
  fault(
    'list-keeps-deleted-with-secrets',
    'LIST still names deleted methods from which secrets were made.',
    cells({ listed: ['defined', 'deleted'], omitted: ({ isDeleted, hasSecrets }) => isDeleted && !hasSecrets }),
  ),
  fault(
    'method-in-use-is-deleted-at-the-second-attempt',
    'DELETE of a method that a login enforcement uses is refused the first time, and succeeds the second time.',
    inDeletion({ inUse: 'refused-once' }),
  ),
  fault(
    'update-frees-a-method-in-use',
    'DELETE of a method that a login enforcement uses succeeds if the method was updated.',
    inDeletion({ inUse: 'refused-until-updated' }),
  ),
  fault(
    'methods-added-to-an-enforcement-do-not-count',
    'A login enforcement that is written again uses only those of its methods that it used before.',
    inDeletion({
      rewritten: (before, given) => (before.length > 0 ? given.filter((id) => before.includes(id)) : given),
    }),
  ),
  fault(
    'list-below-keeps-deleted',
    'LIST in a namespace still names the deleted methods of the namespaces above it.',
    cells({ listedBelow: 'all-and-deleted' }),
  ),
  fault(
    'only-enforcements-of-entities-count',
    'A method counts as in use only if a login enforcement with entities uses it.',
    inDeletion({ enforcements: (all) => all.filter(({ entities }) => entities.length > 0) }),
  ),
  fault(
    'one-deleted-enforcement-frees',
    'After the deletion of one login enforcement that used a method, the method no longer counts as in use by others.',
    inDeletion({ frees: 'from-every-enforcement' }),
  ),
  fault(
    'method-in-use-is-deleted',
    'DELETE of a method that a login enforcement uses succeeds.',
    inDeletion({ inUse: 'deleted' }),
  ),
  fault(
    'only-the-first-method-is-in-use',
    'Only the first of the methods of a login enforcement counts as in use.',
    inDeletion({ methods: (ids) => ids.slice(0, 1) }),
  ),
  fault(
    'only-the-last-method-is-in-use',
    'Only the last of the methods of a login enforcement counts as in use.',
    inDeletion({ methods: (ids) => ids.slice(-1) }),
  ),
  fault(
    'only-the-first-enforcement-counts',
    'Only the oldest of the login enforcements of an entity protects its methods from deletion.',
    inDeletion({ enforcements: ofEachEntity(0) }),
  ),
  fault(
    'only-the-last-enforcement-counts',
    'Only the newest of the login enforcements of an entity protects its methods from deletion.',
    inDeletion({ enforcements: ofEachEntity(-1) }),
  ),
  fault(
    'enforcement-keeps-its-first-methods',
    'A login enforcement that is written again still uses its earlier methods, too.',
    inDeletion({ rewritten: (before, given) => [...new Set([...before, ...given])] }),
  ),
  fault(
    'refused-deletion-destroys-secrets',
    'DELETE of a method in use is refused but destroys the secrets that were made from it.',
    inDeletion({ secrets: 'destroyed' }),
  ),
  fault(
    'refused-deletion-resets-the-method',
    'DELETE of a method in use is refused but resets its fields to their defaults.',
    inDeletion({ refused: 'reset' }),
  ),
  fault(
    'update-of-a-method-in-use-is-ignored',
    'A POST on a method that a login enforcement uses succeeds but changes nothing.',
    cells({ updateInUse: 'kept' }),
  ),
  fault(
    'enforcement-outlives-its-deletion',
    'A method still counts as in use after the login enforcement that used it was deleted.',
    inDeletion({ usedBy: ['defined', 'deleted'] }),
  ),
]
