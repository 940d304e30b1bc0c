/** Runs `work` after all earlier work of the same name has ended, whether that succeeded or failed. */
export type Turns = <T>(name: string, work: () => Promise<T>) => Promise<T>

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>()
  return (name, work) => {
    const turn = (last.get(name) ?? Promise.resolve()).then(work, work)
    last.set(name, turn)
    const over = (): void => {
      if (last.get(name) === turn) last.delete(name)
    }
    turn.then(over, over)
    return turn
  }
}
