import type { Mutant } from '../../../kernel/contracts.ts'
import type { History, Kind, View, Written } from '../store.ts'
import type { PoliciesTables } from '../tables.ts'
import { inActs, inField, inKind, mutant } from './cells.ts'

const nounOf: Readonly<Record<Kind, string>> = { acl: 'an ACL policy', rgp: 'an RGP', egp: 'an EGP' }

const latest = (history: History): readonly Written[] => history.slice(-1)
const oneBefore = (history: History): readonly Written[] => history.slice(-2, -1)
const nothing = (): readonly Written[] => []
const keepBefore = <Before>(before: Before): Before => before
const lastWithPrefix = (readable: View, name: string): Written | undefined =>
  readable
    .all()
    .filter((written) => written.name.startsWith(name))
    .at(-1)

/** Returns the mutants that any kind of policy can have. */
export const faultsOfKind = (kind: Kind): readonly Mutant<PoliciesTables>[] => {
  const noun = nounOf[kind]
  return [
    mutant(
      `${kind}-read-omits-policy`,
      `The reply to GET of ${noun} lacks the field policy.`,
      inKind(kind, ({ shown }) => ({ shown: shown.filter((field) => field !== 'policy') })),
    ),
    mutant(
      `${kind}-read-takes-a-longer-name`,
      `GET of ${noun} returns the last policy of that kind whose name begins with the requested name.`,
      inKind(kind, () => ({ find: lastWithPrefix })),
    ),
    mutant(
      `${kind}-list-omits`,
      `The keys in the reply to LIST do not include ${noun} that was written through the API.`,
      inKind(kind, () =>
        // A list of EGPs without keys would be a 404, and other mutants are about its name_path_map.
        kind === 'egp' ? { keys: (names) => names.slice(0, 1).map(() => 'withheld') } : { listed: ['built-in'] },
      ),
    ),
    mutant(
      `${kind}-list-names-25-at-most`,
      `The keys in the reply to LIST of ${kind.toUpperCase()} policies are cut after the first 25.`,
      inKind(kind, () => ({ keys: (names) => names.slice(0, 25) })),
    ),
    mutant(
      `${kind}-list-keeps-deleted`,
      `The keys in the reply to LIST still include ${noun} that was deleted.`,
      inKind(kind, ({ listed }) => ({ listed: [...listed, 'deleted'] })),
    ),
    mutant(
      `${kind}-delete-keeps-reading`,
      `GET still returns ${noun} that was deleted; its list entry and its effect are gone.`,
      inKind(kind, ({ readable }) => ({ readable: [...readable, 'deleted'] })),
    ),
    mutant(
      `${kind}-body-name-wins`,
      `If the body of a write of ${noun} has a field name, it decides which policy is written, not the URL.`,
      inKind(kind, () => ({ name: (fromUrl, fromBody) => (typeof fromBody === 'string' ? fromBody : fromUrl) })),
    ),
    mutant(
      `${kind}-written-twice-is-removed`,
      `Writing ${noun} again without any change succeeds, but removes it.`,
      inKind(kind, () => ({ alike: 'removed' })),
    ),
    mutant(
      `${kind}-policy-optional`,
      `Creating ${noun} without the field policy succeeds and stores an empty text.`,
      inField(kind, 'policy', { absentOnCreate: { value: '' } }),
    ),
    mutant(
      `${kind}-update-keeps-missing-policy`,
      `Updating ${noun} without the field policy succeeds and keeps the earlier text.`,
      inField(kind, 'policy', { absentOnUpdate: 'kept' }),
    ),
    mutant(
      `${kind}-second-update-ignored`,
      `From the second update on, the previous text of ${noun} stays in effect.`,
      inActs(kind, { updated: (history) => ((history.at(-1)?.nth ?? 0) > 2 ? oneBefore(history) : latest(history)) }),
    ),
    mutant(
      `${kind}-created-again-acts-as-before`,
      `When ${noun} is created again after its deletion, the text from before the deletion is in effect.`,
      inActs(kind, { recreated: (history) => oneBefore(history) }),
    ),
    mutant(
      `${kind}-update-keeps-policy`,
      `An update of ${noun} succeeds, but the earlier text stays stored and in effect.`,
      inField(kind, 'policy', { update: keepBefore }),
    ),
    mutant(
      `${kind}-base64-is-not-decoded`,
      `The document of ${noun} is not decoded from base64, and is therefore refused as unparsable.`,
      inKind(kind, () => ({ encodings: [], updateEncodings: [] })),
    ),
    mutant(
      `${kind}-base64-of-an-update-is-not-decoded`,
      `The document of ${noun} is decoded from base64 on creation, but not on an update.`,
      inKind(kind, () => ({ updateEncodings: [] })),
    ),
    mutant(
      `${kind}-base64-is-read-as-latin1`,
      `The document of ${noun} is decoded from base64 as Latin-1, not as UTF-8.`,
      inKind(kind, () => ({ characters: 'latin1' })),
    ),
    mutant(
      `${kind}-policy-in-an-object-is-taken`,
      `A write of ${noun} accepts an object that contains the document instead of the document.`,
      inKind(kind, () => ({ objects: 'taken' })),
    ),
    mutant(
      `${kind}-deleted-text-comes-back`,
      `GET of ${noun} that was deleted and created again returns the text from before the deletion.`,
      inKind(kind, () => ({ recreated: keepBefore })),
    ),
    mutant(
      `${kind}-name-in-the-body-stores-nothing`,
      `A write of ${noun} with a field name in the body succeeds, but nothing is stored.`,
      inKind(kind, () => ({ named: 'dropped' })),
    ),
    mutant(
      `${kind}-delete-takes-longer-names`,
      `Deleting ${noun} also deletes the policies of its kind whose names begin with its name.`,
      inKind(kind, () => ({ deletes: (asked, name) => name.startsWith(asked) })),
    ),
    mutant(
      `${kind}-deletion-outlives-creation`,
      `When ${noun} is created again after its deletion, it is stored but has no effect.`,
      inActs(kind, { recreated: nothing }),
    ),
    mutant(
      `${kind}-delete-takes-back-an-update`,
      `Deleting ${noun} that was updated restores the version from before the update.`,
      inKind(kind, () => ({ removes: 'last-write' })),
    ),
    mutant(
      `${kind}-deleted-acts-as-before-its-update`,
      `After ${noun} was updated and deleted, its first version is in effect.`,
      inActs(kind, { deleted: (history) => (history.length > 1 ? history.slice(0, 1) : []) }),
    ),
    mutant(
      `${kind}-list-keeps-what-was-deleted-twice`,
      `A LIST still names ${noun} that was deleted, created again and deleted again.`,
      inKind(kind, () => ({ deletedTwice: 'listed' })),
    ),
    mutant(
      `${kind}-read-falls-to-another-kind`,
      `GET of ${noun} that does not exist returns the policy of another kind with the same name.`,
      inKind(kind, () => ({ readsAlso: [kind === 'egp' ? 'rgp' : 'egp'] })),
    ),
    mutant(
      `${kind}-second-deletion-ignored`,
      `Deleting ${noun} that was deleted before and created again succeeds, but the policy is kept.`,
      inKind(kind, () => ({ removes: 'policy-unless-recreated' })),
    ),
    mutant(
      `${kind}-updated-outlives-its-deletion`,
      `After ${noun} was updated and deleted, its last version stays in effect.`,
      inActs(kind, { deleted: (history) => (history.length > 1 ? latest(history) : []) }),
    ),
    mutant(
      `${kind}-list-omits-updated`,
      `A LIST leaves out ${noun} that was updated.`,
      inKind(kind, () => ({ unlisted: ['updated'] })),
    ),
    mutant(
      `${kind}-list-omits-created-again`,
      `A LIST leaves out ${noun} that was deleted and created again.`,
      inKind(kind, () => ({ unlisted: ['recreated'] })),
    ),
    mutant(
      `${kind}-list-names-another-kind`,
      `A LIST that should name only policies of the kind of ${noun} also names policies of another kind.`,
      inKind(kind, () => ({ listsAlso: [kind === 'egp' ? 'rgp' : 'egp'] })),
    ),
    ...(kind === 'acl' ? [] : lags(kind)),
  ]
}

const lags = (kind: 'rgp' | 'egp'): readonly Mutant<PoliciesTables>[] => [
  mutant(
    `${kind}-created-again-keeps-level`,
    `An ${kind.toUpperCase()} that is created again has the level from before its deletion.`,
    inKind(kind, () => ({ revived: ['enforcement_level'] })),
  ),
  mutant(
    `${kind}-create-lags`,
    `A new ${kind.toUpperCase()} has no effect until it has been written a second time.`,
    inActs(kind, { created: nothing }),
  ),
  mutant(
    `${kind}-update-lags`,
    `After an update of an ${kind.toUpperCase()}, its previous version stays in effect.`,
    inActs(kind, { updated: oneBefore }),
  ),
  mutant(`${kind}-delete-lags`, `A deleted ${kind.toUpperCase()} stays in effect.`, inActs(kind, { deleted: latest })),
]
