/** Time as the harness spends it; tests inject one that does not wait. */
export interface Timer {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after `ms`, or at once when the signal aborts. Never rejects. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
}

export const realTimer: Timer = {
  now: () => Date.now(),
  wait: (ms, signal) =>
    new Promise((resolve) => {
      if (ms <= 0 || signal?.aborted) return resolve()
      const timeout = setTimeout(finish, ms)
      function finish() {
        clearTimeout(timeout)
        signal?.removeEventListener('abort', finish)
        resolve()
      }
      signal?.addEventListener('abort', finish, { once: true })
    }),
}
