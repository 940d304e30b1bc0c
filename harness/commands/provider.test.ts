import { describe, expect, test } from 'vitest'
import { startAssay } from './child.test-bed.ts'
import { provided, withProvider } from './run/provider-stub.ts'

describe('assay provider', () => {
  test('listens until it is interrupted', async () => {
    const child = startAssay(['provider', '--port', '0', '--json'])
    await child.said('}')
    child.process.kill('SIGINT')
    const { code, out } = await child.ended
    expect(code).toBe(0)
    expect(Object.keys(JSON.parse(out))).toEqual([
      'iam',
      'sts',
      'control',
      'account',
      'userName',
      'accessKey',
      'secretKey',
    ])
  })

  test('an invalid port is a usage error', async () => {
    expect((await startAssay(['provider', '--port', '65535']).ended).code).toBe(2)
  })
})

describe('a provider beside a run', () => {
  type Target = Parameters<typeof withProvider>[0]
  type SelectedChecks = Parameters<typeof withProvider>[1]
  const target = (provides: Record<string, unknown>) =>
    ({ url: 'https://vault.example', secrets: [], provides }) as unknown as Target
  const needing = [{ check: { needs: ['provider'] } }] as unknown as SelectedChecks

  test('is started if a check needs it and the target is our own', async () => {
    const { target: own, close } = await provided(target({}))
    try {
      const { iam, sts } = own.provides.provider as { iam: string; sts: string }
      expect(iam).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
      expect(sts).not.toBe(iam)
    } finally {
      await close()
    }
  })

  test('listens on the address of the profile, and advertises the host of the profile', async () => {
    const place = { listen: '127.0.0.1:0', advertise: 'http://provider.example' }
    const { target: provided, close } = await withProvider(target({ provider: place }), needing)
    await close()
    expect((provided.provides.provider as { iam: string }).iam).toMatch(/^http:\/\/provider\.example:\d+$/)
  })

  test('is not started automatically for a target on this machine: its address may be a tunnel', async () => {
    const near = { ...target({}), url: 'http://127.0.0.1:1' }
    expect((await withProvider(near, needing)).target).toBe(near)
  })

  test('is not started if no check needs it, or if the profile names none', async () => {
    for (const [selected, provides] of [
      [[], { provider: { listen: '127.0.0.1:0' } }],
      [needing, {}],
    ] as const) {
      const bare = target(provides)
      expect((await withProvider(bare, selected)).target).toBe(bare)
    }
  })

  test('an invalid address is a usage error', async () => {
    await expect(withProvider(target({ provider: { listen: 'nowhere' } }), needing)).rejects.toThrow(/host:port/)
  })
})
