import { expect, test } from 'vitest'
import { DoesNotApply, type Json, type Scope } from '../../harness/vocabulary/index.ts'
import { shownLifetimesOf } from './activation.ts'
import { performance } from './kind.ts'
import { reply } from './reply.test-bed.ts'

/** Returns whether the check of a token without `ttl`, which must be valid for 30 minutes, accepts this `ttl` of the
 * wrapping token. */
async function meets(ttl: Json | undefined): Promise<boolean> {
  const [check] = shownLifetimesOf(performance)
  const wrap_info = { token: 'w', ...(ttl === undefined ? {} : { ttl }) }
  const seen = { reply: reply({ data: null, wrap_info }), scope: {} as Scope }
  return (await check?.then[0].judge(seen, undefined)) === undefined
}

test('a wrapping token lives as long as the activation token that it wraps, or longer', async () => {
  for (const enough of [1800, 1799, '1800', '30m', '30m0s', '1h', 7200]) expect(await meets(enough)).toBe(true)
  for (const short of [600, '10m', '29m', 0]) expect(await meets(short)).toBe(false)
})

test('if nothing shows its lifetime, the check does not apply', async () => {
  for (const untold of [undefined, 'soon', ''])
    await expect((async () => meets(untold))()).rejects.toBeInstanceOf(DoesNotApply)
})
