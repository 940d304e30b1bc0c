import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { blocksOf, pageAt, pages } from '../../pages.test-bed.ts'
import { coverageIn, record } from './coverage.ts'
import { benchCommand } from './flags.ts'
import { parts } from './parts.ts'
import { cpuOf, memoryOf, peaksOf } from './process.ts'
import { keep, known, tableIn, withRows } from './record.ts'
import { columns, isMet, joined, printed, type Row } from './table.ts'

const page = pageAt('harness/tools/bench/README.md')
const row = (ratio: number, what = known[0] ?? ''): Row => ({
  ...{ what, ours: `${ratio} s`, peer: '1 s', ratio },
  bound: { kind: 'at-most', value: 1 },
})

describe('the page', () => {
  test('has only rows that the benchmark prints, in the same order', () => {
    const described = tableIn(page.text).map(([what]) => what ?? '')
    expect(described).toEqual(known.filter((what) => described.includes(what)))
    for (const names of [known, parts.map(({ name }) => name)]) expect(new Set(names).size).toBe(names.length)
  })

  test('has valid commands, and so have all other pages', () => {
    const commands = pages.flatMap(({ text }) => [...text.matchAll(/`npm run bench(?: -- ([^`]*))?`/g)])
    expect(commands.length).toBeGreaterThan(4)
    for (const [, flags = ''] of commands)
      benchCommand().exitOverride().parse(flags.split(' ').filter(Boolean), { from: 'user' })
    expect(pages.flatMap((one) => blocksOf(one, 'sh')).filter((block) => block.includes('run bench'))).toEqual([])
  })

  test('gets new rows in the order of the benchmark, and keeps rows that were not measured', () => {
    const [first = '', second = ''] = known
    const empty = withRows(page.text, [], 'now').replace(/\| .*\n/g, '')
    const one = withRows(empty, [row(2, second), { ...row(0, 'no such row') }], 'then')
    expect(tableIn(one)).toEqual([[second, '2 s', '1 s', '2.00', '≤ 1', 'NO', 'then']])
    const both = withRows(one, [row(0.5, first), { ...row(1, second), ratio: undefined }], 'now')
    expect(tableIn(both).map((cells) => [cells[0], cells.at(-1)])).toEqual([
      [first, 'now'],
      [second, 'then'],
    ])
    expect(both.slice(0, 100)).toBe(page.text.slice(0, 100))
  })
})

describe('rows', () => {
  test('of several runs show the median, and how often the bound was met', () => {
    const [one] = joined([[row(0.9)], [row(1.2)], [row(0.8)]])
    expect(one).toMatchObject({ ratio: 0.9, times: { met: 2, of: 3 } })
    expect(one && isMet(one)).toBe(false)
    expect(printed(one ? [one] : [])).toContain('2 of 3 times')
    expect(joined([[row(0.9)]])).toEqual([row(0.9)])
    expect(columns).toHaveLength(6)
  })

  test('that could not be measured do not count as met', () => {
    const missing: Row = { ...row(1), ratio: undefined, note: 'no browser' }
    const [one] = joined([[row(0.9)], [missing], [row(0.8)]])
    expect(one).toMatchObject({ ratio: 0.9, times: { met: 2, of: 3 } })
    expect(printed([missing])).toContain('no browser')
  })
})

test('rows are stored with commit and machine, in a folder in a file named after the commit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-rows-'))
  try {
    const file = keep([row(2)], folder)
    const kept = JSON.parse(readFileSync(file, 'utf8'))
    expect(kept).toMatchObject({ node: process.versions.node, rows: [{ ...row(2), isMet: false }] })
    expect(kept.cores).toBeGreaterThan(0)
    expect(Date.parse(kept.date)).not.toBeNaN()
    expect(file).toBe(join(folder, `${kept.commit}.json`))
    expect(keep([], join(folder, 'of/today.json'))).toBe(join(folder, 'of/today.json'))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('coverage counts lines of code, and names those that ran in no process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-coverage-'))
  try {
    const file = join(folder, 'source.ts')
    const source = `interface Unused {
  readonly a: string
}
/** A comment. */
const double = (one: number): number =>
  one * 2
export function sized(one: number): string {
  if (one > 9)
    return 'large'
  return 'small'
}
console.log(sized(Number(process.argv[2])))
if (process.argv[2] === '0') double(
  1,
)
`
    writeFileSync(file, source)
    const missed = async (...values: readonly string[]) => {
      const recorded = join(folder, values.join('-'))
      for (const value of values) await record([file, value], recorded)
      return coverageIn(recorded, [file]).get(file)
    }
    expect(await missed('1')).toEqual({ lines: 9, missed: [6, 9, 14] })
    expect(await missed('1', '10')).toEqual({ lines: 9, missed: [6, 14] })
    expect(await missed('0')).toEqual({ lines: 9, missed: [9] })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

describe.skipIf(process.platform !== 'linux')('child processes of the benchmark', () => {
  const script = (end: string): string => `
import { spawn } from 'node:child_process'
import { endChildrenWithThis } from ${JSON.stringify(join(import.meta.dirname, 'guard.ts'))}
endChildrenWithThis()
const child = spawn('sh', ['-c', 'sleep 600 & echo $$ $!; wait'], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
child.stdout.on('data', (chunk) => { process.stdout.write(chunk); ${end} })`

  const start = (end = ''): ChildProcess =>
    spawn(process.execPath, ['--input-type=module', '-e', script(end)], { stdio: ['ignore', 'pipe', 'ignore'] })

  /** An ended process stays in `/proc` as a zombie until its parent has collected it. */
  const isRunning = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] !== 'Z'
    } catch {
      return false
    }
  }

  const ways: Readonly<Record<string, (parent: ChildProcess) => void>> = {
    SIGINT: (parent) => parent.kill('SIGINT'),
    SIGTERM: (parent) => parent.kill('SIGTERM'),
    SIGKILL: (parent) => parent.kill('SIGKILL'),
    'an exception': () => {},
    'an exit': () => {},
  }
  const ends: Readonly<Record<string, string>> = { 'an exception': 'throw new Error()', 'an exit': 'process.exit(0)' }

  test.concurrent.each(Object.keys(ways))('end with it: %s', async (way) => {
    const parent = start(ends[way])
    // A parent that ends by itself may end before its output arrives, so the test listens for the end first.
    const ended = once(parent, 'exit')
    const [chunk] = (await once(parent.stdout ?? parent, 'data')) as [Buffer]
    const pids = chunk.toString().trim().split(' ')
    expect(pids).toHaveLength(2)
    ways[way]?.(parent)
    await ended
    while (pids.some(isRunning)) await new Promise((resolve) => setTimeout(resolve, 5))
  })

  test('are measured with the processes that they start', async () => {
    const busy =
      'const memory = Buffer.alloc(9e7, 1); while (process.cpuUsage().user < 200_000); console.log(memory.length)'
    const idle = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(`${busy}; setInterval(() => {}, 1000)`)}], { stdio: 'inherit' })`
    const parent = spawn(process.execPath, ['-e', idle], { stdio: ['ignore', 'pipe', 'inherit'], detached: true })
    try {
      await once(parent.stdout, 'data')
      const pid = parent.pid ?? 0
      expect(cpuOf(pid)).toBeGreaterThan(150)
      expect(memoryOf(pid)).toBeGreaterThan(110)
      expect(peaksOf(pid)).toHaveLength(2)
    } finally {
      process.kill(-(parent.pid ?? 0), 'SIGKILL')
    }
  })
})
