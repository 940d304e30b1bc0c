import type { Exchange } from '../../harness/vocabulary/index.ts'
import { refused, topic } from '../../harness/vocabulary/index.ts'
import { callersOf } from '../replication/activation.ts'
import { replicating, replicationNames, roleCheck, twoClusters } from '../replication/given.ts'
import { dr } from '../replication/kind.ts'
import { operationToken } from '../replication/operation-token.ts'
import { lacking } from '../replication/required.ts'
import { promote } from '../replication/roles.ts'
import { openStatusOf } from '../replication/shapes.ts'
import { stays } from '../replication/then-roles.ts'
import { clearing, falseToken } from './operation-tokens.ts'

const given = [...replicating(dr), operationToken()]
const field = 'dr_operation_token'
const withFalseToken = (exchange: Exchange): Exchange => ({
  ...exchange,
  body: { ...(exchange.body as Record<string, string>), [field]: '{falseOperation}' },
})

/** Promotion is forced, so that no safety check refuses what the operation token is to decide. */
const authorized = (
  [
    ['promote', promote(dr), stays(dr, 'second'), ['promote-refused-but-done']],
    ['update-primary', clearing, refused(), []],
  ] as const
).flatMap(([id, exchange, expectation, faults]) => [
  roleCheck(`${id}-without-operation-token-is-refused`, {
    requirement: dr.requirement(`${id}.operation-token-required`),
    needs: twoClusters,
    given,
    when: lacking(field, exchange),
    then: [expectation],
    control: exchange,
    mutants: [dr.mutant(`${id}-without-operation-token`), ...faults.map(dr.mutant)],
  }),
  roleCheck(`${id}-with-a-false-operation-token-is-refused`, {
    requirement: dr.requirement(`${id}.operation-token-valid`),
    needs: twoClusters,
    given: [...given, falseToken],
    when: withFalseToken(exchange),
    then: [expectation],
    control: exchange,
    mutants: [dr.mutant(`${id}-with-any-operation-token`), ...faults.map(dr.mutant)],
  }),
])

export default topic('dr-replication/access', {
  about: 'Who may ask for activation tokens, and what a DR secondary does only for its operation token.',
  safety: 'disruptive',
  names: [...replicationNames, 'access'],
  checks: [openStatusOf(dr), ...callersOf(dr), ...authorized],
})
