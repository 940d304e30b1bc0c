/** The connection between two clusters is cut at each step of joining, following, promoting and rejoining. Each change
 * is then either complete or has no effect, and continues when the connection is restored. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { replicationKinds } from '../../kernel/cluster/cluster-role.ts'
import { long, openTwo, type Two } from '../../test-beds/two-clusters.test-bed.ts'

/** The response is cut after this many bytes. */
const steps = [
  ['before anything arrives', undefined],
  ['before the response', 0],
  ['within the head of the response', 60],
  ['within the body of the response', 400],
] as const

const linkSteps = [
  ...steps.slice(0, 2),
  ['within the TLS handshake', 400],
  ['within the head of the response', 3_700],
  ['at the start of the first copy', 5_000],
  ['within the first copy', 50_000],
  ['near the end of the first copy', 190_000],
] as const

describe.each(replicationKinds)('%s replication, cut', (kind) => {
  /** Each kind is cut at other points, unless all are wanted. */
  const points = <T>(all: readonly T[]) =>
    process.env.ASSAY_TRIALS ? all : all.filter((_, at) => at % 2 === (kind === 'dr' ? 0 : 1))
  let two: Two
  beforeEach(async () => {
    two = await openTwo(kind)
  })
  afterEach(() => two.close())

  /** Cuts the connection at that point, now or later. The returned function resolves when it is cut. */
  async function cutting(
    where: 'api' | 'link',
    bytes: number | undefined,
    of = two.first,
  ): Promise<() => Promise<void>> {
    const gate = two.gatesTo(of)[where]
    if (bytes !== undefined) {
      const shut = gate.shutAfter(bytes)
      return () => shut
    }
    gate.shut()
    const { refused } = gate
    return async () => void (await expect.poll(() => gate.refused, { interval: 5 }).toBeGreaterThan(refused))
  }

  async function furnished(): Promise<void> {
    const { first, second, write, ask, makePrimary } = two
    await makePrimary(first)
    await write(first, 'secret/shared')
    await write(first, 'secret/long', long)
    await write(second, 'secret/own')
    await ask(second, 'POST sys/mounts/here', { type: 'kv', local: true })
    await write(second, 'here/own')
  }

  async function joined(): Promise<void> {
    await furnished()
    expect(await two.join(two.second, two.first, await two.activationToken(two.first))).toBeLessThan(300)
    await two.caughtUp(two.second, two.first)
  }

  /** Expects all values on the second cluster. A DR secondary is promoted first, so that it serves them. */
  async function expectOnSecond(...names: readonly string[]): Promise<void> {
    const { first, second, demote, promote, admin, read } = two
    if (kind === 'dr') {
      await demote(first)
      await expect.poll(() => promote(second), { interval: 5 }).toBeLessThan(300)
    }
    const token = await admin(second)
    for (const name of names) expect([name, await read(second, name, token)]).toEqual([name, name])
    expect(await read(second, 'secret/long', token)).toBe(long)
    expect(await read(second, 'secret/own', token)).toBe(undefined)
  }

  test.each(points(steps))(
    'while a secondary unwraps its token, %s: it has not joined and has lost nothing',
    async (_step, bytes) => {
      const { first, second, status, read, join, activationToken, caughtUp, gatesTo } = two
      await furnished()
      const token = await activationToken(first)
      await cutting('api', bytes)
      expect(await join(second, first, token)).toBe(400)
      expect(await status(second)).toEqual({ mode: 'disabled' })
      expect([await read(second, 'secret/own'), await read(second, 'here/own')]).toEqual(['secret/own', 'here/own'])
      expect((await status(first)).secondaries).toEqual([])
      gatesTo(first).api.open()
      // Credentials that may already have been sent are not sent again, so a new token is needed.
      expect(await join(second, first, bytes === undefined ? token : await activationToken(first))).toBeLessThan(300)
      await caughtUp(second, first)
      await expectOnSecond('secret/shared')
    },
  )

  test.each(points(linkSteps))(
    'while a secondary first connects, %s: it has all data or none',
    async (_step, bytes) => {
      const { first, second, status, write, read, join, activationToken, caughtUp, gatesTo, promote, admin } = two
      await furnished()
      const token = await activationToken(first)
      const isCut = await cutting('link', bytes)
      expect(await join(second, first, token)).toBeLessThan(300)
      await isCut()
      expect(await status(second)).toMatchObject({ mode: 'secondary', state: 'merkle-sync' })
      const { keyShares } = second
      expect(await promote(second, {}, keyShares)).toBe(400)
      if (kind === 'performance') {
        const root = await admin(second, keyShares)
        for (const name of ['secret/shared', 'secret/long', 'secret/own', 'here/own'])
          expect([name, await read(second, name, root)]).toEqual([name, undefined])
      }
      await write(first, 'secret/meanwhile')
      gatesTo(first).link.open()
      await caughtUp(second, first)
      await expectOnSecond('secret/shared', 'secret/meanwhile')
    },
  )

  test.each(points([0, 100, 20_000, 190_000]))(
    'while a write is sent, after %i bytes of it: it arrives later, as a whole',
    async (bytes) => {
      const { first, second, status, write, read, caughtUp, gatesTo, admin } = two
      await joined()
      const isCut = await cutting('link', bytes)
      await write(first, 'secret/later', long)
      await isCut()
      await expect.poll(() => status(second), { interval: 5 }).toMatchObject({ state: 'transient-failure' })
      if (kind === 'performance') {
        const token = await admin(second)
        expect(await read(second, 'secret/later', token)).toBe(undefined)
        expect(await read(second, 'secret/shared', token)).toBe('secret/shared')
      }
      await write(first, 'secret/meanwhile')
      gatesTo(first).link.open()
      await caughtUp(second, first)
      await expectOnSecond('secret/shared', 'secret/meanwhile')
      expect(await read(second, 'secret/later', await admin(second))).toBe(long)
    },
  )

  test('before the primary is demoted: the secondary is promoted only by force, and has all data', async () => {
    const { first, second, status, demote, promote, admin, read, gatesTo, caughtUp, write } = two
    await joined()
    await write(first, 'secret/last')
    await caughtUp(second, first)
    gatesTo(first).link.shut()
    await demote(first)
    await expect.poll(() => status(second), { interval: 5 }).toMatchObject({ state: 'transient-failure' })
    expect(await promote(second)).toBe(400)
    expect(await status(second)).toMatchObject({ mode: 'secondary' })
    expect(await promote(second, { force: true })).toBeLessThan(300)
    expect(await status(second)).toMatchObject({ mode: 'primary' })
    const token = await admin(second)
    for (const name of ['secret/shared', 'secret/last']) expect(await read(second, name, token)).toBe(name)
  })

  test('after the primary is demoted: the secondary is promoted, and has all data', async () => {
    const { first, second, demote, promote, admin, read, gatesTo, write } = two
    await joined()
    await write(first, 'secret/last')
    await demote(first)
    await expect.poll(async () => (await two.status(second)).state, { interval: 5 }).not.toBe('stream-wals')
    gatesTo(first).link.shut()
    expect(await promote(second)).toBeLessThan(300)
    const token = await admin(second)
    for (const name of ['secret/shared', 'secret/last']) expect(await read(second, name, token)).toBe(name)
  })

  test('before a write: a secondary that is promoted by force never gets it', async () => {
    const { first, second, promote, admin, read, gatesTo, write, status } = two
    await joined()
    gatesTo(first).link.shut()
    await write(first, 'secret/late')
    expect(await promote(second, { force: true })).toBeLessThan(300)
    gatesTo(first).link.open()
    const { refused } = gatesTo(first).link
    const token = await admin(second)
    expect(await read(second, 'secret/late', token)).toBe(undefined)
    expect(await read(second, 'secret/shared', token)).toBe('secret/shared')
    await write(first, 'secret/later still')
    expect(await read(second, 'secret/later still', token)).toBe(undefined)
    expect(gatesTo(first).link.refused).toBe(refused)
    expect((await status(first)).secondaries).toMatchObject([{ connection_status: 'disconnected' }])
  })

  /** Demotes the first cluster, promotes the second one and writes one more value there. Returns a token for the first
   * one. */
  async function swapped(): Promise<string> {
    const { first, second, ask, write, demote, promote, admin, caughtUp } = two
    await joined()
    if (kind === 'performance') {
      await ask(first, 'POST sys/mounts/here', { type: 'kv', local: true })
      await write(first, 'here/first')
      await caughtUp(second, first)
    }
    await demote(first)
    await expect.poll(() => promote(second), { interval: 5 }).toBeLessThan(300)
    const token = await admin(second)
    await write(second, 'secret/after', 'secret/after', token)
    const { body } = await ask(second, `POST ${two.path}/primary/secondary-token`, { id: 'first' }, token)
    return (body.wrap_info as { token: string }).token
  }

  async function expectOnFirst(): Promise<void> {
    const { first, second, ask, read, promote, admin, path } = two
    if (kind === 'dr') {
      expect((await ask(second, `POST ${path}/primary/demote`, {}, await admin(second))).status).toBeLessThan(300)
      await expect.poll(() => promote(first), { interval: 5 }).toBeLessThan(300)
    } else expect(await read(first, 'here/first')).toBe('here/first')
    const token = await admin(first)
    for (const name of ['secret/shared', 'secret/after']) expect(await read(first, name, token)).toBe(name)
    expect(await read(first, 'secret/long', token)).toBe(long)
  }

  test.each(points(steps))('while a demoted primary unwraps its token, %s: it is unchanged', async (_step, bytes) => {
    const { first, second, status, read, rejoin, gatesTo, caughtUp, ask, admin, path } = two
    const token = await swapped()
    const before = await status(first)
    await cutting('api', bytes, second)
    expect(await rejoin(first, second, token)).toBe(400)
    expect(await status(first)).toEqual(before)
    if (kind === 'performance') {
      expect(await read(first, 'secret/shared')).toBe('secret/shared')
      expect(await read(first, 'here/first')).toBe('here/first')
    }
    gatesTo(second).api.open()
    const sent = { id: 'first' }
    const again = await ask(second, `POST ${path}/primary/secondary-token`, sent, await admin(second))
    const fresh = (again.body.wrap_info as { token: string }).token
    expect(await rejoin(first, second, fresh)).toBeLessThan(300)
    await caughtUp(first, second)
    await expectOnFirst()
  })

  test.each(points(linkSteps))(
    'while a demoted primary connects, %s: it keeps its data until it has received all others',
    async (_step, bytes) => {
      const { first, second, status, read, rejoin, gatesTo, caughtUp } = two
      const token = await swapped()
      const isCut = await cutting('link', bytes, second)
      expect(await rejoin(first, second, token)).toBeLessThan(300)
      await isCut()
      expect(await status(first)).toMatchObject({ mode: 'secondary', state: 'transient-failure' })
      if (kind === 'performance') {
        expect(await read(first, 'secret/shared')).toBe('secret/shared')
        expect(await read(first, 'secret/after')).toBe(undefined)
        expect(await read(first, 'here/first')).toBe('here/first')
      }
      gatesTo(second).link.open()
      await caughtUp(first, second)
      await expectOnFirst()
    },
  )
})
