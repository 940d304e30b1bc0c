import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { replicationKinds } from '../../kernel/cluster/cluster-role.ts'
import type { MockServerOptions } from '../../server.ts'
import { type Ceremony, openCeremony } from '../../test-beds/ceremony.test-bed.ts'

const opened: Ceremony[] = []
const folders: string[] = []
afterEach(async () => {
  for (const { server } of opened.splice(0)) await server.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

async function open(options: MockServerOptions = {}) {
  const held = await openCeremony({ ...options, isDrSecondary: false })
  opened.push(held)
  const { secondaryKeys } = held.extensions
  if (!secondaryKeys) throw new Error('the engine has no keys of secondaries')
  return { ...held, keys: secondaryKeys }
}

describe.each(replicationKinds)('public keys of a %s secondary', (kind) => {
  const path = `sys/replication/${kind}/secondary/generate-public-key`
  const generate = async ({ ask, server }: Ceremony) => {
    const { status, body } = await ask(`POST ${path}`, {}, server.rootToken)
    return { status, key: String(body.secondary_public_key) }
  }

  test('encrypt text that only their own cluster can decrypt, until it makes another key', async () => {
    const [own, other] = [await open(), await open({ seed: 2 })]
    const { key } = await generate(own)
    await generate(other)
    const text = own.keys.encryptTo(kind, key, 'for the holder')
    expect(text).not.toContain('holder')
    expect(own.keys.isEncrypted(text)).toBe(true)
    expect(own.keys.decrypt(kind, text)).toBe('for the holder')
    expect(own.keys.decrypt(kind, text)).toBe('for the holder')
    expect(() => other.keys.decrypt(kind, text)).toThrow('not encrypted to the present key')
    expect((await generate(own)).key).not.toBe(key)
    expect(() => own.keys.decrypt(kind, text)).toThrow('not encrypted to the present key')
  })

  test('work for their own kind of replication only', async () => {
    const own = await open()
    const { key } = await generate(own)
    const otherKind = kind === 'dr' ? 'performance' : 'dr'
    const text = own.keys.encryptTo(kind, key, 'x')
    expect(() => own.keys.decrypt(otherKind, text)).toThrow()
    await own.ask(`POST sys/replication/${otherKind}/secondary/generate-public-key`, {}, own.server.rootToken)
    expect(() => own.keys.decrypt(otherKind, text)).toThrow()
    expect(own.keys.decrypt(kind, text)).toBe('x')
  })

  test('are refused if they are invalid', async () => {
    const { keys } = await open()
    const { publicKey } = generateKeyPairSync('ed25519')
    const another = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
    for (const bad of ['', 'x', 'AAAA', another])
      expect(() => keys.encryptTo(kind, bad, 'x')).toThrow('not a public key of a secondary')
    for (const bad of ['', 'x', 'a..b.c.d', '....']) expect(() => keys.decrypt(kind, bad)).toThrow()
  })

  test('survive a restart from a state file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-'))
    folders.push(folder)
    const stateFile = join(folder, 'state.json')
    const before = await open({ stateFile })
    const { key } = await generate(before)
    await before.server.close()
    const after = await open({ stateFile })
    expect(after.keys.decrypt(kind, before.keys.encryptTo(kind, key, 'x'))).toBe('x')
    await after.server.reset()
    expect(() => after.keys.decrypt(kind, before.keys.encryptTo(kind, key, 'x'))).toThrow()
  })
})
