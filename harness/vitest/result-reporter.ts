import type { Reporter, TestCase, TestModule } from 'vitest/node'
import type { Measured } from '../run/timings.ts'
import type { Change } from '../safety/journal-lines.ts'
import type { AdaptiveJobs } from '../way/adaptive-jobs.ts'
// This import declares the members of a test's `meta`.
import type {} from './topic-runner.ts'

/** Collects what the topic runner stored in each test's `meta`. */
export class ResultReporter implements Reporter {
  /** Addresses of the checks that were judged. Their results arrive on another way. */
  readonly judged = new Set<string>()
  readonly unsaved: Change[] = []
  readonly unhandled: string[] = []
  readonly measured: Measured[] = []
  adapted: AdaptiveJobs['bounds'] | undefined
  /** Files that were run, also those without results. */
  readonly files = new Set<string>()

  onTestCaseResult(testCase: TestCase): void {
    const { judged, unsaved = [], adapted, measured = [] } = testCase.meta()
    this.measured.push(...measured)
    // The latest bounds include all earlier ones of the thread.
    this.adapted = adapted ?? this.adapted
    this.unsaved.push(...unsaved)
    for (const error of testCase.result().errors ?? []) this.unhandled.push(`${testCase.fullName}: ${error.message}`)
    if (judged !== undefined) this.judged.add(judged)
  }

  onTestModuleEnd(module: TestModule): void {
    this.files.add(module.moduleId)
    for (const error of module.errors()) this.unhandled.push(`${module.relativeModuleId}: ${error.message}`)
  }

  onTestRunEnd(_modules: readonly TestModule[], errors: readonly { message: string }[]): void {
    for (const error of errors) this.unhandled.push(error.message)
  }
}
