import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startReference } from '../../targets/mock.ts'
import { UsageError } from '../../targets/usage-error.ts'
import type { Timer } from '../../wire/timer.ts'
import { startAssay } from '../child.test-bed.ts'
import { type Marks, watch } from './watching.ts'

/** A day in which each wait shows the next marks, and ends when there are none left. */
function day(seen: readonly Marks[], everySeconds?: number, judge: (count: number) => void = () => {}) {
  const stop = new AbortController()
  const said: string[] = []
  let [now, count] = [0, 0]
  const left = [...seen]
  const timer: Timer = {
    now: () => now,
    async wait(ms) {
      now += ms
      if (left.length === 0) stop.abort()
    },
  }
  const watched = {
    everySeconds,
    async judge() {
      judge(++count)
      return 0
    },
    marks: async () => left.shift() ?? {},
  }
  const ended = watch(watched, { signal: stop.signal, say: (line) => said.push(line) }, timer)
  return { said, ended, judged: () => count }
}
const version = (text: string | undefined): Marks => ({ 'the version of the target': text })

test('a target is judged again when its version changes, and not while it does not tell one', async () => {
  const seen = [version('1'), version('1'), version(undefined), version('1'), version('2'), version('2')]
  const { said, ended, judged } = day(seen)
  expect(await ended).toBe(130)
  expect(judged()).toBe(2)
  expect(said).toContain('judging again: the version of the target has changed')
})

test('a change while the target was judged counts, and so does a time', async () => {
  const { said, ended, judged } = day([version('1'), version('1'), version('1'), version('1')], 60)
  await ended
  expect([judged(), said.filter((line) => line === 'judging again: 60 s are over').length]).toEqual([2, 1])
})

test('a later judgement that cannot begin is reported, and the first one ends the command', async () => {
  const refuse = (from: number) => (count: number) => {
    if (count >= from) throw new UsageError('the profile is not YAML')
  }
  const later = day([version('1'), version('2'), version('3')], undefined, refuse(2))
  expect(await later.ended).toBe(130)
  expect(later.said.filter((line) => line === 'assay: the profile is not YAML')).toHaveLength(2)
  await expect(day([version('1')], undefined, refuse(1)).ended).rejects.toThrow('the profile is not YAML')
})

test('as a process, it judges again and again, and an interrupt ends it with nothing left', async () => {
  const server = await startReference()
  const folder = mkdtempSync(join(tmpdir(), 'assay-watch-'))
  onTestFinished(async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  })
  const before = server.inventory()
  const out = join(folder, 'out')
  const check = 'policies/errors/acl-create-without-policy-is-refused'
  const args = ['run', server.url, '--check', check, '--watch', '1', '--format', 'openmetrics', '--out', out]
  const child = startAssay(args, { ASSAY_TOKEN: server.rootToken }, folder)
  const metrics = () => readFileSync(join(out, 'assay.prom'), 'utf8')
  await child.said('watching for changes; Ctrl-C ends')
  const first = metrics()
  await child.said('judging again: 1 s are over')
  await expect.poll(metrics).not.toBe(first)
  child.process.kill('SIGINT')
  const { code, out: said, err } = await child.ended
  expect({ code, err }).toMatchObject({ code: 130 })
  expect(said.split('conformant').length).toBeGreaterThan(2)
  expect(readdirSync(out).filter((file) => file.includes('journal'))).toEqual([])
  expect(existsSync(join(out, 'result.json'))).toBe(true)
  expect(server.inventory()).toEqual(before)
})
