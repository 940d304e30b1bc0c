import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { afterAll, describe, expect, test } from 'vitest'
import { resolveTarget } from '../targets/resolve.ts'
import { variableLines } from './sources.ts'

const url = 'https://vault.example:8200'
const target = (env: NodeJS.ProcessEnv, flags: Parameters<typeof resolveTarget>[0] = {}) => {
  const resolved = resolveTarget({ target: url, ...flags }, env)
  if (!resolved) throw new Error('no target')
  return resolved
}
const token = 'hvs.of-the-family'

const folder = mkdtempSync(join(tmpdir(), 'assay-home-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('variables of the family', () => {
  test('are read where nothing else is given, and said in one line, without the token', () => {
    const env = { VAULT_TOKEN: token, VAULT_NAMESPACE: 'team-a', VAULT_SKIP_VERIFY: '1' }
    const found = target(env)
    expect(found).toMatchObject({ token, headers: { 'X-Vault-Namespace': 'team-a' }, tls: { insecure: true } })
    expect(found.secrets).toContain(token)
    expect(variableLines(found)).toEqual([
      'from the environment: token set (VAULT_TOKEN), namespace team-a (VAULT_NAMESPACE), certificate check off (VAULT_SKIP_VERIFY)',
    ])
    expect(target({ ...env, ASSAY_TOKEN: 'own' }).token).toBe('own')
  })

  test('that name another server give it nothing', () => {
    const found = target({ VAULT_ADDR: 'https://other.example:8200', VAULT_TOKEN: token, VAULT_SKIP_VERIFY: 'true' })
    expect(found).toMatchObject({ tls: { insecure: false } })
    expect(found.token).toBeUndefined()
    expect(JSON.stringify(found)).not.toContain(token)
    expect(variableLines(found)).toEqual([
      'not read: VAULT_TOKEN, VAULT_SKIP_VERIFY, because VAULT_ADDR names another server',
    ])
    expect(target({ VAULT_ADDR: `${url}/`, VAULT_TOKEN: token }).token).toBe(token)
  })

  test('of OpenBao win as a whole, so that no token goes to the address of the other family', () => {
    const found = target({ BAO_NAMESPACE: 'b', VAULT_TOKEN: token, VAULT_NAMESPACE: 'v' })
    expect([found.token, found.headers]).toEqual([undefined, { 'X-Vault-Namespace': 'b' }])
    expect(variableLines(found)[1]).toBe('not read: VAULT_TOKEN, VAULT_NAMESPACE, because BAO_NAMESPACE is set')
  })

  test('are not read for one of several targets', () => {
    expect(target({ VAULT_TOKEN: token }, { tokenVariable: 'ASSAY_TOKEN_1' }).token).toBeUndefined()
  })

  test.each([
    [{ VAULT_SKIP_VERIFY: 'yes' }, 'VAULT_SKIP_VERIFY is neither true nor false'],
    [{ VAULT_CACERT: '/nowhere.pem' }, 'VAULT_CACERT /nowhere.pem'],
    [{ VAULT_CAPATH: '/nowhere' }, 'VAULT_CAPATH /nowhere cannot be read (ENOENT): fix the path'],
    [{ VAULT_CAPATH: join(import.meta.dirname, '../select') }, 'has no certificates in PEM form'],
    [{ VAULT_CLIENT_CERT: '', VAULT_CLIENT_KEY: '/nowhere.pem' }, 'VAULT_CLIENT_KEY /nowhere.pem'],
  ])('%j is refused', (env, words) => expect(() => target(env)).toThrow(words))
})

describe('the token that a login has stored', () => {
  const home = (name: string): { readonly HOME: string; readonly file: string } => {
    const HOME = join(folder, name)
    mkdirSync(HOME)
    return { HOME, file: join(HOME, '.vault-token') }
  }
  const storing = (
    name: string,
    text = `${token}\n`,
    mode = 0o600,
  ): { readonly HOME: string; readonly file: string } => {
    const made = home(name)
    writeFileSync(made.file, text)
    chmodSync(made.file, mode)
    return made
  }

  test('is read last, and said in one line', () => {
    const { HOME } = storing('usual')
    const found = target({ HOME })
    expect(found.token).toBe(token)
    expect(found.secrets).toContain(token)
    expect(variableLines(found)).toEqual(['from the environment: token set (~/.vault-token)'])
    expect(target({ HOME, VAULT_TOKEN: 'hvs.variable' }).token).toBe('hvs.variable')
    expect(target({ HOME, ASSAY_TOKEN: 'own' }).token).toBe('own')
  })

  test('is not read for another server than the environment names, nor for one of several targets', () => {
    const { HOME } = storing('others')
    expect(target({ HOME, VAULT_ADDR: 'https://other.example:8200' }).token).toBeUndefined()
    expect(target({ HOME, VAULT_ADDR: url }).token).toBe(token)
    expect(target({ HOME }, { tokenVariable: 'ASSAY_TOKEN_1' }).token).toBeUndefined()
  })

  test.each([
    ['can be read by others', (name: string) => storing(name, token, 0o644)],
    [
      'is a symbolic link',
      (name: string) => {
        const [{ file }, made] = [storing(`${name} to it`), home(name)]
        symlinkSync(file, made.file)
        return made
      },
    ],
    [
      'is a folder',
      (name: string) => {
        const made = home(name)
        mkdirSync(made.file)
        return made
      },
    ],
  ])('is not used if its file %s', (words, make) => {
    const { HOME } = make(words)
    const found = target({ HOME })
    expect(found.token).toBeUndefined()
    expect(variableLines(found)).toEqual([
      expect.stringMatching(`^not read: ~/.vault-token, because it ${words}.*: make it`),
    ])
    expect(JSON.stringify(found)).not.toContain(token)
    expect(variableLines(target({ HOME, ASSAY_TOKEN: 'own' }))).toEqual([])
  })

  test('may be missing or empty', () => {
    expect(target({ HOME: home('none').HOME })).not.toHaveProperty('unusedVariables')
    expect(target({ HOME: storing('empty', '').HOME }).token).toBeUndefined()
    expect(target({ HOME: 'relative' }).token).toBeUndefined()
  })
})

test('VAULT_CAPATH is a folder of certificates, and VAULT_CACERT wins', () => {
  const path = join(folder, 'authorities')
  mkdirSync(path)
  const [one = '', two = '', three = ''] = rootCertificates
  writeFileSync(join(path, 'one.pem'), one)
  writeFileSync(join(path, 'two.pem'), two)
  writeFileSync(join(path, 'README'), 'of no interest')
  symlinkSync('one.pem', join(path, '0a1b2c3d.0'))
  const found = target({ VAULT_CAPATH: path })
  expect(found.tls.ca).toBe(`${one}\n${two}`)
  expect(variableLines(found)).toEqual([`from the environment: certificate authorities ${path} (VAULT_CAPATH)`])
  const file = join(folder, 'three.pem')
  writeFileSync(file, three)
  expect(target({ VAULT_CAPATH: path, VAULT_CACERT: file }).tls.ca).toBe(readFileSync(file, 'utf8'))
  expect(target({ VAULT_CAPATH: '/nowhere' }, { caCert: file }).tls.ca).toBe(three)
})
