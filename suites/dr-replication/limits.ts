import { succeeds } from '../../harness/vocabulary/index.ts'
import { lifetimesOf, shownLifetimesOf } from '../replication/activation.ts'
import { replicating, replicationNames, roleCheck } from '../replication/given.ts'
import { dr } from '../replication/kind.ts'
import { endedTokensOf } from '../replication/lifetimes.ts'
import { operationToken } from '../replication/operation-token.ts'
import { clearing, passed } from './operation-tokens.ts'
import { topic } from './topic.ts'

export default topic('dr-replication/limits', {
  about: 'How long activation tokens and DR operation tokens are valid.',
  safety: 'disruptive',
  names: replicationNames,
  checks: [
    ...lifetimesOf(dr),
    ...shownLifetimesOf(dr),
    ...endedTokensOf(dr),
    roleCheck('operation-token-does-not-expire', {
      requirement: dr.requirement('operation-token.no-ttl'),
      needs: ['clock'],
      // Forty days are longer than the usual maximum lease.
      given: [...replicating(dr), operationToken(), passed(40)],
      when: clearing,
      then: [succeeds],
    }),
  ],
})
