import { expect, it } from 'vitest'
import { bedWithRoot } from '../../test-beds/pki-mount.test-bed.ts'

const base = { key_type: 'ec', allow_any_name: true, ttl: '1h' }
it.each([{ not_after: '2030-01-01T00:00:00Z' }, { use_pss: true }])(
  'refuses %j, which this server does not implement',
  async (fields) => {
    const bed = await bedWithRoot()
    const { refused } = await bed.post('roles/r', { ...base, ...fields })
    expect(refused?.message).toContain('does not carry out this field')
  },
)
