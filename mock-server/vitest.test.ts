import { expect } from 'vitest'
import { testWithServer } from './vitest.ts'

const test = testWithServer({ writes: { 'secret/app': { user: 'ada' } }, tokens: { mine: {} } })

for (const round of ['first', 'second'])
  test(`the ${round} test of a file gets the state after the start`, async ({ server }) => {
    const app = `${server.url}/v1/secret/app`
    const headers = { 'x-vault-token': server.rootToken }
    expect(server.requests).toEqual([])
    expect((await fetch(app, { headers })).status).toBe(200)
    expect((await fetch(app, { method: 'DELETE', headers })).status).toBe(204)
    server.loadMutants(['policies/acl-list-keeps-deleted'])
    server.setFaults([{ fault: 'sealed' }])
  })
