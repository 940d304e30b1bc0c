import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { type Recorder, recordedOf, type Unrecorded } from '../run/check-result.ts'
import type { CheckResult } from '../vocabulary/index.ts'
import { sweepEarlyInLongRun } from './sweeping.ts'
import type { WorkerMessage } from './worker-plan.ts'

/** The bytes of most results, compressed. */
const chunkSize = 4096

/** Records what the worker has judged, and keeps the results. */
export class JudgedResults {
  /** Results as compressed JSON, by the address of the check. Exchanges repeat each other, so that a fifth of the text is
   * left, which is not in the heap. */
  readonly #texts = new Map<string, Uint8Array>()
  #first = Number.POSITIVE_INFINITY
  #last = 0
  readonly #recorder: Recorder

  constructor(recorder: Recorder) {
    this.#recorder = recorder
  }

  /** Returns the result, redacted with all secrets known by now, and its JSON. */
  record({ judged, secrets }: Extract<WorkerMessage, { event: 'judged' }>): { result: CheckResult; json: string } {
    sweepEarlyInLongRun(judged.length)
    this.#recorder.redactor.admit(secrets)
    const result = recordedOf(JSON.parse(judged) as Unrecorded, this.#recorder)
    const started = Date.parse(result.startedAt)
    this.#first = Math.min(this.#first, started)
    this.#last = Math.max(this.#last, started + result.durationMs)
    const json = JSON.stringify(result)
    // What the compressor returns holds 64 KiB or a slab of many buffers in memory. The copy holds only itself.
    this.#texts.set(result.id, new Uint8Array(zstdCompressSync(json, { chunkSize })))
    return { result, json }
  }

  /** Addresses of the checks that have a result. */
  get ids(): ReadonlySet<string> {
    return new Set(this.#texts.keys())
  }

  /** Yields the results in the given order and forgets them, so that no result is in memory twice. */
  *take(order: readonly string[]): Generator<CheckResult> {
    for (const id of order) {
      const text = this.#texts.get(id)
      this.#texts.delete(id)
      if (text !== undefined) yield JSON.parse(zstdDecompressSync(text).toString()) as CheckResult
    }
  }

  get judgingMs(): number {
    return Math.max(0, this.#last - this.#first)
  }
}
