import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { assay } from '../commands/child.test-bed.ts'
import { findText, openForAppending, readText, replaceFile } from './files.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-files-'))
  file = join(folder, 'file')
})
afterEach(() => rmSync(folder, { recursive: true }))

const thing = { what: 'a thing', most: 10, mend: 'give another' }

/** Node removes the socket of a server that it closes, so the process ends without closing it. */
const listenAt = (socket: string) =>
  execFileSync(process.execPath, [
    '-e',
    `require('node:net').createServer().listen(${JSON.stringify(socket)}, () => process.reallyExit(0))`,
  ])

describe('a file that is read', () => {
  const wrong: readonly (readonly [string, () => unknown])[] = [
    ['cannot be read (ENOENT)', () => {}],
    ['is a named pipe, not a thing', () => execFileSync('mkfifo', [file])],
    ['is a folder, not a thing', () => mkdirSync(file)],
    ['is a socket, a pipe or a device, not a thing', () => listenAt(file)],
    ['is a device, not a thing', () => symlinkSync('/dev/null', file)],
    ['is empty', () => writeFileSync(file, '')],
    ['has 11 bytes, but a thing has at most 10', () => writeFileSync(file, 'x'.repeat(11))],
  ]
  test.each(wrong)('%s', (words, make) => {
    make()
    expect(() => readText(file, thing)).toThrow(`${file} ${words}: give another`)
  })

  test('may be a link if the user names it, but not if Assay wrote it', () => {
    writeFileSync(join(folder, 'other'), 'text')
    symlinkSync(join(folder, 'other'), file)
    expect(readText(file, thing)).toBe('text')
    expect(() => readText(file, { ...thing, own: true })).toThrow('is a symbolic link, not a thing')
  })

  test.runIf(existsSync('/proc/self/status'))('has its bound also if the system reports no size', () => {
    expect(() => readText('/proc/self/status', thing)).toThrow('has 11 bytes, but a thing has at most 10')
  })

  test('may be missing, but nothing else', () => {
    expect(findText(file, thing)).toBeUndefined()
    mkdirSync(file)
    expect(() => findText(file, thing)).toThrow('is a folder')
  })
})

test('nothing is appended to a pipe, a link or a folder', () => {
  execFileSync('mkfifo', [file])
  expect(() => openForAppending(file, 'a journal')).toThrow('is a socket, a pipe or a device, not a journal')
  rmSync(file)
  symlinkSync(join(folder, 'other'), file)
  expect(() => openForAppending(file, 'a journal')).toThrow('is a symbolic link, not a journal')
  expect(existsSync(join(folder, 'other'))).toBe(false)
})

test('a file is replaced as a whole, a link is not followed, and no draft stays', () => {
  writeFileSync(join(folder, 'other'), 'theirs')
  symlinkSync(join(folder, 'other'), file)
  replaceFile(file, 'ours')
  expect([readFileSync(file, 'utf8'), readFileSync(join(folder, 'other'), 'utf8')]).toEqual(['ours', 'theirs'])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  mkdirSync(join(folder, 'blocked/below'), { recursive: true })
  expect(() => replaceFile(join(folder, 'blocked'), 'ours')).toThrow()
  expect(() => statSync(join(folder, 'blocked/below'))).not.toThrow()
})

describe('a pipe in place of a file that a flag names is one error with exit code 2', () => {
  const run = ['run', '--check', 'policies/errors/*', '--out', 'OUT']
  const lines: readonly (readonly string[])[] = [
    [...run, '--profile', 'FILE.yaml'],
    [...run, '--accept', 'FILE.yaml'],
    [...run, '--baseline', 'FILE'],
    [...run, '--sign', 'FILE'],
    [...run, '--target', 'https://127.0.0.1:1', '--ca-cert', 'FILE'],
    ['render', 'FILE'],
    ['verify', 'FILE'],
    ['merge', 'FILE', 'FILE'],
    ['compact', 'FILE'],
    ['accept', '--from', 'FILE'],
    ['compare', 'FILE', 'FILE', '--out', 'OUT'],
    ['serve', '--port', '0', '--seed-file', 'FILE'],
    ['serve', '--port', '0', '--tls-cert', 'FILE', '--tls-key', 'FILE'],
  ]
  test.each(lines.map((line) => [line.join(' '), line] as const))('%s', async (_, line) => {
    const pipe = line.includes('FILE.yaml') ? `${file}.yaml` : file
    execFileSync('mkfifo', [pipe])
    const { code, err } = await assay(
      line.map((word) => word.replace(/^FILE.*/, pipe).replace(/^OUT$/, join(folder, 'out'))),
      { ASSAY_TOKEN: 'unused' },
    )
    expect(err.split('\n').filter((one) => one.startsWith('assay: '))).toEqual([
      expect.stringContaining(`${pipe} is a named pipe, not a`),
    ])
    expect(code).toBe(2)
  })
})
