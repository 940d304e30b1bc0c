/** Tests ceremonies on clusters that really replicate. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTwo, type Two } from '../../test-beds/two-clusters.test-bed.ts'

const dr = 'sys/replication/dr/secondary'
let two: Two
beforeEach(async () => {
  two = await openTwo('dr')
})
afterEach(() => two.close())

async function joined(): Promise<void> {
  const { first, second, makePrimary, join, activationToken, caughtUp } = two
  await makePrimary(first)
  expect(await join(second, first, await activationToken(first))).toBeLessThan(300)
  await caughtUp(second, first)
}

test('a DR secondary makes operation tokens from the shares of its primary, and not from its own former shares', async () => {
  const { second, ask, generate } = two
  const former = second.keyShares
  await joined()
  expect(await generate(second, `${dr}/generate-operation-token`, former)).toBe('')
  expect((await ask(second, `GET ${dr}/generate-operation-token/attempt`, undefined, '')).data).toMatchObject({
    started: true,
    progress: 0,
  })
  expect(await generate(second, `${dr}/generate-operation-token`, two.shares)).toMatch(/^s\./)
})

test('each ceremony is available on its kind of cluster only', async () => {
  await joined()
  const { first, second, ask } = two
  for (const [server, path] of [
    [first, `${dr}/generate-operation-token`],
    [second, 'sys/generate-root'],
  ] as const) {
    expect((await ask(server, `POST ${path}/attempt`, {})).status).toBe(400)
    expect((await ask(server, `GET ${path}/attempt`)).status).toBe(400)
  }
})

test('an operation token belongs to one cluster, can be used repeatedly, and ends when that cluster is promoted', async () => {
  await joined()
  const { first, second, ask, operationToken, demote, admin, path } = two
  const token = await operationToken(second)
  expect(first.inventory()['operation tokens']).toEqual([])
  expect(second.inventory()['operation tokens']).toHaveLength(1)
  await demote(first)
  const withToken = { ...token, token: '' }
  expect((await ask(first, `POST ${path}/secondary/update-primary`, withToken, '')).status).toBe(400)
  for (let times = 0; times < 2; times += 1)
    expect((await ask(second, `POST ${path}/secondary/update-primary`, withToken, '')).status).toBeLessThan(300)
  await ask(second, `POST ${dr}/generate-operation-token/attempt`, {}, '')
  expect((await ask(second, `POST ${path}/secondary/promote`, token, '')).status).toBeLessThan(300)

  expect((await ask(second, `POST ${path}/primary/demote`, {}, await admin(second))).status).toBeLessThan(300)
  expect((await ask(second, `POST ${path}/secondary/update-primary`, withToken, '')).status).toBe(400)
  expect((await ask(second, `POST ${dr}/operation-token/delete`, token, '')).status).toBe(403)
  expect((await ask(second, `GET ${dr}/generate-operation-token/attempt`, undefined, '')).data).toMatchObject({
    started: false,
  })
  const fresh = { ...(await operationToken(second)), token: '' }
  expect((await ask(second, `POST ${path}/secondary/update-primary`, fresh, '')).status).toBeLessThan(300)
})
