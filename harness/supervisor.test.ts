import { spawnSync } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stopSignals, supervise, type Worker } from './supervisor.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function supervised() {
  const events = new EventEmitter()
  const signals = new EventEmitter()
  const [sent, said]: [unknown[], string[]] = [[], []]
  const worker: Worker = Object.assign(events, {
    connected: true,
    send: (message: string) => sent.push(message),
    kill: () => events.emit('exit', null, 'SIGKILL'),
  })
  const code = supervise(worker, {
    on: (signal, listener) => signals.on(signal, listener),
    say: (line) => said.push(line),
  })
  return { events, signals, sent, said, code }
}

test('the exit code is that of the process that judges', async () => {
  const { events, said, code } = supervised()
  events.emit('exit', 4, null)
  expect([await code, said]).toEqual([4, []])
})

test('a signal is passed on once, and a second one ends the process', async () => {
  const { signals, sent, code } = supervised()
  signals.emit('SIGHUP')
  expect(sent).toEqual(['stop'])
  signals.emit('SIGINT')
  expect([await code, sent]).toEqual([130, ['stop']])
})

test.each(stopSignals)(
  'a process that %s interrupts has its time also if it had announced a shorter or a longer one',
  async (signal) => {
    for (const seconds of [1, 1000]) {
      const { events, signals, code } = supervised()
      events.emit('message', { seconds, hints: ['see there'] })
      signals.emit(signal)
      events.emit('message', { seconds, hints: [] })
      await vi.advanceTimersByTimeAsync(17_999)
      expect(vi.getTimerCount()).toBe(1)
      await vi.advanceTimersByTimeAsync(1)
      expect(await code).toBe(130)
    }
  },
)

test('a process that has announced its time ends after it, and the user reads what to do', async () => {
  const { events, said, code } = supervised()
  events.emit('message', { seconds: 60, hints: ['see there'] })
  await vi.advanceTimersByTimeAsync(78_000)
  expect([await code, said]).toEqual([3, ['ended by force', 'see there']])
})

test('a process that has judged in time may go on', async () => {
  const { events, code } = supervised()
  events.emit('message', { seconds: 60, hints: [] })
  events.emit('message', { seconds: undefined, hints: [] })
  await vi.advanceTimersByTimeAsync(600_000)
  events.emit('exit', 0, null)
  expect(await code).toBe(0)
})

test('a process that has written everything keeps its exit code although it cannot end', async () => {
  const { events, said, code } = supervised()
  events.emit('message', { code: 1 })
  await vi.advanceTimersByTimeAsync(3000)
  expect([await code, said]).toEqual([1, []])
})

test.each([
  ['SIGKILL', 130],
  ['SIGABRT', 6],
] as const)('a process that %s ends has the exit code %d', async (signal, expected) => {
  const { events, said, code } = supervised()
  events.emit('message', { seconds: 60, hints: ['see there'] })
  events.emit('exit', null, signal)
  expect([await code, said]).toEqual([expected, [`the process that judges was ended by ${signal}`, 'see there']])
})

test('a process that cannot be started is one error', async () => {
  const { events, said, code } = supervised()
  events.emit('error', Object.assign(new Error('spawn'), { code: 'EAGAIN' }))
  expect([await code, said]).toEqual([2, ['the process that judges cannot be started (EAGAIN)']])
})

test('the process that judges begins with areas for young objects that are neither tiny nor large', () => {
  const tells = `import { getHeapSpaceStatistics } from 'node:v8'
    const size = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size
    if (process.argv.includes('--supervised')) process.on('exit', () => console.log(size()))`
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      `--import=data:text/javascript,${encodeURIComponent(tells)}`,
      fileURLToPath(new URL('./assay.js', import.meta.url)),
      ...['run', 'http://127.0.0.1:1', '--check', 'policies/errors/*'],
    ],
    { env: { ...process.env, ASSAY_TOKEN: 'unused' }, encoding: 'utf8' },
  )
  const mebibytes = Number(stdout) / 2 ** 20
  expect(status).toBe(5)
  expect(mebibytes).toBeGreaterThanOrEqual(4)
  expect(mebibytes).toBeLessThanOrEqual(16)
})
