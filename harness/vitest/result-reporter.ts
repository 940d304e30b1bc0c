import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import type { Redactor } from '../redaction/redaction.ts'
import type { Measured } from '../run/timings.ts'
import type { Change } from '../safety/journal-lines.ts'
import type { CheckResult } from '../vocabulary/index.ts'
import type { AdaptiveJobs } from '../way/adaptive-jobs.ts'
// This import declares the members of a test's `meta`.
import type {} from './topic-runner.ts'
import type { JudgedCheck } from './worker-plan.ts'

/** The bytes of most results, compressed. */
const chunkSize = 4096

/** Collects what the topic runner stored in each test's `meta`. */
export class ResultReporter implements Reporter {
  /** Results as compressed JSON, by the address of the check. Exchanges repeat each other, so that a fifth of the text is
   * left, which is not in the heap. */
  readonly #texts = new Map<string, Uint8Array>()
  readonly unsaved: Change[] = []
  readonly unhandled: string[] = []
  readonly measured: Measured[] = []
  adapted: AdaptiveJobs['bounds'] | undefined
  /** Files that were run, also those without results. */
  readonly files = new Set<string>()
  #first = Number.POSITIVE_INFINITY
  #last = 0
  readonly #redactor: Redactor
  readonly #onJudged: ((judged: JudgedCheck) => void) | undefined

  constructor(redactor: Redactor, onJudged?: (judged: JudgedCheck) => void) {
    this.#redactor = redactor
    this.#onJudged = onJudged
  }

  onTestCaseResult(testCase: TestCase): void {
    const meta = testCase.meta()
    const { result: text, judged, secrets = [], unsaved = [], adapted, measured = [] } = meta
    // The text is deleted because vitest would keep it in memory until the end of the run.
    delete meta.result
    this.measured.push(...measured)
    // The latest bounds include all earlier ones of the thread.
    this.adapted = adapted ?? this.adapted
    // The redactor learns secrets while the workers judge, so that the reports do not have to wait for it.
    this.#redactor.admit(secrets)
    this.unsaved.push(...unsaved)
    for (const error of testCase.result().errors ?? []) this.unhandled.push(`${testCase.fullName}: ${error.message}`)
    if (text === undefined || !judged) return
    const started = Date.parse(judged.startedAt)
    this.#first = Math.min(this.#first, started)
    this.#last = Math.max(this.#last, started + judged.durationMs)
    // What the compressor returns holds 64 KiB or a slab of many buffers in memory. The copy holds only itself.
    this.#texts.set(judged.id, new Uint8Array(zstdCompressSync(text, { chunkSize })))
    this.#onJudged?.(judged)
  }

  onTestModuleEnd(module: TestModule): void {
    this.files.add(module.moduleId)
    for (const error of module.errors()) this.unhandled.push(`${module.relativeModuleId}: ${error.message}`)
  }

  onTestRunEnd(_modules: readonly TestModule[], errors: readonly { message: string }[]): void {
    for (const error of errors) this.unhandled.push(error.message)
  }

  /** Addresses of the checks that have a result. */
  get judged(): ReadonlySet<string> {
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
