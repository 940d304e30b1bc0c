/** The size of a file is checked before it is parsed. */
import { createPrivateKey } from 'node:crypto'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadProfile } from '../../profile/profile.ts'
import { noVariables } from '../../profile/variables.ts'
import { readYaml } from '../../profile/yaml-file.ts'
import { tlsOf } from '../../targets/tls.ts'
import { UsageError } from '../../targets/usage-error.ts'
import { sizeBounds } from '../../vocabulary/index.ts'
import { keyIn } from '../output/attestation-file.ts'
import { readResult } from '../output/result-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-read-bounds-'))
afterAll(() => rmSync(folder, { recursive: true }))

const written = (name: string, text: string): string => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}
const ofSize = (name: string, bytes: number): string => {
  const file = written(name, '')
  truncateSync(file, bytes)
  return file
}

test('rejects a result.json that is larger than any run writes', async () => {
  const file = ofSize('large.json', sizeBounds.resultFile.value + 1)
  await expect(readResult(file)).rejects.toThrow(
    /large\.json has 67108865 bytes, but a result.json has at most 67108864/,
  )
})

test('rejects a result.json that is nested too deep', async () => {
  const { value } = sizeBounds.resultDepth
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  await expect(readResult(written('deep.json', nested(value + 1)))).rejects.toThrow('nested deeper than 64 levels')
  await expect(readResult(written('deepest.json', nested(100_000)))).rejects.toThrow(UsageError)
  await expect(readResult(written('fits.json', nested(value)))).rejects.toThrow('is not a result of assay')
})

test('rejects a YAML file that is larger than people write', () => {
  const file = ofSize('large.yaml', sizeBounds.yamlFile.value + 1)
  expect(() => readYaml(file, {})).toThrow(/large\.yaml has 1048577 bytes, but a YAML file has at most 1048576/)
})

test('rejects a YAML file that is nested too deep', () => {
  const file = written('deep.yaml', `a: ${'['.repeat(200_000)}${']'.repeat(200_000)}`)
  expect(() => readYaml(file, {})).toThrow(UsageError)
})

test('rejects a YAML file whose aliases expand too much', () => {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
  for (let level = 1; level < 12; level++)
    lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')}]`)
  const file = written('aliases.yaml', lines.join('\n'))
  expect(() => readYaml(file, {})).toThrow(/aliases\.yaml: .*write the value out instead/)
})

test.each([
  ['a certificate', (file: string) => tlsOf({ insecure: false }, { caCert: file }, noVariables)],
  ['a key', (file: string) => keyIn(file, createPrivateKey)],
  ['a token', (file: string) => loadProfile(written('p.yaml', `url: http://x\ntokenFile: ${file}\n`), {})],
])('rejects a named file that is larger than %s is', (_, read) => {
  const { value } = sizeBounds.namedFile
  expect(() => read(ofSize('large.pem', value + 1))).toThrow(/has 1048577 bytes, but .* has at most 1048576/)
  const fits = written('fits.pem', '-----BEGIN '.padEnd(value, 'x'))
  expect(() => read(fits)).not.toThrow(/bytes/)
})
