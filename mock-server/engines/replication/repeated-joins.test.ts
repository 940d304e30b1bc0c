import { describe, expect, test } from 'vitest'
import { at, join, kinds, leave, openBed, valueAt } from '../../test-beds/replication.test-bed.ts'

const bed = await openBed()
const [first, second] = bed.parties

describe.each(kinds)('%s', (kind) => {
  test('joining and leaving work 20 times in a row', async () => {
    await first.do('POST', at(kind, 'primary/enable'))
    for (let round = 0; round < 20; round++) {
      await first.do('POST', `secret/${round}`, { v: round })
      await join(first, second, kind, `round-${round}`)
      await leave(second, kind)
      if (kind === 'dr') second.token = first.token
      expect(await valueAt(second, `secret/${round}`)).toBe(round)
    }
  })
})
