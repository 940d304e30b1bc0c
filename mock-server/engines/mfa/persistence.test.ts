import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateSync } from 'otplib'
import { afterAll, expect, test } from 'vitest'
import { openMfa, start, urlIn } from '../../test-beds/mfa.test-bed.ts'
import { makePluginFolder, sha256 } from '../../test-beds/plugin-folder.test-bed.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-kept-'))
const plugins = makePluginFolder()
afterAll(() => {
  rmSync(folder, { recursive: true })
  plugins.remove()
})
const options = { stateFile: join(folder, 'state.json'), rootToken: 'root', pluginDirectory: plugins.path }

const codeAt = (url: URL, seconds: number): string =>
  generateSync({ secret: url.searchParams.get('secret') ?? '', epoch: start / 1000 + seconds })

test('methods, secrets, counts and waiting logins survive a restart', async () => {
  const first = await openMfa(options)
  const { token, entity } = await first.user(['own'])
  const { data } = await first.ask('POST identity/mfa/method/totp', { issuer: 'Acme', max_validation_attempts: 2 })
  const id = String(data.method_id)
  const made = await first.ask('POST identity/mfa/method/totp/admin-generate', { method_id: id, entity_id: entity })
  await first.enforce(id)
  const waiting = Reflect.get((await first.login()).auth, 'mfa_requirement').mfa_request_id
  const code = (text: string) => ({ mfa_request_id: waiting, mfa_payload: { [id]: [text] } })
  expect((await first.ask('POST sys/mfa/validate', code('000000'), '')).status).toBe(403)

  // This GET changes something, so it must be saved like a POST.
  await first.ask('POST sys/policies/acl/own', { policy: 'path "sys/mfa/*" { capabilities = ["read"] }' })
  await first.ask('POST sys/mfa/method/totp/phone', { issuer: 'Acme' })
  expect((await first.ask('GET sys/mfa/method/totp/phone/generate', undefined, token)).data).toHaveProperty('url')
  await first.close()
  const second = await openMfa(options)
  expect((await second.ask('GET sys/mfa/method/totp/phone/generate', undefined, token)).data).toEqual({})
  const granted = await second.ask('POST sys/mfa/validate', code(codeAt(urlIn(made), 0)), '')
  expect(granted.auth.entity_id).toBe(entity)
  const used = await second.login({ 'x-vault-mfa': `${id}:${codeAt(urlIn(made), 0)}` })
  expect(used.errors).toEqual([expect.stringContaining('already used')])
  await second.close()
})

test('plugins and their mounts survive a restart', async () => {
  const first = await openMfa(options)
  await first.ask('POST sys/plugins/catalog/secret/p', { sha256, command: 'good', version: '1.0.0' })
  await first.ask('POST sys/mounts/m', { type: 'p' })
  await first.close()
  const second = await openMfa(options)
  expect((await second.ask('GET sys/plugins/catalog/secret/p?version=1.0.0')).data.command).toBe('good')
  expect((await second.ask('GET m/x')).data.plugin).toEqual({ name: 'p', version: 'v1.0.0' })
  await second.close()
})
