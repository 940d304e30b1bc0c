import { describe, expect, test } from 'vitest'
import { paths } from '../../suites/index.ts'
import { pathPattern } from './path-pattern.ts'

describe('the pattern of a path', () => {
  test.each([
    ['identity/mfa/method/totp/generate', 'identity/mfa/method/totp/generate'],
    ['identity/mfa/method/totp/0f8c3a1e-1111-4222-8333-444455556666', 'identity/mfa/method/totp/{id}'],
    ['sys/mfa/method/totp/assay-0a1b2c3d-1-method/generate', 'sys/mfa/method/totp/{name}/generate'],
    ['sys/mfa/method/assay-0a1b2c3d-1-method/admin-destroy', 'sys/mfa/method/{name}/admin-destroy'],
    ['sys/plugins/catalog/auth', 'sys/plugins/catalog/auth'],
    ['sys/plugins/catalog/auth/assay-0a1b2c3d-1-plugin', 'sys/plugins/catalog/{type}/{name}'],
    ['sys/plugins/catalog/unknown', 'sys/plugins/catalog/{type}'],
    ['assay-0a1b2c3d-1-pki/roles/assay-0a1b2c3d-1-other', '{pki}/roles/{name}'],
    ['theirs/roles/own', 'theirs/roles/own'],
    ['sys/unknown/path', 'sys/unknown/path'],
  ])('%s', (path, pattern) => {
    expect(pathPattern(path, paths)).toBe(pattern)
  })
})
