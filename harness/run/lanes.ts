/** Processes items, at most `lanes` at once, until the signal aborts. */
export async function inLanes<T>(
  items: readonly T[],
  lanes: number,
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let at = 0
  const lane = async (): Promise<void> => {
    while (at < items.length && !signal.aborted) {
      const item = items[at++]
      if (item !== undefined) await work(item)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}
