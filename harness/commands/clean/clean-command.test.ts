import { expect, test } from 'vitest'
import { cleanCommandFor } from './clean-command.ts'

test('the command names the target and the folder of the run, so that it can be copied', () => {
  expect(cleanCommandFor({ target: 'https://vault.example:8200', out: 'assay-report' })).toBe(
    'npx assay clean --target https://vault.example:8200 --out assay-report',
  )
  expect(cleanCommandFor({ profile: "it's here.yaml", out: '/tmp/a b' })).toBe(
    `npx assay clean --profile 'it'\\''s here.yaml' --out '/tmp/a b'`,
  )
})

test('the command contains the flags for TLS, and no secret', () => {
  const flags = { target: 'https://x', caCert: 'ca.pem', clientCert: 'c.pem', clientKey: 'k.pem', insecure: true }
  expect(cleanCommandFor({ ...flags, out: 'o' })).toBe(
    'npx assay clean --target https://x --ca-cert ca.pem --client-cert c.pem --client-key k.pem --insecure --out o',
  )
})
