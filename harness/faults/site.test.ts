import { describe, expect, test } from 'vitest'
import { onMountOf } from './site.ts'

describe('the path of a twin', () => {
  const request = { method: 'POST', path: '/v1/assay-1-mount/root/generate/public' }

  test('gets the mount of the request', () => {
    const site = { method: 'POST', path: '{pki}/root/generate/:type' }
    expect(onMountOf(request, site, '/v1/assay-1-twin/root/generate/exported')).toBe(
      '/v1/assay-1-mount/root/generate/exported',
    )
  })

  test('is unchanged if the site has no mount', () => {
    const site = { method: 'POST', path: 'sys/policies/acl/:name' }
    const path = '/v1/sys/policies/acl/assay-1-twin'
    expect(onMountOf({ method: 'POST', path: '/v1/sys/policies/acl/assay-1-own' }, site, path)).toBe(path)
  })
})
