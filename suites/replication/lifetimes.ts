/** Checks of activation tokens that have expired and are used in update-primary, or were issued for a public key. */
import type { Check, JsonObject } from '../../harness/vocabulary/index.ts'
import { enableBy, passed } from './activation.ts'
import { activated, authorized, forgotten, primaryEnabled, roleCheck, unused } from './given.ts'
import type { Replication } from './kind.ts'
import { keyed, ownKey } from './public-keys.ts'
import { secondaryEnable, trigger, updatePrimary } from './roles.ts'
import { isCutOff, outOfTouch } from './then/data.ts'
import { stays } from './then/roles.ts'
import { inTouch } from './then/sentinels.ts'

const fromMain = { from: 'main', to: 'second' } as const
const fiveMinutes = { ttl: '5m' }

export function endedTokensOf(of: Replication): readonly Check[] {
  const { requirement } = of
  const isLocal = of.kind === 'performance'
  const needs = ['clock'] as const
  const encrypted = (fields: JsonObject) => ({ ...fields, ...ownKey('second') })
  return [
    roleCheck('update-primary-with-an-ended-token-leads-nowhere', {
      requirement: requirement('secondary-token.ttl'),
      needs,
      given: [
        ...inTouch(of),
        ...authorized(of),
        // A secondary that still follows its primary would not show whether the token was accepted.
        forgotten(of),
        outOfTouch(of, fromMain),
        activated(of, 'second', 'main', { again: '-again', ...fiveMinutes }),
        passed(7),
        ...(isLocal ? [activated(of, 'third', 'main', fiveMinutes)] : []),
      ],
      when: updatePrimary(of),
      then: [isCutOff(of, fromMain)],
      // A DR secondary shows its data only after it is promoted, and then it has no primary to update.
      ...(isLocal ? { control: trigger(of, 'secondary/update-primary', 'second', { token: '{thirdToken}' }) } : {}),
    }),
    ...(
      [
        ['when-asked', fiveMinutes, 7],
        ['after-thirty-minutes', {}, 32],
      ] as const
    ).map(([word, fields, minutes]) =>
      roleCheck(`token-for-a-public-key-ends-${word}`, {
        requirement: requirement('secondary-token.ttl-encrypted'),
        applies: { since: '1.3.0' },
        needs,
        given: [
          unused('main', 'second'),
          keyed(of, 'second'),
          primaryEnabled(of),
          activated(of, 'second', 'main', encrypted(fields)),
          passed(minutes),
          activated(of, 'third', 'main', encrypted(fields)),
        ],
        when: secondaryEnable(of),
        then: [stays(of, 'second')],
        control: enableBy(of, 'third'),
      }),
    ),
  ]
}
