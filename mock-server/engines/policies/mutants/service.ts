import type { Edition, Mutant } from '../../../kernel/contracts.ts'
import type { History, Kind, Written } from '../store.ts'
import type { PoliciesTables } from '../tables.ts'
import { inActs, inEachKind, inKind, mutant } from './cells.ts'

const servedOn = (id: string, kind: Kind, edition: Edition): Mutant<PoliciesTables> =>
  mutant(
    id,
    `The ${kind.toUpperCase()} endpoints are served on the edition ${edition}.`,
    inKind(kind, ({ editions }) => ({ editions: [...editions, edition] })),
  )

const absentOn = (edition: Edition): Mutant<PoliciesTables> =>
  mutant(
    `acl-absent-on-${edition}`,
    `The ACL policy endpoints are not served on the edition ${edition}.`,
    inKind('acl', ({ editions }) => ({ editions: editions.filter((each) => each !== edition) })),
  )

const naming = (id: string, does: string, nameFrom: PoliciesTables['nameFrom']): Mutant<PoliciesTables> =>
  mutant(id, does, (tables) => ({ ...tables, nameFrom }))

const unseen = (history: History): readonly Written[] => history.slice(-1).filter((written) => written.unseen)

/** Mutants of where and when the endpoints exist, and of refusals. */
export const serviceFaults: readonly Mutant<PoliciesTables>[] = [
  servedOn('rgp-on-community', 'rgp', 'community'),
  servedOn('rgp-on-enterprise', 'rgp', 'enterprise'),
  servedOn('egp-on-community', 'egp', 'community'),
  servedOn('egp-on-enterprise', 'egp', 'enterprise'),
  absentOn('community'),
  absentOn('enterprise'),
  mutant(
    'served-before-0-9',
    'The policy endpoints are served before version 0.9.0.',
    inEachKind(() => ({ since: '0.0.0' })),
  ),
  mutant(
    'absent-at-0-9-0',
    'The policy endpoints are served only after version 0.9.0, not at it.',
    inEachKind(() => ({ since: '0.9.1' })),
  ),
  mutant(
    'refused-write-is-kept',
    'A write that is refused for a missing or wrong field is stored nevertheless, as it was sent.',
    (tables) => ({ ...tables, refusedWrite: 'stored' }),
  ),
  mutant(
    'refused-create-takes-effect',
    'A creation of an RGP or EGP that is refused is not shown, and acts on requests.',
    (tables) => ({
      ...inActs('rgp', { deleted: unseen })(inActs('egp', { deleted: unseen })(tables)),
      refusedWrite: 'creation-takes-effect',
    }),
  ),
  mutant(
    'denied-deletions-are-carried-out',
    'A DELETE that a governing policy denies is carried out all the same.',
    (tables) => ({ ...tables, denied: 'carried-out-where-it-deletes' }),
  ),
  mutant(
    'denied-requests-are-carried-out',
    'A request that a governing policy denies is carried out before it is refused.',
    (tables) => ({ ...tables, denied: 'carried-out' }),
  ),
  mutant('governing-spares-creations', 'RGPs and EGPs are not asked of requests that create something.', (tables) => ({
    ...tables,
    creations: 'spared',
  })),
  mutant(
    'refused-update-ends-the-effect',
    'An update that is refused leaves the text of the policy, and ends its effect.',
    (tables) => ({ ...tables, refusedWrite: 'ends-the-effect' }),
  ),
  mutant(
    'refused-update-takes-effect',
    'An update that is refused leaves the policy that is shown, and its text takes effect.',
    (tables) => ({ ...tables, refusedWrite: 'text-takes-effect' }),
  ),
  mutant(
    'refused-update-keeps-its-level',
    'An update that is refused for another field changes the enforcement_level, where it gives one of the three.',
    (tables) => ({ ...tables, refusedWrite: 'level-is-stored' }),
  ),
  naming('names-are-cut', 'Names are cut after 40 characters.', (name) => name.toLowerCase().slice(0, 40)),
  naming('names-lose-underscores', 'Names that differ in `_` and `-` alone are one.', (name) =>
    name.toLowerCase().replaceAll('_', '-'),
  ),
  naming('names-end-at-a-dot', 'Of a name the last dot and what follows it do not count.', (name) =>
    name.toLowerCase().replace(/\.[^.]*$/, ''),
  ),
  ...(['read', 'delete'] as const).map((exact) =>
    naming(
      `${exact}-minds-capitals`,
      `Names are stored in lower case, and the operation ${exact} looks for them as they are in the URL.`,
      (name, operation) => (operation === exact ? name : name.toLowerCase()),
    ),
  ),
  naming(
    'tokens-alone-lose-capitals',
    'Policies keep the capitals of their names, and tokens carry these names in lower case.',
    (name) => name,
  ),
  mutant(
    'rgps-alone-beside-egps',
    'Where a request is governed by RGPs and EGPs, the RGPs alone are evaluated.',
    (tables) => ({ ...tables, together: 'rgps' }),
  ),
  mutant(
    'egps-alone-beside-rgps',
    'Where a request is governed by RGPs and EGPs, the EGPs alone are evaluated.',
    (tables) => ({ ...tables, together: 'egps' }),
  ),
  mutant(
    'update-reaches-every-kind',
    'A write gives its text to the policies of that name of the other kinds, too, where they are there.',
    (tables) => ({ ...tables, reach: { ...tables.reach, update: 'every-kind' } }),
  ),
  mutant(
    'delete-reaches-every-kind',
    'A deletion takes the policies of that name of the other kinds, too.',
    (tables) => ({ ...tables, reach: { ...tables.reach, deletion: 'every-kind' } }),
  ),
]
