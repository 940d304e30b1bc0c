import { expect, test } from 'vitest'
import { cleanCommandFor, cleanUpLines } from './clean-command.ts'

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

test('the command goes to the active node, if the run did not reach it', () => {
  const active = 'https://two.example:8200'
  const [why, command] = cleanUpLines(
    'j.jsonl',
    { target: 'https://one.example:8200', caCert: 'ca', out: 'o' },
    { activeUrl: active },
  )
  expect(why).toContain(`the active node says that it is at ${active}. If that is right, this command`)
  expect(command).toBe(`  npx assay clean --target ${active} --ca-cert ca --out o`)
  const lines = cleanUpLines('j.jsonl', { profile: 'one.yaml', out: 'o' }, { activeUrl: active })
  expect(lines[0]).toContain('add two.example:8200 to "allowedHosts" in one.yaml; then this command')
  expect(lines[1]).toBe('  npx assay clean --profile one.yaml --out o')
})
