import { describe, expect, it } from 'vitest'
import { type Bed, bedWithRoot } from '../../test-beds/pki-mount.test-bed.ts'

const base = { key_type: 'ec', allow_any_name: true, ttl: '1h' }
type Fields = Record<string, unknown>

async function issued(bed: Bed, role: Fields, request: Fields = { common_name: 'a.example.com' }): Promise<string> {
  const written = await bed.post('roles/r', { ...base, ...role })
  if (written.refused) throw written.refused
  const { data, refused } = await bed.post('issue/r', request)
  if (refused) throw refused
  return String(data.certificate)
}

describe('fields of roles and requests', () => {
  it('are refused if the role does not allow them, or if they are invalid', async () => {
    const bed = await bedWithRoot()
    const refused: readonly (readonly [Fields, Fields])[] = [
      [{ allow_ip_sans: false }, { ip_sans: '1.2.3.4' }],
      [{}, { ip_sans: '1.2.3.400' }],
      [{}, { uri_sans: 'spiffe://x' }],
      [{ allowed_uri_sans: 'https://*' }, { uri_sans: 'spiffe://x' }],
      [{ allowed_uri_sans: '*' }, { uri_sans: 'no uri' }],
      [{}, { other_sans: '1.2.3;UTF8:x' }],
      [{ allowed_other_sans: '1.2.3;UTF8:y' }, { other_sans: '1.2.3;UTF8:x' }],
      [{ allowed_other_sans: '1.2.4;UTF8:*' }, { other_sans: '1.2.3;UTF8:x' }],
      [{ allowed_other_sans: '*' }, { other_sans: '1.2.3;IA5:x' }],
      [{}, { common_name: '' }],
      [{ key_type: 'any' }, {}],
      [{}, { format: 'p12' }],
      [{}, { private_key_format: 'jwk' }],
      [{}, { ttl: 'x' }],
    ]
    for (const [role, request] of refused)
      await expect(
        issued(bed, role, { common_name: 'a.example.com', ...request }),
        JSON.stringify([role, request]),
      ).rejects.toThrow()
    for (const bad of [
      { key_type: 'dsa' },
      { key_type: 'ec', key_bits: 2048 },
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
