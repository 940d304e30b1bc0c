/** Proves parts in a thread of its own, so that several are proven side by side. */
import type { Worker } from 'node:worker_threads'
import type { FromWorker, ToWorker } from './messages.ts'
import type { Outcome } from './parts.ts'
import type { Run } from './prove.ts'

export interface Lane {
  /** One part at a time. Rejects where the part does, or where its thread ends. */
  readonly run: Run
  close(): Promise<void>
}

export function openLane(start: () => Worker): Lane {
  let worker: Worker | undefined
  return {
    run(job, signal, say) {
      // What broke one thread is not held against the next part.
      const own = worker ?? start()
      worker = own
      const tell = (message: ToWorker): void => own.postMessage(message)
      const stop = (): void => tell('stop')
      const ended = new AbortController()
      return new Promise<Outcome>((resolve, reject) => {
        const broken = (why: string): void => {
          worker = undefined
          reject(new Error(why))
        }
        const once = { signal: ended.signal }
        signal.addEventListener('abort', stop, once)
        own.on('message', heard)
        own.on('error', failed)
        own.on('exit', exited)
        ended.signal.addEventListener('abort', () => {
          own.off('message', heard)
          own.off('error', failed)
          own.off('exit', exited)
        })
        function heard(message: FromWorker): void {
          if ('said' in message) say(message.said)
          else if ('outcome' in message) resolve(message.outcome)
          else reject(new Error(message.broke))
        }
        function failed(error: unknown): void {
          broken(error instanceof Error ? error.message : String(error))
        }
        function exited(code: number): void {
          broken(`its thread ended with ${code}`)
        }
        tell(job)
      }).finally(() => ended.abort())
    },
    async close() {
      await worker?.terminate()
    },
  }
}
