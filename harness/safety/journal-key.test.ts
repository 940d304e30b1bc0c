import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findKey, stateFolderOf } from './journal-key.ts'

let home: string
let folder: string
let file: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'assay-state-'))
  folder = join(home, 'state', 'assay')
  file = join(folder, 'journal.key')
})
afterEach(() => rmSync(home, { recursive: true }))

test.each([
  [{ ASSAY_STATE_DIR: '/a', XDG_STATE_HOME: '/b', HOME: '/c' }, '/a'],
  [{ XDG_STATE_HOME: '/b', HOME: '/c' }, '/b/assay'],
  [{ XDG_STATE_HOME: 'relative', HOME: '/c' }, '/c/.local/state/assay'],
  [{ HOME: '/c' }, '/c/.local/state/assay'],
  [{}, join(homedir(), '.local/state/assay')],
])('the environment %o leads to %s', (env, expected) => expect(stateFolderOf(env)).toBe(expected))

describe('the key', () => {
  test('is made once, readable by its owner alone', () => {
    expect(findKey(folder)).toEqual({ unavailable: `there is no key ${file}` })
    const made = findKey(folder, 'make')
    const key = 'key' in made ? made.key : undefined
    expect(key?.symmetricKeySize).toBe(32)
    expect([statSync(folder).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600])
    for (const found of [findKey(folder, 'make'), findKey(folder)])
      expect('key' in found && key && found.key.equals(key)).toBe(true)
    expect(readdirSync(folder)).toEqual(['journal.key'])
  })

  test('that others can read is refused', () => {
    findKey(folder, 'make')
    chmodSync(file, 0o640)
    expect(findKey(folder, 'make')).toEqual({
      unavailable: expect.stringContaining('can be read by others: delete it so that a new one is made, or chmod 600'),
    })
  })

  test('in a folder that others can write to is refused', () => {
    findKey(folder, 'make')
    chmodSync(folder, 0o777)
    expect(findKey(folder)).toEqual({ unavailable: expect.stringContaining('can be written to by others') })
  })

  test('that is a link is refused', () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(join(home, 'elsewhere'), 'a'.repeat(64), { mode: 0o600 })
    symlinkSync(join(home, 'elsewhere'), file)
    for (const make of ['make', 'read'] as const)
      expect(findKey(folder, make)).toEqual({ unavailable: expect.stringContaining('is a symbolic link') })
  })

  test('that holds something else is refused', () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const text of ['', 'short', 'g'.repeat(64)]) {
      writeFileSync(file, text, { mode: 0o600 })
      expect(findKey(folder, 'make')).toEqual({ unavailable: expect.stringContaining('does not hold a key') })
    }
  })

  test('that is too large is refused', () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(file, 'a'.repeat(200), { mode: 0o600 })
    expect(findKey(folder)).toEqual({ unavailable: expect.stringContaining('has 200 bytes, but a key has at most 66') })
  })

  test('that cannot be made is reported', () => {
    writeFileSync(join(home, 'state'), '')
    expect(findKey(folder, 'make')).toEqual({ unavailable: `${file} cannot be made or read (ENOTDIR)` })
  })
})
