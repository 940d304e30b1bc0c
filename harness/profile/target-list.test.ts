import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadProfile } from './profile.ts'
import { targetsIn } from './target-list.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-targets-'))
afterAll(() => rmSync(folder, { recursive: true }))

function written(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

const old = written('old.yaml', 'url: http://127.0.0.1:1\n')
const fork = written('fork.yaml', 'url: http://127.0.0.1:2\n')
const both = written('both.yaml', 'targets: [old.yaml, ./fork.yaml]\n')

test('returns the paths of the listed profiles', () => {
  expect(targetsIn(both, {})).toEqual([old, fork])
  expect(targetsIn(old, {})).toBeUndefined()
})

test.each([
  ['targets: [old.yaml, ./old.yaml]', 'list.yaml:1:21: "./old.yaml" is listed twice: remove one of them'],
  [
    'targets: [old.yaml, both.yaml]',
    'list.yaml:1:21: "both.yaml" is a list of targets itself: list the profiles that it names',
  ],
  ['targets: [old.yaml]', 'list.yaml:1:10: "targets" must NOT have fewer than 2 items'],
  ['targets: [old.yaml, 7]', 'list.yaml:1:21: "targets.1" must be a string'],
  ['targets: [old.yaml, none.yaml]', 'none.yaml cannot be read (ENOENT): give the path of a YAML file'],
  ['targets: [old.yaml, fork.yaml]\nurl: http://127.0.0.1', 'list.yaml:2:1: unknown key "url"; known keys: targets'],
  ['target: [old.yaml, fork.yaml]', 'list.yaml:1:1: unknown key "target"'],
])('%s: %s', (text, words) => {
  const file = written('list.yaml', text)
  expect(() => targetsIn(file, {}) ?? loadProfile(file, {})).toThrow(words)
})

test('loadProfile rejects a list of targets', () => {
  expect(() => loadProfile(both, {})).toThrow('both.yaml:1:1: this profile lists several targets')
})
