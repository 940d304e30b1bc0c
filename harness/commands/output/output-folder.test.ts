import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { holdFolder, prepareFolder } from './output-folder.ts'

/** Returns the file modes of a folder and of everything below it. */
const modes = (folder: string): Record<string, string> =>
  Object.fromEntries(
    [folder, ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))].map(
      (file) => [basename(file), (statSync(file).mode & 0o777).toString(8)],
    ),
  )

let place: string
let said: string[]
const say = (text: string) => said.push(text)
beforeEach(() => {
  said = []
  place = mkdtempSync(join(tmpdir(), 'assay-out-'))
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

test('creates a folder with its parents, or uses an existing one', () => {
  prepareFolder(join(place, 'a/b/c'))
  prepareFolder(join(place, 'a/b/c'))
  expect(existsSync(join(place, 'a/b/c'))).toBe(true)
})

test('gives other users no access to what it creates, and keeps the mode of an existing folder', () => {
  mkdirSync(join(place, 'mine'), { mode: 0o755 })
  const release = holdFolder(join(place, 'mine', 'new'), say)
  expect(modes(join(place, 'mine'))).toEqual({ mine: '755', new: '700', 'assay.lock': '600' })
  release()
})

test('a lock that cannot be removed does not end a run', () => {
  const release = holdFolder(place, say)
  rmSync(join(place, 'assay.lock'))
  mkdirSync(join(place, 'assay.lock'))
  expect(release).not.toThrow()
})

test('rejects what cannot be a folder, in one sentence', () => {
  writeFileSync(join(place, 'file'), '')
  for (const folder of [join(place, 'file'), join(place, 'file/below'), '', ' '])
    expect(() => prepareFolder(folder)).toThrow(/^--out .*: name a folder of your own$/)
})

test.runIf(existsSync('/proc/self'))('fails, and does not hang, where nothing can be created', () => {
  expect(() => prepareFolder('/proc/assay')).toThrow(/cannot be written to/)
})

test('only one process can hold a folder; the lock of a dead process is taken over', async () => {
  const file = join(place, 'assay.lock')
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  const gone = new Promise((resolve) => other.on('exit', resolve))
  writeFileSync(file, `${other.pid}\n`)
  expect(() => holdFolder(place, say)).toThrow(
    `--out ${place} is in use by another run (process ${other.pid}): name another folder, or wait until that run ends`,
  )
  other.kill('SIGKILL')
  await gone
  const release = holdFolder(place, say)
  expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`^${process.pid} \\S+\n$`))
  expect(said).toEqual([`took over the lock of ${place}: it is of process ${other.pid}, which has ended`])
  release()
  expect(readdirSync(place)).toEqual([])
})

test.runIf(existsSync('/proc/self/stat'))(
  'a zombie process, for which its parent never waits, counts as dead',
  async () => {
    const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] })
    const gone = new Promise((resolve) => parent.on('exit', resolve))
    const [line] = await once(parent.stdout, 'data')
    const pid = Number(line)
    try {
      writeFileSync(join(place, 'assay.lock'), `${pid}\n`)
      expect(() => holdFolder(place, say)).toThrow(`(process ${pid})`)
      // The shell waits for its children until it has become a sleep itself.
      await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n')
      process.kill(pid, 'SIGKILL')
      await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(' Z ')
      holdFolder(place, say)()
      expect(readdirSync(place)).toEqual([])
    } finally {
      parent.kill('SIGKILL')
      await gone
    }
  },
)

test.runIf(existsSync('/proc/self/stat'))('the lock of an earlier process with the same id is taken over', async () => {
  const file = join(place, 'assay.lock')
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  try {
    await once(other, 'spawn')
    writeFileSync(file, `${other.pid} earlier-boot/123\n`)
    holdFolder(place, say)()
    expect(said).toEqual([expect.stringContaining(`it is of process ${other.pid}, which has ended`)])
  } finally {
    other.kill('SIGKILL')
  }
})

test.each(['', 'garbage\n', '-1\n', '0\n', '99999999999999\n'])('a lock that holds %j is taken over', (text) => {
  writeFileSync(join(place, 'assay.lock'), text)
  holdFolder(place, say)()
  expect(said).toEqual([`took over the lock of ${place}: it names no process`])
})

describe('a lock that is no file of ours is one error, and does not hang', () => {
  const lock = () => join(place, 'assay.lock')
  const kinds: readonly (readonly [string, () => unknown])[] = [
    ['is a named pipe, not a lock', () => execFileSync('mkfifo', [lock()])],
    ['is a folder, not a lock', () => mkdirSync(lock())],
    ['is a symbolic link, not a lock', () => symlinkSync('/nowhere', lock())],
    ['is a socket, a pipe or a device, not a lock', () => execFileSync(process.execPath, ['-e', socketAt(lock())])],
    ['has 5000 bytes, but a lock has at most 4096', () => writeFileSync(lock(), 'x'.repeat(5000))],
  ]
  test.each(kinds)('%s', (words, make) => {
    make()
    expect(() => holdFolder(place, say)).toThrow(
      `${lock()} ${words}: remove it if no run uses ${place}, or name another folder with --out`,
    )
  })
})

/** Node removes the socket of a server that it closes, so the process ends without closing it. */
const socketAt = (file: string): string =>
  `require('node:net').createServer().listen(${JSON.stringify(file)}, () => process.reallyExit(0))`

test('removes the drafts of a killed process, and nothing else', () => {
  writeFileSync(join(place, 'result.json.0123456789ab.part'), '{')
  mkdirSync(join(place, '.allure-0123456789ab', 'results'), { recursive: true })
  for (const name of ['result.json', 'mine.part']) writeFileSync(join(place, name), '')
  holdFolder(place, say)()
  expect(readdirSync(place).sort()).toEqual(['mine.part', 'result.json'])
})
