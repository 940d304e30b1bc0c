import { next, refused, succeeds } from '../../harness/vocabulary/index.ts'
import { replicating, replicationNames, roleCheck } from '../replication/given.ts'
import { dr } from '../replication/kind.ts'
import { operationToken } from '../replication/operation-token.ts'
import { takenTwice } from '../replication/readiness.ts'
import { lacking } from '../replication/required.ts'
import { promote } from '../replication/roles.ts'
import { stays } from '../replication/then/roles.ts'
import { roleStays } from '../replication/then/witnesses.ts'
import {
  authorizes,
  clearing,
  clearingByFormer,
  deleting,
  deletingFalse,
  deletingFormer,
  falseToken,
  formerAuthorizes,
  keptAsFormer,
  usedOnce,
} from './operation-tokens.ts'
import { whereAdmitted } from './then.ts'
import { topic } from './topic.ts'

const given = [...replicating(dr), operationToken()]
/** The token authorizes requests, and more than once: otherwise its end could not be observed. */
const authorizing = [...given, takenTwice(dr, clearing, 'second')]

export default topic('dr-replication/transitions-operation-token', {
  about: 'DR operation tokens authorize what they are generated for, until they are deleted.',
  safety: 'disruptive',
  names: replicationNames,
  checks: [
    roleCheck('the-token-of-an-attempt-authorizes', {
      requirement: dr.requirement('operation-token.authorizes'),
      given,
      when: clearing,
      then: [succeeds],
    }),
    roleCheck('a-deleted-token-authorizes-nothing', {
      requirement: dr.requirement('operation-token.deletes'),
      given: authorizing,
      when: deleting,
      then: [whereAdmitted(next(clearing, refused(roleStays(dr, 'second'))))],
    }),
    roleCheck('deleting-a-token-leaves-another', {
      requirement: dr.requirement('operation-token.deletes'),
      given: [...given, keptAsFormer, operationToken(), formerAuthorizes],
      when: deleting,
      then: [authorizes('the other operation token authorizes update-primary', clearingByFormer)],
    }),
    roleCheck('a-deleted-token-that-is-not-the-newest-authorizes-nothing', {
      requirement: dr.requirement('operation-token.deletes'),
      given: [...given, keptAsFormer, operationToken(), formerAuthorizes],
      when: deletingFormer,
      then: [whereAdmitted(next(clearingByFormer, refused(roleStays(dr, 'second'))))],
    }),
    // The documents do not say how a server replies about a token that does not exist.
    roleCheck('deleting-a-false-token-leaves-the-token', {
      requirement: dr.requirement('operation-token.deletes'),
      given: [...given, usedOnce, operationToken(), falseToken],
      when: deletingFalse,
      then: [authorizes('the operation token authorizes update-primary')],
      control: deleting,
    }),
    roleCheck('a-deleted-token-promotes-nothing', {
      requirement: dr.requirement('operation-token.deletes'),
      given: [...authorizing, deleting],
      when: promote(dr),
      then: [stays(dr, 'second')],
    }),
    roleCheck('delete-without-token-leaves-the-token', {
      requirement: dr.requirement('operation-token.delete-token-required'),
      given: [...given, usedOnce, operationToken()],
      when: lacking('dr_operation_token', deleting),
      then: [authorizes('the operation token authorizes update-primary')],
      control: deleting,
    }),
    roleCheck('delete-without-token-is-refused', {
      requirement: dr.requirement('operation-token.delete-token-required'),
      given,
      when: lacking('dr_operation_token', deleting),
      // The control shows that the token is valid, which a deleted token could not show.
      then: [refused(roleStays(dr, 'second'))],
      control: deleting,
    }),
  ],
})
