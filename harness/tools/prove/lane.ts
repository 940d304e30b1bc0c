/** A lane proves parts in its own thread, so that several lanes prove parts side by side. */
import type { Worker } from 'node:worker_threads'
import type { FromWorker, ToWorker } from './messages.ts'
import type { Outcome } from './parts.ts'
import type { Run } from './prove.ts'

export interface Lane {
  /** Proves one part at a time. Rejects if the part rejects or its thread ends. */
  readonly run: Run
  close(): Promise<void>
}

export function openLane(start: () => Worker): Lane {
  let worker: Worker | undefined
  return {
    run(job, signal, say) {
      // If the thread ended during an earlier part, the next part gets a new one.
      const own = worker ?? start()
      worker = own
      const send = (message: ToWorker): void => own.postMessage(message)
      const stop = (): void => send('stop')
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
          broken(`its thread ended with exit code ${code}`)
        }
        send(job)
      }).finally(() => ended.abort())
    },
    async close() {
      await worker?.terminate()
    },
  }
}
