import { defineConfig } from 'vitest/config'
import type { Reporter } from 'vitest/node'
import { environmentOf, limits, measuredSlowness } from './harness/patience.test-bed.ts'

/** Ends every run with one plain line that any tool can read. */
const counts: Reporter = {
  onTestRunEnd(modules, errors) {
    const tally = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) tally[test.result().state]++
      // A hook that fails leaves no failed test behind.
      const suites = [module, ...module.children.allSuites()]
      tally.failed += suites.filter((suite) => suite.errors().length > 0).length
    }
    process.stdout.write(
      `\n${tally.passed} passed, ${tally.failed + errors.length} failed, ${tally.skipped + tally.pending} skipped\n`,
    )
  },
}

const slowness = measuredSlowness()
const { test, poll } = limits(slowness)

export default defineConfig({
  test: {
    include: ['{harness,suites,fixtures,mock-server,reports}/**/*.test.ts'],
    // Worker threads crash now and then: one V8 heap per process survives a suite of this size (vitest-dev/vitest#11291).
    pool: 'forks',
    isolate: false,
    // All files of a process share a heap, which would grow to twice what is used before it is collected.
    execArgv: ['--max-semi-space-size=8', '--heap-growing-percent=30'],
    maxWorkers: 2,
    maxConcurrency: 3,
    testTimeout: test,
    hookTimeout: test,
    expect: { poll: { timeout: poll } },
    env: environmentOf(slowness),
    reporters: ['default', counts],
  },
})
