import type { Mutant } from '../../../kernel/contracts.ts'
import type { History, Kind, View, Written } from '../store.ts'
import type { PoliciesTables } from '../tables.ts'
import { inActs, inField, inKind, mutant } from './cells.ts'

const called: Readonly<Record<Kind, string>> = { acl: 'an ACL policy', rgp: 'an RGP', egp: 'an EGP' }

const latest = (history: History): readonly Written[] => history.slice(-1)
const oneBefore = (history: History): readonly Written[] => history.slice(-2, -1)
const nothing = (): readonly Written[] => []
const keepBefore = <Before>(before: Before): Before => before
const lastThatBegins = (readable: View, name: string): Written | undefined =>
  readable
    .all()
    .filter((written) => written.name.startsWith(name))
    .at(-1)

/** Returns the mutants that any kind of policy can have. */
export const faultsOfKind = (kind: Kind): readonly Mutant<PoliciesTables>[] => {
  const one = called[kind]
  return [
    mutant(
      `${kind}-read-omits-policy`,
      `GET of ${one} answers without the field policy.`,
      inKind(kind, ({ shown }) => ({ shown: shown.filter((field) => field !== 'policy') })),
    ),
    mutant(
      `${kind}-read-takes-a-longer-name`,
      `GET of ${one} finds the last policy of that kind whose name begins with the name asked for.`,
      inKind(kind, () => ({ find: lastThatBegins })),
    ),
    mutant(
      `${kind}-list-omits`,
      `The keys of a LIST leave out ${one} that was written through the API.`,
      inKind(kind, () =>
        // A list of EGPs without keys would be a 404, and other mutants are about its name_path_map.
        kind === 'egp' ? { keys: (names) => names.slice(0, 1).map(() => 'withheld') } : { listed: ['built-in'] },
      ),
    ),
    mutant(
      `${kind}-list-keeps-deleted`,
      `The keys of a LIST still name ${one} that was deleted.`,
      inKind(kind, ({ listed }) => ({ listed: [...listed, 'deleted'] })),
    ),
    mutant(
      `${kind}-delete-keeps-reading`,
      `GET still returns ${one} that was deleted; its list entry and its effect are gone.`,
      inKind(kind, ({ readable }) => ({ readable: [...readable, 'deleted'] })),
    ),
    mutant(
      `${kind}-body-name-wins`,
      `A field name in the body decides which policy a write of ${one} is about, not the URL.`,
      inKind(kind, () => ({ name: (fromUrl, fromBody) => (typeof fromBody === 'string' ? fromBody : fromUrl) })),
    ),
    mutant(
      `${kind}-policy-optional`,
      `Creating ${one} without policy succeeds, with an empty text.`,
      inField(kind, 'policy', { absentOnCreate: { value: '' } }),
    ),
    mutant(
      `${kind}-update-keeps-missing-policy`,
      `Updating ${one} without policy succeeds and keeps the earlier text.`,
      inField(kind, 'policy', { absentOnUpdate: 'kept' }),
    ),
    mutant(
      `${kind}-second-update-ignored`,
      `From its second update on, ${one} acts as it was written the time before.`,
      inActs(kind, { updated: (history) => ((history.at(-1)?.nth ?? 0) > 2 ? oneBefore(history) : latest(history)) }),
    ),
    mutant(
      `${kind}-created-again-acts-as-before`,
      `The name of ${one} that was deleted acts as before its deletion once it is written again.`,
      inActs(kind, { recreated: (history) => oneBefore(history) }),
    ),
    mutant(
      `${kind}-update-keeps-policy`,
      `Updating ${one} keeps the earlier text, as stored and in effect.`,
      inField(kind, 'policy', { update: keepBefore }),
    ),
    mutant(
      `${kind}-base64-is-not-decoded`,
      `The base64 form of the document of ${one} is not decoded, and so refused as unparsable.`,
      inKind(kind, () => ({ encodings: [], updateEncodings: [] })),
    ),
    mutant(
      `${kind}-base64-of-an-update-is-not-decoded`,
      `The base64 form of the document of ${one} is decoded on creation, and not on an update.`,
      inKind(kind, () => ({ updateEncodings: [] })),
    ),
    mutant(
      `${kind}-base64-is-read-as-latin1`,
      `The base64 form of the document of ${one} is decoded as if each byte were a character.`,
      inKind(kind, () => ({ characters: 'latin1' })),
    ),
    mutant(
      `${kind}-policy-in-an-object-is-taken`,
      `The document of ${one} is taken out of an object.`,
      inKind(kind, () => ({ objects: 'taken' })),
    ),
    mutant(
      `${kind}-deleted-text-comes-back`,
      `GET of ${one} that was deleted and created again returns the text of before.`,
      inKind(kind, () => ({ recreated: keepBefore })),
    ),
    mutant(
      `${kind}-name-in-the-body-stores-nothing`,
      `A write of ${one} with a field name in the body succeeds and stores nothing.`,
      inKind(kind, () => ({ named: 'dropped' })),
    ),
    mutant(
      `${kind}-delete-takes-longer-names`,
      `Deleting ${one} deletes those of its kind whose names begin with its name, too.`,
      inKind(kind, () => ({ deletes: (asked, name) => name.startsWith(asked) })),
    ),
    mutant(
      `${kind}-deletion-outlives-creation`,
      `What is written under the name of ${one} that was deleted is stored and acts on nothing.`,
      inActs(kind, { recreated: nothing }),
    ),
    mutant(
      `${kind}-delete-takes-back-an-update`,
      `Deleting ${one} that was updated brings back what was written before.`,
      inKind(kind, () => ({ removes: 'last-write' })),
    ),
    mutant(
      `${kind}-deleted-acts-as-before-its-update`,
      `The name of ${one} that was updated and deleted acts as it was written first.`,
      inActs(kind, { deleted: (history) => (history.length > 1 ? history.slice(0, 1) : []) }),
    ),
    mutant(
      `${kind}-list-keeps-what-was-deleted-twice`,
      `A LIST names ${one} that was deleted, created again and deleted again.`,
      inKind(kind, () => ({ deletedTwice: 'listed' })),
    ),
    mutant(
      `${kind}-read-falls-to-another-kind`,
      `GET of ${one} that does not exist returns a policy of that name of another kind.`,
      inKind(kind, () => ({ readsAlso: [kind === 'egp' ? 'rgp' : 'egp'] })),
    ),
    mutant(
      `${kind}-second-deletion-ignored`,
      `Deleting ${one} that was deleted before and created again succeeds, and it stays.`,
      inKind(kind, () => ({ removes: 'policy-unless-recreated' })),
    ),
    mutant(
      `${kind}-updated-outlives-its-deletion`,
      `The name of ${one} that was updated and deleted goes on acting as it was written last.`,
      inActs(kind, { deleted: (history) => (history.length > 1 ? latest(history) : []) }),
    ),
    mutant(
      `${kind}-list-omits-updated`,
      `A LIST leaves out ${one} that was updated.`,
      inKind(kind, () => ({ unlisted: ['updated'] })),
    ),
    mutant(
      `${kind}-list-omits-created-again`,
      `A LIST leaves out ${one} that was deleted and created again.`,
      inKind(kind, () => ({ unlisted: ['recreated'] })),
    ),
    mutant(
      `${kind}-list-names-another-kind`,
      `A LIST of the kind of ${one} names policies of another kind, too.`,
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
    `A new ${kind.toUpperCase()} acts on nothing until it has been written a second time.`,
    inActs(kind, { created: nothing }),
  ),
  mutant(
    `${kind}-update-lags`,
    `An updated ${kind.toUpperCase()} acts as the write before said.`,
    inActs(kind, { updated: oneBefore }),
  ),
  mutant(`${kind}-delete-lags`, `A deleted ${kind.toUpperCase()} goes on acting.`, inActs(kind, { deleted: latest })),
]
