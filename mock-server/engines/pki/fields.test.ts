import { describe, expect, it } from 'vitest'
import { bedWithRoot } from '../../test-beds/pki-mount.test-bed.ts'

const base = { key_type: 'ec', allow_any_name: true, ttl: '1h' }
describe('fields of roles', () => {
  it('are refused if they are invalid', async () => {
    const bed = await bedWithRoot()
    for (const bad of [
      { key_type: 'rsa', key_bits: 1024 },
      { ttl: '2h', max_ttl: '1h' },
      { allowed_other_sans: 'x' },
      { ext_key_usage_oids: 'x' },
      { policy_identifiers: '1' },
      { key_usage: ['Nothing'] },
    ])
      expect((await bed.post('roles/bad', bad)).refused?.code, JSON.stringify(bad)).toBe('bad-request')
  })
})

it.each([{ not_after: '2030-01-01T00:00:00Z' }, { use_pss: true }])(
  'refuses %j, which this server does not implement',
  async (fields) => {
    const bed = await bedWithRoot()
    const { refused } = await bed.post('roles/r', { ...base, ...fields })
    expect(refused?.message).toContain('does not carry out this field')
  },
)

it('refuses an array as alt_names, which a string holds', async () => {
  const bed = await bedWithRoot()
  await bed.post('roles/r', base)
  const refused = async (alt_names: unknown) =>
    (await bed.post('issue/r', { common_name: 'a.test', alt_names })).refused?.code
  expect(await Promise.all([refused(['b.test', 'c.test']), refused('b.test, c.test')])).toEqual([
    'bad-request',
    undefined,
  ])
})
