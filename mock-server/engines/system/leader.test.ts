import supertest from 'supertest'
import { expect, test } from 'vitest'
import { createMockServer } from '../../server.ts'

test('sys/leader requires no token, and reports no leader for a cluster of one node', async () => {
  const server = await createMockServer()
  const { body } = await supertest(server.url).get('/v1/sys/leader').expect(200)
  expect(body).toMatchObject({ ha_enabled: false, leader_address: '' })
  await server.close()
})
