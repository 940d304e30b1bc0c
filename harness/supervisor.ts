/** The process that a user starts for a command that judges. It starts a second process, which does the work, and itself
 * does nothing but keep the bounds on time: the thread of a process that is busy computing, or that waits for the
 * system, runs no timer and gets no signal. */
import { spawn } from 'node:child_process'
import { exitCodes } from './vocabulary/words.ts'
import { boundMs } from './wire/bounds.ts'

/** The first argument of the second process. */
const supervisedMark = '--supervised'

/** What the second process sends: how long it means to judge, and what the user can do if it does not end by itself. */
export interface TimeBound {
  /** Undefined once it has judged. */
  readonly seconds: number | undefined
  readonly hints: readonly string[]
}

/** What the second process sends at its end. It may not be able to end by itself, because Node waits for its threads. */
export interface Settled {
  readonly code: number
}

/** What the second process gets for an interrupt. */
export const stopMessage = 'stop'

/** The part of a child process that is used. */
export interface Worker {
  readonly connected: boolean
  send(message: string): unknown
  kill(signal: 'SIGKILL'): unknown
  on(event: 'message', listener: (message: unknown) => void): unknown
  on(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
}

export interface Surroundings {
  on(signal: NodeJS.Signals, listener: () => void): unknown
  say(line: string): void
}

/** A closed terminal sends SIGHUP, and so does a lost ssh connection. */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Starts the command line once more, in a process of its own, and ends this one with its exit code. */
export async function superviseCommand(
  entry: string,
  args: readonly string[],
  nodeFlags: readonly string[],
): Promise<void> {
  const worker = spawn(process.execPath, [...process.execArgv, ...nodeFlags, entry, supervisedMark, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  // The terminal may be gone.
  process.stderr.on('error', () => {})
  process.exit(
    await supervise(worker, {
      on: (signal, listener) => process.on(signal, listener),
      say: (line) => process.stderr.write(`assay: ${line}\n`),
    }),
  )
}

/** Returns the exit code, once the worker has ended. The first signal asks it to clean up and to report, and a second one
 * ends it. */
export function supervise(worker: Worker, surroundings: Surroundings): Promise<number> {
  let bound: TimeBound = { seconds: undefined, hints: [] }
  let timer: NodeJS.Timeout | undefined
  let isInterrupted = false
  let forcedCode: number | undefined
  let settled: Settled | undefined
  const end = (code: number) => {
    forcedCode ??= code
    worker.kill('SIGKILL')
  }
  const endAfter = (ms: number, code: number) => {
    clearTimeout(timer)
    timer = setTimeout(end, ms, code)
  }
  const interrupt = () => {
    if (isInterrupted) return end(exitCodes.interrupted)
    isInterrupted = true
    if (worker.connected) worker.send(stopMessage)
    endAfter(boundMs('interrupt'), exitCodes.interrupted)
  }
  for (const signal of stopSignals) surroundings.on(signal, interrupt)
  worker.on('message', (message) => {
    const sent = message as TimeBound | Settled
    if ('code' in sent) {
      settled = sent
      endAfter(boundMs('ending'), sent.code)
      return
    }
    bound = sent
    if (isInterrupted) return
    clearTimeout(timer)
    if (bound.seconds !== undefined) endAfter(bound.seconds * 1000 + boundMs('interrupt'), exitCodes.incomplete)
  })
  return new Promise((resolve) => {
    worker.on('error', (error) => {
      surroundings.say(`the process that judges cannot be started (${(error as NodeJS.ErrnoException).code})`)
      resolve(exitCodes.usage)
    })
    worker.on('exit', (code, signal) => {
      clearTimeout(timer)
      const exitCode = code ?? settled?.code
      if (exitCode !== undefined) return resolve(exitCode)
      surroundings.say(forcedCode === undefined ? `the process that judges was ended by ${signal}` : 'ended by force')
      for (const hint of bound.hints) surroundings.say(hint)
      resolve(forcedCode ?? codeOfSignal(signal))
    })
  })
}

/** A process that somebody ends is interrupted; one that the system ends, for instance because its memory is full, shows
 * a defect. */
const codeOfSignal = (signal: NodeJS.Signals | null): number =>
  ['SIGKILL', ...stopSignals].some((one) => one === signal) ? exitCodes.interrupted : exitCodes.defect
