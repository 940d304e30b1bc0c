import type { Edition, Mutant } from '../../../kernel/contracts.ts'
import type { History, Kind, Written } from '../store.ts'
import type { PoliciesTables } from '../tables.ts'
import { inActs, inEachKind, inKind, mutant } from './cells.ts'

const servedOn = (id: string, kind: Kind, edition: Edition): Mutant<PoliciesTables> =>
  mutant(
    id,
    `The ${kind.toUpperCase()} endpoints are served in the ${edition} edition.`,
    inKind(kind, ({ editions }) => ({ editions: [...editions, edition] })),
  )

const absentOn = (edition: Edition): Mutant<PoliciesTables> =>
  mutant(
    `acl-absent-on-${edition}`,
    `The ACL policy endpoints are not served in the ${edition} edition.`,
    inKind('acl', ({ editions }) => ({ editions: editions.filter((each) => each !== edition) })),
  )

const naming = (id: string, does: string, nameFrom: PoliciesTables['nameFrom']): Mutant<PoliciesTables> =>
  mutant(id, does, (tables) => ({ ...tables, nameFrom }))

const unseen = (history: History): readonly Written[] => history.slice(-1).filter((written) => written.unseen)

/** Mutants of the editions and versions that have the endpoints, of refusals, and of names. */
export const serviceFaults: readonly Mutant<PoliciesTables>[] = [
  servedOn('rgp-on-community', 'rgp', 'community'),
  servedOn('rgp-on-enterprise', 'rgp', 'enterprise'),
  servedOn('egp-on-community', 'egp', 'community'),
  servedOn('egp-on-enterprise', 'egp', 'enterprise'),
  mutant(
    'delete-of-a-missing-name-reaches-other-kinds',
    'Deleting a name that no policy of the kind has deletes the policies of the other kinds with that name.',
    (tables) => ({ ...tables, missing: 'other-kinds' }),
  ),
  absentOn('community'),
  absentOn('enterprise'),
  mutant(
    'served-before-0-9',
    'The policy endpoints are served before version 0.9.0.',
    inEachKind(() => ({ since: '0.0.0' })),
  ),
  mutant(
    'absent-at-0-9-0',
    'The policy endpoints are not served in version 0.9.0 itself, only in later ones.',
    inEachKind(() => ({ since: '0.9.1' })),
  ),
  mutant(
    'refused-write-is-kept',
    'A write that is refused for a missing or invalid field is stored as it was sent.',
    (tables) => ({ ...tables, refusedWrite: 'stored' }),
  ),
  mutant(
    'refused-create-takes-effect',
    'An RGP or EGP whose creation was refused is in effect, although no read shows it.',
    (tables) => ({
      ...inActs('rgp', { deleted: unseen })(inActs('egp', { deleted: unseen })(tables)),
      refusedWrite: 'creation-takes-effect',
    }),
  ),
  mutant(
    'denied-deletions-are-carried-out',
    'A DELETE that a governing policy denies is refused but carried out.',
    (tables) => ({ ...tables, denied: 'carried-out-where-it-deletes' }),
  ),
  mutant(
    'denied-requests-are-carried-out',
    'A request that a governing policy denies is refused but carried out.',
    (tables) => ({ ...tables, denied: 'carried-out' }),
  ),
  mutant(
    'governing-spares-creations',
    'RGPs and EGPs are not evaluated for requests that create something.',
    (tables) => ({
      ...tables,
      creations: 'spared',
    }),
  ),
  mutant(
    'refused-update-ends-the-effect',
    'A refused update keeps the text of the policy but ends its effect.',
    (tables) => ({ ...tables, refusedWrite: 'ends-the-effect' }),
  ),
  mutant(
    'refused-update-takes-effect',
    'The text of a refused update takes effect, although reads show the earlier text.',
    (tables) => ({ ...tables, refusedWrite: 'text-takes-effect' }),
  ),
  mutant(
    'refused-update-keeps-its-level',
    'An update that is refused for another field still changes the enforcement_level if it has a valid one.',
    (tables) => ({ ...tables, refusedWrite: 'level-is-stored' }),
  ),
  naming('long-names-are-cut', 'Names are cut after 120 characters.', (name) => name.toLowerCase().slice(0, 120)),
  mutant(
    'one-of-two-simultaneous-writes-is-dropped',
    'A write that arrives while another policy of the same kind is written succeeds, but nothing is stored.',
    (tables) => ({ ...tables, simultaneous: 'dropped' }),
  ),
  naming('names-are-cut', 'Names are cut after 40 characters.', (name) => name.toLowerCase().slice(0, 40)),
  naming('names-lose-underscores', 'Names that differ only in `_` and `-` are the same.', (name) =>
    name.toLowerCase().replaceAll('_', '-'),
  ),
  naming('names-end-at-a-dot', 'The last dot of a name and everything after it are ignored.', (name) =>
    name.toLowerCase().replace(/\.[^.]*$/, ''),
  ),
  ...(['read', 'delete'] as const).map((exact) =>
    naming(
      `${exact}-minds-capitals`,
      `Names are stored in lower case, but ${exact} compares the name in the URL case-sensitively.`,
      (name, operation) => (operation === exact ? name : name.toLowerCase()),
    ),
  ),
  naming(
    'tokens-alone-lose-capitals',
    'Policies keep the capitals of their names, but tokens have these names in lower case.',
    (name) => name,
  ),
  mutant(
    'rgps-alone-beside-egps',
    'If a request is governed by RGPs and EGPs, only the RGPs are evaluated.',
    (tables) => ({ ...tables, together: 'rgps' }),
  ),
  mutant(
    'egps-alone-beside-rgps',
    'If a request is governed by RGPs and EGPs, only the EGPs are evaluated.',
    (tables) => ({ ...tables, together: 'egps' }),
  ),
  mutant(
    'update-reaches-every-kind',
    'A write also changes the text of existing policies of the other kinds with the same name.',
    (tables) => ({ ...tables, reach: { ...tables.reach, update: 'every-kind' } }),
  ),
  mutant(
    'delete-reaches-every-kind',
    'A deletion also deletes the policies of the other kinds with the same name.',
    (tables) => ({ ...tables, reach: { ...tables.reach, deletion: 'every-kind' } }),
  ),
]
