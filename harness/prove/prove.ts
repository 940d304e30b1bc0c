/** All parts of the proof for all areas, one after the other, and what became of them in one table. */
import { columns, counted } from '../commands/wording.ts'
import type { Area } from '../vocabulary/index.ts'
import type { Outcome, Part, PartName, Say } from './parts.ts'

export interface Proven extends Outcome {
  readonly area: Area
  readonly part: PartName
  readonly seconds: number
}

interface Order {
  readonly areas: readonly Area[]
  readonly parts: readonly (readonly [PartName, Part])[]
  /** Aborted where the whole takes too long, or is interrupted. */
  readonly signal: AbortSignal
  readonly onProgress: Say
  readonly onProven: (proven: Proven) => void
}

const cutShort = (counts: string): Outcome => ({ counts, isClean: false, lines: [] })

export async function proveAll({ areas, parts, signal, onProgress, onProven }: Order): Promise<readonly Proven[]> {
  const proven: Proven[] = []
  for (const area of areas)
    for (const [part, run] of parts) {
      const started = performance.now()
      const outcome = signal.aborted
        ? cutShort('not begun')
        : await run(area, signal, (text) => onProgress(`${area}, ${part}: ${text}`)).catch((error: unknown) =>
            cutShort(`broke: ${error instanceof Error ? error.message : String(error)}`),
          )
      const isCut = signal.aborted && outcome.counts !== 'not begun'
      const one: Proven = {
        ...(isCut ? cutShort(`cut short: ${outcome.counts}`) : outcome),
        ...{ area, part, seconds: (performance.now() - started) / 1000 },
      }
      proven.push(one)
      onProven(one)
    }
  return proven
}

const stateOf = ({ isClean }: Proven): string => (isClean ? 'ok' : 'NOT OK')

export function summaryOf(proven: readonly Proven[]): readonly string[] {
  const bad = proven.filter(({ isClean }) => !isClean)
  const seconds = proven.reduce((sum, one) => sum + one.seconds, 0)
  const rows = proven.map((one) => [one.area, one.part, stateOf(one), `${one.seconds.toFixed(0)} s`, one.counts])
  return [
    ...columns([['area', 'part', '', 'time', 'counts'], ...rows]),
    '',
    `${counted(proven.length, 'part')} in ${seconds.toFixed(0)} s; ${bad.length} not ok${bad.length === 0 ? '' : `: ${bad.map(({ area, part }) => `${area} ${part}`).join(', ')}`}`,
  ]
}

/** Nothing that was proven is no proof. */
export const exitCodeOf = (proven: readonly Proven[]): number =>
  proven.length > 0 && proven.every(({ isClean }) => isClean) ? 0 : 1
