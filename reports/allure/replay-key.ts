import type { Replayed } from './replayed.ts'

export const replayKey = 'assayReplay'

declare module 'vitest' {
  interface ProvidedContext {
    [replayKey]: readonly Replayed[]
  }
}
