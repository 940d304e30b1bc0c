/** Writes the whole state of a file with changes into another file, in a thread of its own: the server answers meanwhile,
 * however large the state is. */
import { closeSync, fsyncSync, openSync, readSync, writeFileSync } from 'node:fs'
import { extname } from 'node:path'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { snapshotOf, stateIn } from './state-file.ts'

interface Order {
  readonly from: string
  /** The bytes of the file that are read. It may grow meanwhile. */
  readonly size: number
  readonly to: string
}

export interface Rewritten {
  readonly size: number
  /** The sum of its only line. */
  readonly sum: string
}

/** Rejects if the file to write exists, because another process may have made a file or a link of that name. */
export function rewriteState(order: Order): Promise<Rewritten> {
  const { promise, resolve, reject } = Promise.withResolvers<Rewritten>()
  const script = new URL(`./rewrite-state${extname(import.meta.url)}`, import.meta.url)
  new Worker(script, { workerData: { rewriteState: order }, execArgv: [] })
    .once('message', resolve)
    .once('error', reject)
    .once('exit', (code) => reject(new Error(`the thread that writes it ended with ${code}`)))
  return promise
}

function rewrite({ from, size, to }: Order): Rewritten {
  const bytes = Buffer.alloc(size)
  const source = openSync(from, 'r')
  for (let at = 0; at < size; ) {
    const count = readSync(source, bytes, at, size - at, at)
    if (count === 0) throw new Error('it has become shorter')
    at += count
  }
  closeSync(source)
  const { text, sum } = snapshotOf(stateIn(from, bytes).state)
  const target = openSync(to, 'wx', 0o600)
  writeFileSync(target, text)
  fsyncSync(target)
  closeSync(target)
  return { size: Buffer.byteLength(text), sum }
}

const { rewriteState: order } = (workerData ?? {}) as { readonly rewriteState?: Order }
if (!isMainThread && order) parentPort?.postMessage(rewrite(order))
