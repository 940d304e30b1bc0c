import { allOf, type Expectation, field, isSuccess, next, notSuccess, refused } from '../../harness/vocabulary/index.ts'
import { ifTaken } from '../given.ts'
import { action } from '../records.ts'
import { replicating, replicationNames, roleCheck } from '../replication/given.ts'
import { performance } from '../replication/kind.ts'
import { sentinel } from '../replication/then/sentinels.ts'
import {
  deleted,
  dynamicFilter,
  filter,
  filtered,
  filterId,
  filterOf,
  filterShown,
  filterStays,
  isMode,
  isServed,
  listsNone,
  modeOfTheList,
  noFilter,
  paths,
  thirdId,
  twoPaths,
} from './filters.ts'
import { topic } from './topic.ts'

const { requirement } = performance
const both = { mode: 'deny', paths: ['{shared}/', '{other}/'] }
/** Requires that filters can be read: otherwise reading none would prove nothing. */
const readable = [...twoPaths, filtered(both), filterShown, deleted]
/** Whatever becomes of a second filter, there is one that can be read. */
const isStillRead = (expected: Expectation): Expectation =>
  next(filter, {
    ...expected,
    judge: (seen, before) =>
      isSuccess(seen.reply)
        ? expected.judge(seen, before)
        : { ...notSuccess(seen.reply), requirement: requirement('paths-filter.reads') },
  })
const otherMode = filtered({ mode: 'include', paths: ['{shared}/'] })
/** Provides an id that no object has. */
const unknownId = action('`unknownId` is an id that nothing has', { provides: ['unknownId'] }, async (scope) =>
  scope.save('unknownId', crypto.randomUUID()),
)

export default topic('performance-replication/fields-filters', {
  about: 'Setting and reading paths filters, and reading dynamic filters.',
  safety: 'disruptive',
  names: [...replicationNames, 'other'],
  checks: [
    roleCheck('a-filter-is-read-as-it-was-set', {
      requirement: [requirement('paths-filter.reads'), requirement('spelling.escaped-name')],
      given: twoPaths,
      when: filtered(both),
      then: [next(filter, field('mode', isMode('deny'))), next(filter, field('paths', paths('{shared}', '{other}')))],
    }),
    roleCheck('without-paths-a-filter-lists-none', {
      requirement: requirement('paths-filter.paths-default'),
      given: readable,
      when: filtered({ mode: 'allow' }),
      then: [listsNone('allow')],
    }),
    roleCheck('a-second-filter-replaces-the-first', {
      requirement: requirement('paths-filter.replaces'),
      given: [...twoPaths, filtered(both)],
      when: filtered({ mode: 'allow', paths: ['{shared}/'] }),
      then: [isStillRead(field('mode', isMode('allow'))), isStillRead(field('paths', paths('{shared}')))],
    }),
    roleCheck('a-second-filter-without-mode-allows', {
      requirement: requirement('paths-filter.replaces'),
      given: [...twoPaths, filtered(both)],
      when: filtered({ paths: both.paths }),
      then: [
        ifTaken(
          next(
            filter,
            allOf('the mode is allow, and both paths are there', [
              field('mode', isMode('allow')),
              field('paths', paths('{shared}', '{other}')),
            ]),
          ),
        ),
      ],
    }),
    roleCheck('a-second-filter-without-paths-lists-none', {
      requirement: requirement('paths-filter.replaces'),
      given: [...twoPaths, filtered(both), filterShown],
      when: filtered({ mode: 'deny' }),
      then: [listsNone('deny')],
    }),
    roleCheck('a-filter-that-is-set-after-a-deletion-is-read', {
      requirement: requirement('paths-filter.reads'),
      given: readable,
      when: filtered({ mode: 'deny', paths: ['{shared}/'] }),
      then: [next(filter, field('paths', paths('{shared}')))],
    }),
    roleCheck('reading-shows-no-filter-of-another-secondary', {
      requirement: requirement('paths-filter.selected-secondary'),
      given: [
        ...replicating(performance, 'second', 'third'),
        ...[sentinel('shared'), sentinel('other'), filterId, thirdId],
        filtered({ mode: 'allow', paths: ['{other}/'] }, 'thirdId'),
      ],
      when: filter,
      then: [noFilter],
    }),
    roleCheck('a-deleted-filter-is-not-read', {
      requirement: requirement('paths-filter.deletes'),
      given: [...twoPaths, filtered(both), filterShown],
      when: deleted,
      then: [next(filter, noFilter)],
    }),
    ...(
      [
        ['a-filter-leaves-that-of-another-secondary', 'paths-filter.selected-secondary', filtered(both)],
        ['a-deletion-leaves-the-filter-of-another-secondary', 'paths-filter.deletes', deleted],
      ] as const
    ).map(([id, row, when]) =>
      roleCheck(id, {
        requirement: requirement(row),
        given: [
          ...replicating(performance, 'second', 'third'),
          ...[sentinel('shared'), sentinel('other'), filterId, thirdId],
          filtered({ mode: 'allow', paths: ['{other}/'] }, 'thirdId'),
          ...(when === deleted ? [filtered(both)] : []),
        ],
        when,
        then: [
          ifTaken(next(filterOf('thirdId'), field('mode', isMode('allow')))),
          ifTaken(next(filterOf('thirdId'), field('paths', paths('{other}')))),
        ],
      }),
    ),
    roleCheck('another-mode-is-never-stored', {
      requirement: requirement('paths-filter.mode-closed'),
      given: readable,
      when: otherMode,
      then: [next(filter, modeOfTheList)],
    }),
    roleCheck('another-mode-is-refused', {
      requirement: requirement('paths-filter.mode-other-refused'),
      given: twoPaths,
      when: filtered({ mode: 'include' }),
      then: [refused(filterStays())],
      control: filtered({ mode: 'deny' }),
    }),
    roleCheck('changing-a-filter-to-another-mode-is-refused', {
      requirement: requirement('paths-filter.mode-other-refused'),
      given: [...twoPaths, filtered(both), filterShown],
      when: otherMode,
      then: [refused(filterStays())],
      control: filtered({ mode: 'allow', paths: ['{shared}/'] }),
    }),
    roleCheck('an-id-of-no-secondary-is-refused', {
      requirement: requirement('paths-filter.id-known'),
      given: [...twoPaths, unknownId],
      when: filtered({ paths: both.paths }, 'unknownId'),
      then: [refused(filterStays('unknownId'))],
      control: filtered({ paths: both.paths }),
    }),
    ...(['primary', 'secondary'] as const).map((side) =>
      roleCheck(`dynamic-filter-is-read-on-the-${side}`, {
        requirement: requirement(`dynamic-filter.${side}`),
        given: [...twoPaths, filtered(both)],
        when: dynamicFilter(side),
        then: [isServed(dynamicFilter(side))],
      }),
    ),
  ],
})
