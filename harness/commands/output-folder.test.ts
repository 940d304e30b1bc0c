import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { holdFolder, prepareFolder } from './output-folder.ts'

/** Returns the file modes of a folder and of everything below it. */
const modes = (folder: string): Record<string, string> =>
  Object.fromEntries(
    [folder, ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))].map(
      (file) => [basename(file), (statSync(file).mode & 0o777).toString(8)],
    ),
  )

let place: string
beforeEach(() => {
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
  const release = holdFolder(join(place, 'mine', 'new'))
  expect(modes(join(place, 'mine'))).toEqual({ mine: '755', new: '700', 'assay.lock': '600' })
  release()
})

test('a lock that cannot be removed does not end a run', () => {
  const release = holdFolder(place)
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
  expect(() => holdFolder(place)).toThrow(
    `--out ${place} is in use by another run (process ${other.pid}): name another folder, or wait until that run ends`,
  )
  other.kill('SIGKILL')
  await gone
  const release = holdFolder(place)
  expect(readFileSync(file, 'utf8')).toBe(`${process.pid}\n`)
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
      expect(() => holdFolder(place)).toThrow(`(process ${pid})`)
      // The shell waits for its children until it has become a sleep itself.
      await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n')
      process.kill(pid, 'SIGKILL')
      await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(' Z ')
      holdFolder(place)()
      expect(readdirSync(place)).toEqual([])
    } finally {
      parent.kill('SIGKILL')
      await gone
    }
  },
)

test('removes the drafts of a killed process, and nothing else', () => {
  writeFileSync(join(place, 'result.json.0123456789ab.part'), '{')
  mkdirSync(join(place, '.allure-0123456789ab', 'results'), { recursive: true })
  for (const name of ['result.json', 'mine.part']) writeFileSync(join(place, name), '')
  holdFolder(place)()
  expect(readdirSync(place).sort()).toEqual(['mine.part', 'result.json'])
})
