import { afterEach, expect, test } from 'vitest'
import { type Bed, openBed } from '../../test-beds/cloud.test-bed.ts'

let bed: Bed
afterEach(() => bed.close())

test('lease settings can be read before they are written', async () => {
  bed = await openBed()
  expect((await bed.get('config/lease')).data).toEqual({ lease: '768h0m0s', lease_max: '768h0m0s' })
  expect((await bed.post('config/lease', { lease: '1h' })).status).toBe(400)
  await bed.post('config/lease', { lease: '1h', lease_max: '24h' })
  expect((await bed.get('config/lease')).data).toEqual({ lease: '1h0m0s', lease_max: '24h0m0s' })
})
