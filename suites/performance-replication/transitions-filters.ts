import { del } from '../../harness/vocabulary/index.ts'
import { attempted, ifAccepted, ifTaken, namespace, whereTaken } from '../given.ts'
import {
  activated,
  joined,
  primaryEnabled,
  replicating,
  replicationNames,
  roleCheck,
  unused,
} from '../replication/given.ts'
import { performance } from '../replication/kind.ts'
import { cut, healed, linkedCopy } from '../replication/links.ts'
import { updatePrimary } from '../replication/roles.ts'
import { arrived, mounted, sentinel, written } from '../replication/then/sentinels.ts'
import {
  authLeaves,
  authMountsArrived,
  authStays,
  comes,
  deleted,
  filtered,
  filterId,
  keepsAway,
  leaves,
  leavesSecondOnly,
  left,
  remains,
  thirdId,
  twoMounts,
} from './filters.ts'
import { topic } from './topic.ts'

const { requirement } = performance
/** Main has two namespaces, each with a mount that second has received. */
const twoNamespaces = (['space/shared', 'otherSpace/other'] as const).flatMap((mount) => [
  namespace(mount.slice(0, mount.indexOf('/'))),
  sentinel(mount),
  arrived(mount, 'second'),
])
const denied = [...twoMounts, filtered({ mode: 'deny', paths: ['{shared}/'] }), left('shared')]
const allowed = [...twoMounts, filtered({ mode: 'allow', paths: ['{shared}/'] }), left('other')]

export default topic('performance-replication/transitions-filters', {
  about: 'The data that a paths filter withholds from a performance secondary, and how the filter ends.',
  safety: 'disruptive',
  names: [...replicationNames, 'other', 'share', 'fresh', 'space', 'otherSpace'],
  checks: [
    roleCheck('deny-excludes-what-it-lists', {
      requirement: requirement('paths-filter.deny'),
      given: twoMounts,
      when: filtered({ mode: 'deny', paths: ['{shared}/'] }),
      then: [leaves('shared'), remains('other')],
    }),
    roleCheck('deny-tells-secret-mounts-from-auth-mounts-of-that-name', {
      requirement: requirement('paths-filter.deny'),
      given: [...twoMounts, authMountsArrived('shared', 'other')],
      when: filtered({ mode: 'deny', paths: ['{shared}/', 'auth/{other}/'] }),
      then: [leaves('shared'), remains('other'), authStays('shared')],
    }),
    roleCheck('deny-excludes-each-of-what-it-lists', {
      requirement: requirement('paths-filter.deny'),
      given: twoMounts,
      when: filtered({ mode: 'deny', paths: ['{shared}/', '{other}/'] }),
      then: [leaves('shared'), leaves('other')],
    }),
    roleCheck('deny-excludes-the-last-of-many', {
      requirement: requirement('paths-filter.deny'),
      given: twoMounts,
      when: filtered({
        mode: 'deny',
        paths: [...Array.from({ length: 11 }, (_, at) => `{other}-Site-${at}/`), '{shared}/'],
      }),
      // A server may refuse paths at which nothing is mounted.
      then: [ifAccepted(leaves('shared'))],
    }),
    roleCheck('deny-spares-a-mount-whose-name-begins-alike', {
      requirement: requirement('paths-filter.deny'),
      given: [
        ...replicating(performance),
        ...['share', 'shared'].flatMap((mount) => [sentinel(mount), arrived(mount, 'second')]),
        filterId,
      ],
      when: filtered({ mode: 'deny', paths: ['{share}/'] }),
      then: [leaves('share'), remains('shared')],
    }),
    roleCheck('deny-excludes-mounts-that-are-made-later', {
      requirement: requirement('paths-filter.deny'),
      given: [
        ...twoMounts,
        whereTaken(filtered({ mode: 'deny', paths: ['{shared}/', '{fresh}/', '{fresh}-Site/'] })),
        left('shared'),
        // A server could know the mounts that it keeps back by their ids, and let through a second one of that path.
        attempted(mounted('fresh')),
        attempted(del('sys/mounts/{fresh}')),
        sentinel('fresh'),
      ],
      when: written('other', 'main', 'later'),
      then: [comes('other', 'later'), keepsAway('fresh')],
    }),
    roleCheck('deny-excludes-listed-auth-mounts', {
      requirement: requirement('paths-filter.deny'),
      given: [...replicating(performance), authMountsArrived('shared', 'other'), filterId],
      when: filtered({ mode: 'deny', paths: ['auth/{shared}/'] }),
      then: [authLeaves('shared'), authStays('other')],
    }),
    roleCheck('deny-excludes-listed-namespaces', {
      requirement: requirement('paths-filter.deny-namespaces'),
      given: [...replicating(performance), ...twoNamespaces, filterId],
      when: filtered({ mode: 'deny', paths: ['{space}/'] }),
      then: [leaves('space/shared'), remains('otherSpace/other')],
    }),
    roleCheck('deny-spares-a-mount-of-that-name-in-a-namespace', {
      requirement: requirement('paths-filter.deny'),
      given: [
        ...replicating(performance),
        namespace('space'),
        ...['shared', 'space/shared'].flatMap((mount) => [sentinel(mount), arrived(mount, 'second')]),
        filterId,
      ],
      when: filtered({ mode: 'deny', paths: ['{shared}/'] }),
      then: [leaves('shared'), remains('space/shared')],
    }),
    roleCheck('deny-spares-other-secondaries', {
      requirement: requirement('paths-filter.selected-secondary'),
      given: [
        ...replicating(performance, 'second', 'third'),
        sentinel('shared'),
        arrived('shared', 'second'),
        arrived('shared', 'third'),
        filterId,
      ],
      when: filtered({ mode: 'deny', paths: ['{shared}/'] }),
      then: [leavesSecondOnly('shared')],
    }),
    roleCheck('deny-excludes-what-is-written-later', {
      requirement: requirement('paths-filter.deny'),
      given: [...denied, written('shared', 'main', 'later')],
      when: written('other', 'main', 'later'),
      then: [comes('other', 'later'), keepsAway('shared', 'later')],
    }),
    roleCheck('allow-includes-what-it-lists-only', {
      requirement: requirement('paths-filter.allow'),
      given: twoMounts,
      when: filtered({ mode: 'allow', paths: ['{shared}/'] }),
      then: [leaves('other'), remains('shared')],
    }),
    roleCheck('allow-includes-each-of-what-it-lists', {
      requirement: requirement('paths-filter.allow'),
      given: twoMounts,
      when: filtered({ mode: 'allow', paths: ['{shared}/', '{other}/'] }),
      then: [remains('shared'), remains('other')],
    }),
    roleCheck('allow-includes-listed-auth-mounts-only', {
      requirement: requirement('paths-filter.allow-auth'),
      given: [...replicating(performance), authMountsArrived('shared', 'other'), filterId],
      when: filtered({ mode: 'allow', paths: ['auth/{shared}/'] }),
      then: [authLeaves('other'), authStays('shared')],
    }),
    roleCheck('allow-of-an-auth-mount-excludes-secret-mounts', {
      requirement: requirement('paths-filter.allow'),
      given: [...twoMounts, authMountsArrived('shared')],
      when: filtered({ mode: 'allow', paths: ['auth/{shared}/'] }),
      then: [leaves('other')],
    }),
    roleCheck('allow-includes-listed-mounts-that-are-made-later', {
      requirement: requirement('paths-filter.allow'),
      given: [
        ...twoMounts,
        ...[sentinel('share'), arrived('share', 'second')],
        whereTaken(filtered({ mode: 'allow', paths: ['{shared}/', '{share}/', '{fresh}/'] })),
        left('other'),
        // What remains of the list holds when a mount of it is gone.
        attempted(del('sys/mounts/{share}')),
        sentinel('fresh'),
      ],
      when: written('fresh', 'main', 'later'),
      then: [comes('fresh', 'later')],
    }),
    roleCheck('a-filter-acts-beside-that-of-another-secondary', {
      requirement: requirement('paths-filter.selected-secondary'),
      given: [
        unused('main', 'second', 'third'),
        // Third joins later: a server could drop the filter of second then.
        ...[primaryEnabled(performance), ...joined(performance, 'second')],
        ...(['shared', 'other'] as const).flatMap((mount) => [sentinel(mount), arrived(mount, 'second')]),
        ...[filterId, filtered({ mode: 'deny', paths: ['{shared}/'] }), left('shared')],
        ...[...joined(performance, 'third'), arrived('other', 'third'), thirdId],
        filtered({ mode: 'deny', paths: ['{other}/'] }, 'thirdId'),
      ],
      when: written('other', 'main', 'later'),
      then: [comes('other', 'later'), keepsAway('shared'), leaves('other', 'third')],
    }),
    roleCheck('a-filter-acts-after-its-secondary-has-reconnected', {
      requirement: requirement('paths-filter.deny'),
      needs: ['forwarder'],
      given: [
        ...linkedCopy(performance),
        ...[sentinel('other'), arrived('other', 'second'), filterId],
        ...[filtered({ mode: 'deny', paths: ['{shared}/'] }), left('shared'), cut(), healed()],
      ],
      when: written('other', 'main', 'later'),
      then: [comes('other', 'later'), keepsAway('shared')],
    }),
    roleCheck('allow-excludes-mounts-that-are-made-later', {
      requirement: requirement('paths-filter.allow'),
      given: [...allowed, sentinel('fresh')],
      when: written('shared', 'main', 'later'),
      then: [comes('shared', 'later'), keepsAway('fresh')],
    }),
    roleCheck('without-mode-a-filter-allows', {
      requirement: requirement('paths-filter.mode-default'),
      given: twoMounts,
      when: filtered({ paths: ['{shared}/'] }),
      then: [leaves('other'), remains('shared')],
    }),
    roleCheck('a-second-filter-lets-go-of-what-the-first-kept', {
      requirement: requirement('paths-filter.replaces'),
      given: denied,
      when: filtered({ mode: 'deny' }),
      then: [ifTaken(comes('shared'))],
    }),
    roleCheck('a-second-filter-acts-by-its-own-mode', {
      requirement: requirement('paths-filter.replaces'),
      given: denied,
      when: filtered({ mode: 'allow', paths: ['{shared}/'] }),
      then: [leaves('other'), comes('shared')],
    }),
    roleCheck('delete-lets-go-of-what-the-filter-kept', {
      requirement: requirement('paths-filter.delete-lets-go'),
      given: denied,
      when: deleted,
      then: [comes('shared')],
    }),
    roleCheck('a-filter-that-is-set-after-a-deletion-acts', {
      requirement: requirement('paths-filter.deny'),
      given: [...denied, deleted],
      when: filtered({ mode: 'deny', paths: ['{other}/'] }),
      then: [leaves('other')],
    }),
    roleCheck('delete-lets-go-of-what-an-allowing-filter-kept', {
      requirement: requirement('paths-filter.delete-lets-go'),
      given: allowed,
      when: deleted,
      then: [comes('other')],
    }),
    roleCheck('update-primary-with-a-new-token-ends-a-filter', {
      requirement: requirement('paths-filter.ends-with-update-primary'),
      given: [...denied, activated(performance, 'second', 'main', { again: '-again' })],
      when: updatePrimary(performance),
      then: [comes('shared')],
    }),
  ],
})
