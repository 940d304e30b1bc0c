import { describe, expect, test } from 'vitest'
import { resolveTarget } from './resolve.ts'
import { variableLines } from './sources.ts'

const url = 'https://vault.example:8200'
const target = (env: NodeJS.ProcessEnv, flags: Parameters<typeof resolveTarget>[0] = {}) => {
  const resolved = resolveTarget({ target: url, ...flags }, env)
  if (!resolved) throw new Error('no target')
  return resolved
}
const token = 'hvs.of-the-family'

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
    [{ VAULT_CLIENT_CERT: '', VAULT_CLIENT_KEY: '/nowhere.pem' }, 'VAULT_CLIENT_KEY /nowhere.pem'],
  ])('%j is refused', (env, words) => expect(() => target(env)).toThrow(words))
})
