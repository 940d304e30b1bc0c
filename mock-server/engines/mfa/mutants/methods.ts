/** Mutants of methods as a whole. */
import type { VariantTables } from '../tables.ts'
import { cells, type Fault, fault, inGroup } from './cells.ts'

const inDeletion = (changed: Partial<VariantTables['deletion']>) => inGroup('deletion', () => changed)

/** Chooses one enforcement of each entity, the first or the last. */
const ofEachEntity =
  (owner: 0 | -1): VariantTables['deletion']['enforcements'] =>
  (all) =>
    [...Map.groupBy(all, ({ entities }) => entities.join()).values()].flatMap((some) => some.at(owner) ?? [])

const omits = (omitted: VariantTables['omitted']) => cells({ omitted })

type Find = VariantTables['find']

/** Makes a mutant whose GET returns another method, chosen by the issuer of the one that is asked for, if there is one. */
const takesAnother = (
  id: string,
  does: string,
  choose: (methods: Parameters<Find>[0], issuer: string) => ReturnType<Find>,
): Fault =>
  fault(id, does, (tables) => ({
    ...tables,
    find(methods, key) {
      const asked = tables.find(methods, key)
      return asked && (choose(methods, asked.settings.issuer) ?? asked)
    },
  }))

export const methodFaults: readonly Fault[] = [
  fault(
    'update-keeps-fields',
    'A POST on an existing method succeeds and keeps the earlier fields.',
    cells({ update: 'kept' }),
  ),
  fault(
    'update-keeps-fields-from-defaults',
    'A POST on an existing method changes no field to the value that is its default.',
    cells({ update: 'except-by-defaults' }),
  ),
  fault(
    'second-update-is-ignored',
    'A POST on an existing method changes it once; later ones succeed and change nothing.',
    cells({ update: 'replaced-once' }),
  ),
  takesAnother(
    'read-takes-a-longer-issuer',
    'GET returns the last method whose issuer begins with that of the method asked for, and is longer.',
    (methods, asked) =>
      methods.findLast(({ settings: { issuer } }) => issuer.startsWith(asked) && issuer.length > asked.length),
  ),
  takesAnother(
    'read-takes-a-shorter-issuer',
    'GET returns the first method whose issuer begins that of the method asked for, and is shorter.',
    (methods, asked) =>
      methods.find(({ settings: { issuer } }) => asked.startsWith(issuer) && issuer.length < asked.length),
  ),
  fault(
    'update-answers-a-refusal',
    'A POST on an existing method changes it, and answers with a refusal.',
    (tables) => ({ ...tables, answers: { ...tables.answers, update: 'refused' } }),
  ),
  fault('delete-answers-a-refusal', 'DELETE removes the method, and answers with a refusal.', (tables) => ({
    ...tables,
    answers: { ...tables.answers, deletion: 'refused' },
  })),
  fault(
    'update-reaches-longer-issuers',
    'An update changes also the methods whose issuer begins with that of the method, and is longer.',
    (tables) => ({ ...tables, reach: { ...tables.reach, update: 'longer-issuers' } }),
  ),
  fault(
    'delete-takes-longer-issuers',
    'DELETE removes also the methods whose issuer begins with that of the method, and is longer.',
    (tables) => ({ ...tables, reach: { ...tables.reach, deletion: 'longer-issuers' } }),
  ),
  fault(
    'read-escapes-the-issuer',
    'GET shows the issuer escaped for HTML.',
    cells({ shownIssuer: (issuer) => issuer.replaceAll('&', '&amp;') }),
  ),
  fault('read-shows-secrets', 'GET shows the secrets that were made from a method.', cells({ shownSecrets: 'all' })),
  fault(
    'delete-keeps-reading',
    'GET still returns a method after its deletion.',
    cells({ readable: ['defined', 'deleted'] }),
  ),
  fault(
    'delete-keeps-methods-with-secrets',
    'DELETE of a method of which entities have secrets succeeds and keeps the method.',
    inDeletion({ withSecrets: 'kept' }),
  ),
  fault(
    'delete-takes-secrets-of-other-methods',
    'DELETE of a method destroys every secret of the entities that have one of it.',
    inDeletion({ takes: 'secrets-of-their-entities' }),
  ),
  fault(
    'deleted-method-generates',
    'Secrets can still be made from a deleted method.',
    cells({ usable: ['defined', 'deleted'] }),
  ),
]

/** These need methods whose name may be used again. The documents do not say whether an id may. */
export const nameFaults: readonly Fault[] = [
  fault(
    'deleted-settings-come-back',
    'A method that is defined where one was deleted has the settings of that one where it says nothing.',
    cells({ deletedSettings: 'completing' }),
  ),
  fault(
    'names-fall-together',
    'A dot and an underscore in the name of a method count as a hyphen.',
    cells({ nameOf: (name) => name.replaceAll(/[._]/g, '-') }),
  ),
  fault(
    'names-end-at-a-dot',
    'Of the name of a method what follows its last dot does not count.',
    cells({ nameOf: (name) => name.replace(/\.[^.]*$/, '') }),
  ),
  fault(
    'names-are-cut',
    'Of the name of a method only the first 40 characters count.',
    cells({ nameOf: (name) => name.slice(0, 40) }),
  ),
]

/** These are about what only the identity variant has. */
export const listFaults: readonly Fault[] = [
  fault(
    'list-names-a-stranger',
    'LIST names a method that is not there.',
    cells({ strangers: ['00000000-0000-4000-8000-000000000000'] }),
  ),
  fault(
    'ids-are-numbers',
    'Methods get numbers for ids, and any other text is accepted as one.',
    cells({ newId: (id) => String(Number.parseInt(id.slice(0, 8), 16)), isId: () => true }),
  ),
  fault('takes-any-id', 'A method can be defined under an id that is not a UUID.', cells({ isId: () => true })),
  fault(
    'generate-heeds-the-body',
    'generate acts on the entity that the body names, if it names one.',
    cells({ generatesFor: 'entity-in-body' }),
  ),
  fault(
    'list-names-the-first-of-two',
    'Of several methods of one issuer LIST leaves out the last.',
    cells({ named: (all) => (all.length > 1 ? all.slice(0, -1) : all) }),
  ),
  fault(
    'list-names-the-second-of-two',
    'Of several methods of one issuer LIST leaves out the first.',
    cells({ named: (all) => (all.length > 1 ? all.slice(1) : all) }),
  ),
  fault(
    'list-omits-parents',
    'LIST in a namespace leaves out the methods of the namespaces above it.',
    cells({ listedBelow: 'none' }),
  ),
  fault(
    'list-names-methods-below',
    'LIST names the methods of the namespaces directly below as well.',
    cells({ listedFrom: 'here-and-below' }),
  ),
  fault(
    'enforcements-of-groups-do-not-count',
    'A method that a login enforcement uses for a group alone does not count as in use.',
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
    'DELETE of a method that a login enforcement uses is refused once, and succeeds afterwards.',
    inDeletion({ inUse: 'refused-once' }),
  ),
  fault(
    'only-enforcements-of-entities-count',
    'A method counts as in use only by a login enforcement that names entities.',
    inDeletion({ enforcements: (all) => all.filter(({ entities }) => entities.length > 0) }),
  ),
  fault(
    'one-deleted-enforcement-frees',
    'The deletion of one login enforcement of a method ends its use by all others.',
    inDeletion({ frees: 'from-every-enforcement' }),
  ),
  fault(
    'method-in-use-is-deleted',
    'DELETE of a method that a login enforcement uses succeeds.',
    inDeletion({ inUse: 'deleted' }),
  ),
  fault(
    'only-the-first-method-is-in-use',
    'Of the methods of a login enforcement only the first counts as in use.',
    inDeletion({ methods: (ids) => ids.slice(0, 1) }),
  ),
  fault(
    'only-the-last-method-is-in-use',
    'Of the methods of a login enforcement only the last counts as in use.',
    inDeletion({ methods: (ids) => ids.slice(-1) }),
  ),
  fault(
    'only-the-first-enforcement-counts',
    'Of the login enforcements of an entity only the oldest keeps its methods from being deleted.',
    inDeletion({ enforcements: ofEachEntity(0) }),
  ),
  fault(
    'only-the-last-enforcement-counts',
    'Of the login enforcements of an entity only the newest keeps its methods from being deleted.',
    inDeletion({ enforcements: ofEachEntity(-1) }),
  ),
  fault(
    'enforcement-keeps-its-first-methods',
    'A login enforcement that is written again uses its earlier methods, too.',
    inDeletion({ rewritten: (before, given) => [...new Set([...before, ...given])] }),
  ),
  fault(
    'refused-deletion-destroys-secrets',
    'DELETE of a method in use is refused, and destroys the secrets that were made from it.',
    inDeletion({ secrets: 'destroyed' }),
  ),
  fault(
    'refused-deletion-resets-the-method',
    'DELETE of a method in use is refused, and sets its fields to their defaults.',
    inDeletion({ refused: 'reset' }),
  ),
  fault(
    'update-of-a-method-in-use-is-ignored',
    'A POST on a method that a login enforcement uses succeeds and changes nothing.',
    cells({ updateInUse: 'kept' }),
  ),
  fault(
    'enforcement-outlives-its-deletion',
    'A method stays in use after the login enforcement that used it was deleted.',
    inDeletion({ usedBy: ['defined', 'deleted'] }),
  ),
]
