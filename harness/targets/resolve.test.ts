import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { resolveTarget } from './resolve.ts'

const faultOf = (flags: Parameters<typeof resolveTarget>[0], env: NodeJS.ProcessEnv = {}): string => {
  try {
    resolveTarget(flags, env)
  } catch (error) {
    return (error as Error).message
  }
  return 'no fault'
}

describe('a target', () => {
  test('needs no more than a URL', () => {
    expect(resolveTarget({ target: 'http://127.0.0.1:8200/base/' }, { ASSAY_TOKEN: 'root-token' })).toMatchObject({
      url: 'http://127.0.0.1:8200/base',
      name: '127.0.0.1:8200',
      dialect: 'vault',
      token: 'root-token',
      secrets: ['root-token'],
    })
  })

  test('is absent if neither a flag nor a profile names it, even if a token is set', () => {
    expect(resolveTarget({}, { ASSAY_TOKEN: 'root-token' })).toBeUndefined()
  })

  test.each([
    [{ target: 'http://a', profile: 'b' }, 'remove one of them'],
    [{ target: 'server.example:8200' }, 'not an http or https URL'],
    [{ target: 'http://me:hvs.secret@a' }, 'user info'],
    [{ target: 'http://a?token=hvs.secret' }, 'query or fragment'],
    [{ target: 'http://a/v1/' }, 'leave out "/v1", and give http://a (a prefix of the path stays)'],
    [{ target: 'http://a/vault/v1/sys/health' }, 'leave out "/v1/sys/health", and give http://a/vault ('],
    [{ target: 'http://a/ui/vault/auth' }, 'leave out "/ui/vault/auth", and give http://a ('],
    [
      { target: 'https://a', clientCert: join(import.meta.dirname, '../profile/profile.schema.json') },
      'is not a PEM file',
    ],
    [{ target: 'https://a', caCert: '/nowhere.pem' }, 'ENOENT'],
    [{ insecure: true }, '--insecure needs a target, but none is given'],
  ])('%j is refused', (flags, words) => {
    const fault = faultOf(flags)
    expect(fault).toContain(words)
    expect(fault).not.toContain('hvs.secret')
  })

  test.each([
    [{ ASSAY_TOKEN: 'hvs.secret\nnext' }, 'invalid in a header'],
    [{ ASSAY_TOKEN: '“hvs.secret”' }, 'invalid in a header'],
    [{ HTTP_PROXY: 'proxy.example:3128' }, 'HTTP_PROXY is not an http or https URL'],
    [{ https_proxy: 'hvs.secret' }, 'https_proxy is not an http or https URL'],
  ])('is refused with %j in the environment', (env, words) => {
    const fault = faultOf({ target: 'http://a' }, env)
    expect(fault).toContain(words)
    expect(fault).not.toContain('hvs.secret')
  })

  test('is refused with certificates that would fail later in TLS', () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-resolve-'))
    const file = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    const key = (name: string): string =>
      file(name, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string)
    const junk = file('junk.pem', '-----BEGIN CERTIFICATE-----\njunk\n-----END CERTIFICATE-----\n')
    const cert = file('ca.pem', rootCertificates[0] ?? '')
    try {
      expect(faultOf({ target: 'https://a', caCert: junk })).toContain('--ca-cert) is not a certificate')
      expect(faultOf({ target: 'https://a', caCert: key('a.key') })).toContain('--ca-cert) is not a certificate')
      expect(faultOf({ target: 'https://a', caCert: cert })).toBe('no fault')
      expect(faultOf({ target: 'https://a', clientCert: cert, clientKey: cert })).toContain('is not a private key')
      expect(faultOf({ target: 'https://a', clientCert: cert, clientKey: key('b.key') })).toContain(
        'does not belong to',
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
