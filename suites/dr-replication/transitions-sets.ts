import { authorized, joined, primaryEnabled, replicationNames, roleCheck, unused } from '../replication/given.ts'
import { dr, performance } from '../replication/kind.ts'
import { comesThrough, linkedPrimary } from '../replication/links.ts'
import { promote, statusToBeEnded } from '../replication/roles.ts'
import { joinsSetOfMain } from '../replication/then/roles.ts'
import { hasCome, sentinel } from '../replication/then/sentinels.ts'
import { topic } from '../replication/topic.ts'

export default topic('dr-replication/transitions-sets', {
  about: 'A DR secondary of a cluster that is in a performance replication set is promoted.',
  safety: 'disruptive',
  names: replicationNames,
  checks: [
    roleCheck('promoted-secondary-of-a-performance-primary-joins-the-set', {
      requirement: dr.requirement('promote.joins-performance-set'),
      given: [
        unused('main', 'second'),
        statusToBeEnded(performance, 'second'),
        sentinel('shared'),
        primaryEnabled(performance),
        primaryEnabled(dr),
        ...joined(dr),
        hasCome(dr),
        ...authorized(dr),
      ],
      when: promote(dr),
      then: [joinsSetOfMain(performance, 'second')],
    }),
    roleCheck('promoted-secondary-of-a-performance-secondary-tries-the-performance-primary', {
      requirement: dr.requirement('promote.tries-performance-primary'),
      needs: ['forwarder'],
      given: [
        unused('main', 'second', 'third'),
        statusToBeEnded(performance, 'third'),
        sentinel('shared'),
        ...linkedPrimary(performance),
        ...joined(performance),
        hasCome(performance),
        primaryEnabled(dr, 'second'),
        ...joined(dr, 'third', 'second'),
        hasCome(dr, 'third', 'second'),
        ...authorized(dr, 'third'),
      ],
      when: promote(dr, 'third'),
      // The performance secondary `second` also changes its primary.
      then: [comesThrough(performance, 'third', { isQuiet: true })],
    }),
  ],
})
