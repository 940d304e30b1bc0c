import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { holdFolder, prepareFolder } from './output-folder.ts'

/** Of a folder and all below it. */
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

test('makes a folder with all above it, or takes one that is there', () => {
  prepareFolder(join(place, 'a/b/c'))
  prepareFolder(join(place, 'a/b/c'))
  expect(existsSync(join(place, 'a/b/c'))).toBe(true)
})

test('keeps others out of what it makes, and leaves the mode of a folder that is there', () => {
  mkdirSync(join(place, 'mine'), { mode: 0o755 })
  const release = holdFolder(join(place, 'mine', 'new'))
  expect(modes(join(place, 'mine'))).toEqual({ mine: '755', new: '700', 'assay.lock': '600' })
  release()
})

test('a lock that is not to be removed does not end a run', () => {
  const release = holdFolder(place)
  rmSync(join(place, 'assay.lock'))
  mkdirSync(join(place, 'assay.lock'))
  expect(release).not.toThrow()
})

test('refuses what cannot be a folder, in one sentence', () => {
  writeFileSync(join(place, 'file'), '')
  for (const folder of [join(place, 'file'), join(place, 'file/below'), '', ' '])
    expect(() => prepareFolder(folder)).toThrow(/^--out .*: name a folder of your own$/)
})

test.runIf(existsSync('/proc/self'))('comes back where nothing can be made', () => {
  expect(() => prepareFolder('/proc/assay')).toThrow(/cannot be written to/)
})

test('is held by one at a time; the lock of a dead process is taken over', async () => {
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

test.runIf(existsSync('/proc/self/stat'))('a killed process whose parent never asks for it is dead, too', async () => {
  const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] })
  const gone = new Promise((resolve) => parent.on('exit', resolve))
  const [line] = await once(parent.stdout, 'data')
  const pid = Number(line)
  try {
    writeFileSync(join(place, 'assay.lock'), `${pid}\n`)
    expect(() => holdFolder(place)).toThrow(`(process ${pid})`)
    // Until it is a sleep itself, the shell asks for its children.
    await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n')
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(' Z ')
    holdFolder(place)()
    expect(readdirSync(place)).toEqual([])
  } finally {
    parent.kill('SIGKILL')
    await gone
  }
})

test('loses the drafts of a killed writer, and nothing else', () => {
  writeFileSync(join(place, 'result.json.0123456789ab.part'), '{')
  mkdirSync(join(place, '.allure-0123456789ab', 'results'), { recursive: true })
  for (const name of ['result.json', 'mine.part']) writeFileSync(join(place, name), '')
  holdFolder(place)()
  expect(readdirSync(place).sort()).toEqual(['mine.part', 'result.json'])
})
