/** Checks of the address to which a secondary connects, for both kinds of replication. */
import { type Check, type Expectation, isSuccess } from '../../harness/vocabulary/index.ts'
import { activated, admitted, authorized, joined, primaryEnabled, roleCheck, turned, unused } from './given.ts'
import type { Replication } from './kind.ts'
import { apiLinked, comesThrough, linked, linkedPrimary, staysAway } from './links.ts'
import { assertTaken } from './readiness.ts'
import { primaryDisable, promote, secondaryEnable, updatePrimary } from './roles.ts'
import { becomes } from './then/roles.ts'

const again = { again: '-again' }

/** A server that cannot reach the address at all, or whose role is wrong without the slash as well, says nothing about the
 * slash. */
function joinsAsWithoutTheSlash(of: Replication): Expectation {
  const [joins, plain] = [
    becomes(of, 'third', 'secondary'),
    secondaryEnable(of, 'third', { primary_api_addr: '{api}' }),
  ]
  return {
    ...joins,
    touches: [...(joins.touches ?? []), plain],
    async judge(seen, before) {
      const { reply, scope } = seen
      const found = await joins.judge(seen, before)
      if (!found) return undefined
      const without = await scope.send(plain)
      if (!isSuccess(reply)) assertTaken(without)
      // A cluster that shows no role of a secondary without the slash either does not judge the slash.
      const isOfRole =
        isSuccess(reply) && (!isSuccess(without) || (await joins.judge({ ...seen, reply: without }, before)))
      return isOfRole ? { ...found, requirement: of.requirement('secondary-enable.makes-secondary') } : found
    },
  }
}

export function addressesOf(of: Replication): readonly Check[] {
  const { requirement } = of
  const needsForwarder = { needs: ['forwarder'] } as const
  const needsThree = { needs: ['forwarder'] } as const
  const unwrapping = {
    requirement: requirement('secondary-enable.api-addr'),
    ...needsThree,
    given: [
      unused('second', 'third'),
      apiLinked('second'),
      primaryEnabled(of, 'second'),
      activated(of, 'third', 'second'),
    ],
  }
  return [
    roleCheck('secondaries-connect-to-the-address-of-primary-enable', {
      requirement: requirement('primary-enable.cluster-addr'),
      ...needsForwarder,
      given: [unused('main', 'second'), ...linkedPrimary(of), activated(of)],
      when: secondaryEnable(of),
      then: [comesThrough(of, 'second')],
    }),
    roleCheck('secondaries-do-not-connect-to-the-address-of-a-former-primary-enable', {
      requirement: requirement('primary-enable.cluster-addr'),
      ...needsForwarder,
      given: [
        unused('main', 'second'),
        ...linkedPrimary(of),
        turned(of, primaryDisable(of), 'main', 'disabled'),
        primaryEnabled(of),
        activated(of),
      ],
      when: secondaryEnable(of),
      then: [staysAway(of, 'second')],
    }),
    roleCheck('secondaries-connect-to-the-address-of-promote', {
      requirement: requirement('promote.cluster-addr'),
      ...needsThree,
      given: [
        unused('main', 'second', 'third'),
        linked('second'),
        primaryEnabled(of),
        ...joined(of),
        ...authorized(of),
        turned(of, promote(of, 'second', { force: true, primary_cluster_addr: '{link}' }), 'second', 'primary'),
        admitted('second'),
        activated(of, 'third', 'second'),
      ],
      when: secondaryEnable(of, 'third'),
      then: [comesThrough(of, 'third')],
    }),
    roleCheck('secondary-enable-unwraps-at-the-address-given', {
      ...unwrapping,
      when: secondaryEnable(of, 'third', { primary_api_addr: '{api}' }),
      then: [comesThrough(of, 'third', { name: 'api' })],
    }),
    // Without a path, a URL means the same with a slash at its end (RFC 3986, 6.2.3).
    roleCheck('secondary-enable-takes-an-address-that-ends-in-a-slash', {
      ...unwrapping,
      when: secondaryEnable(of, 'third', { primary_api_addr: '{api}/' }),
      then: [joinsAsWithoutTheSlash(of)],
    }),
    roleCheck('update-primary-unwraps-at-the-address-given', {
      requirement: requirement('update-primary.api-addr'),
      ...needsThree,
      given: [
        unused('second', 'third'),
        apiLinked('second'),
        primaryEnabled(of, 'second'),
        ...joined(of, 'third', 'second'),
        activated(of, 'third', 'second', again),
        ...authorized(of, 'third'),
      ],
      when: updatePrimary(of, 'third', { primary_api_addr: '{api}' }),
      then: [comesThrough(of, 'third', { name: 'api' })],
    }),
  ]
}
