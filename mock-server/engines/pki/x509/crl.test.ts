import { describe, expect, it } from 'vitest'
import { openssl } from '../../../test-beds/openssl.test-bed.ts'
import { writeCertificate } from './certificate.ts'
import { writeEntry, writeList } from './crl.ts'
import { basicConstraints, keyUsage, subjectKeyId } from './extensions.ts'
import { generateEc, generateRsa, keyIdOf } from './keys.ts'
import { writeName } from './names.ts'
import { pem } from './pem.ts'
import { signerOf } from './signer.ts'

const now = Date.now()
const issuer = writeName({ commonName: ['Root'] })

describe('revocation lists', () => {
  for (const [kind, make] of Object.entries({ rsa: () => generateRsa(2048), ec: () => generateEc(256) }))
    it(`signed by an ${kind} CA are verified by openssl, empty or not`, async () => {
      const key = await make()
      const ca = writeCertificate(
        {
          serial: Buffer.of(1),
          issuer,
          subject: issuer,
          notBefore: now - 1000,
          notAfter: now + 1e9,
          spki: key.spki,
          extensions: [basicConstraints(true), keyUsage(new Set([5, 6])), subjectKeyId(keyIdOf(key.spki))],
        },
        signerOf(key),
      )
      const entries = [writeEntry(Buffer.from('ff01', 'hex'), now), writeEntry(Buffer.of(7), now)]
      for (const [list, count] of [
        [entries, 2],
        [[], 0],
      ] as const) {
        const der = writeList(
          { issuer, issuerKeyId: keyIdOf(key.spki), thisUpdate: now, nextUpdate: now + 1e6, number: 3, entries: list },
          signerOf(key),
        )
        const verdict = openssl(['crl', '-in', '@crl', '-CAfile', '@ca', '-noout', '-text'], {
          crl: pem('X509 CRL', der),
          ca: pem('CERTIFICATE', ca),
        })
        expect(verdict.text).toContain('verify OK')
        expect(verdict.text.match(/Serial Number: /g)?.length ?? 0).toBe(count)
      }
    })
})
