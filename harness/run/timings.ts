/** This measures how long the parts of a run take, by `performance.measure`, whose entries profilers show, too. Nothing is
 * measured unless a run asks for it. */
import type { Timing } from '../vocabulary/index.ts'

/** The names of our entries begin with this, and those of libraries do not. */
const own = 'assay: '

/** A part of a run is placed on the clock of all threads: `startedAt` is in milliseconds since 1970. */
export interface Measured {
  readonly name: string
  readonly startedAt: number
  readonly durationMs: number
}

/** Measures from `start`, as `performance.now()` gave it, to now. */
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

/** Measures each attempt of a request. `sentAt` is in milliseconds since 1970. */
export function measureAttempts(name: string, attempts: readonly { sentAt: number; durationMs: number }[]): void {
  for (const { sentAt, durationMs } of attempts)
    performance.measure(own + name, { start: sentAt - performance.timeOrigin, duration: durationMs })
}

/** Gives away what this thread has measured since it was last asked. */
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

/** Returns them in the order in which they began. */
export const timingsOf = (measured: readonly Measured[], runStartedAt: number): readonly Timing[] =>
  measured
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .map(({ name, startedAt, durationMs }) => ({
      name,
      startMs: toMicroseconds(startedAt - runStartedAt),
      durationMs: toMicroseconds(durationMs),
    }))
