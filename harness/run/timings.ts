/** Measures the parts of a run by `performance.measure`, whose entries profilers also show. Nothing is measured unless
 * the run asks for it. */
import type { Timing } from '../vocabulary/index.ts'

/** The prefix of our entries, which distinguishes them from those of libraries. */
const own = 'assay: '

/** A measured part of a run. `startedAt` is in milliseconds since the epoch, so that the entries of all threads are
 * comparable. */
export interface Measured {
  readonly name: string
  readonly startedAt: number
  readonly durationMs: number
}

/** Measures from `start`, a value of `performance.now()`, to now. */
export function measure(isAsked: boolean | undefined, name: string, start: number): void {
  if (isAsked) performance.measure(own + name, { start })
}

export async function timed<T>(isAsked: boolean | undefined, name: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  try {
    return await work()
  } finally {
    measure(isAsked, name, start)
  }
}

/** Measures each attempt of a request. `sentAt` is in milliseconds since the epoch. */
export function measureAttempts(name: string, attempts: readonly { sentAt: number; durationMs: number }[]): void {
  for (const { sentAt, durationMs } of attempts)
    performance.measure(own + name, { start: sentAt - performance.timeOrigin, duration: durationMs })
}

/** Returns what this thread has measured since the last call, and forgets it. */
export function drainMeasured(): readonly Measured[] {
  const entries = performance.getEntriesByType('measure').filter(({ name }) => name.startsWith(own))
  for (const name of new Set(entries.map((entry) => entry.name))) performance.clearMeasures(name)
  return entries.map(({ name, startTime, duration }) => ({
    name: name.slice(own.length),
    startedAt: performance.timeOrigin + startTime,
    durationMs: duration,
  }))
}

const toMicroseconds = (ms: number): number => Math.round(ms * 1000) / 1000

/** Returns the timings in the order in which they began, relative to the start of the run. */
export const timingsOf = (measured: readonly Measured[], runStartedAt: number): readonly Timing[] =>
  measured
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .map(({ name, startedAt, durationMs }) => ({
      name,
      startMs: toMicroseconds(startedAt - runStartedAt),
      durationMs: toMicroseconds(durationMs),
    }))
