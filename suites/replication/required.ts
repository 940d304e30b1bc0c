/** Checks of fields without which a request is refused, and of an id that is already in use. */
import type { Check, Exchange, JsonObject, Step } from '../../harness/vocabulary/index.ts'
import { refused, requestWords } from '../../harness/vocabulary/index.ts'
import { activated, primaryEnabled, replicating, roleCheck, unused } from './given.ts'
import { ownSentinel } from './joining.ts'
import type { Replication } from './kind.ts'
import { operationToken } from './operation-token.ts'
import { idOf, revokeSecondary, secondaryEnable, secondaryToken, updatePrimary } from './roles.ts'
import { follows, keeps } from './then/data.ts'
import { inTouch } from './then/sentinels.ts'
import { roleStays, tokenUnseen } from './then/witnesses.ts'

/** Returns the same request without one of its fields. */
export function lacking(field: string, exchange: Exchange): Exchange {
  const { [field]: _, ...body } = exchange.body as JsonObject
  const changed = { ...exchange, body }
  return { ...changed, words: `${requestWords(changed)}, but without ${field}` }
}

/** Returns what a DR secondary requires besides the judged fields. */
const authority = ({ kind }: Replication): readonly Step[] => (kind === 'dr' ? [operationToken()] : [])

export function requiredOf(of: Replication): readonly Check[] {
  const asking = secondaryToken(of, idOf('second'))
  const clearing = updatePrimary(of, 'second', { token: '' })
  const primary = [unused('main'), primaryEnabled(of)]
  return [
    roleCheck('secondary-token-without-id-is-refused', {
      requirement: of.requirement('secondary-token.id-required'),
      given: primary,
      when: lacking('id', asking),
      then: [refused(tokenUnseen)],
      control: asking,
    }),
    roleCheck('secondary-token-with-an-id-in-use-is-refused', {
      requirement: of.requirement('secondary-token.id-unique'),
      given: replicating(of),
      when: asking,
      then: [refused(tokenUnseen)],
      control: secondaryToken(of, idOf('second', '-other')),
    }),
    roleCheck('revoke-secondary-without-id-is-refused', {
      requirement: of.requirement('revoke-secondary.id-required'),
      given: replicating(of),
      when: lacking('id', revokeSecondary(of, idOf('second'))),
      then: [refused(roleStays(of, 'main'), roleStays(of, 'second'))],
      control: revokeSecondary(of, idOf('second')),
    }),
    roleCheck('revoke-secondary-without-id-leaves-secondaries-connected', {
      requirement: of.requirement('revoke-secondary.id-required'),
      given: inTouch(of),
      when: lacking('id', revokeSecondary(of, idOf('second'))),
      then: [follows(of, { from: 'main', to: 'second' })],
      control: revokeSecondary(of, idOf('second')),
    }),
    roleCheck('secondary-enable-without-token-is-refused', {
      requirement: of.requirement('secondary-enable.token-required'),
      given: [unused('main', 'second'), ownSentinel(of), primaryEnabled(of), activated(of)],
      when: lacking('token', secondaryEnable(of)),
      then: [refused(roleStays(of, 'second')), keeps('second', 'own')],
      control: secondaryEnable(of),
    }),
    roleCheck('update-primary-without-token-is-refused', {
      requirement: of.requirement('update-primary.token-required'),
      given: [...replicating(of), ...authority(of)],
      when: lacking('token', clearing),
      then: [refused(roleStays(of, 'second'))],
      control: clearing,
    }),
  ]
}
