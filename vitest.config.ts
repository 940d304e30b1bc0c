import { join, relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type Reporter, type TestModule, type TestSpecification } from 'vitest/node'
import { environmentOf, limits, measuredSlowness } from './harness/whole-runs/patience.test-bed.ts'

const most = 20

/** Returns the time of a file with its imports and hooks, in seconds. */
function secondsOf(module: TestModule): number {
  const { duration, collectDuration, setupDuration } = module.diagnostic()
  return (duration + collectDuration + setupDuration) / 1000
}

function lineOf(module: TestModule): string {
  const tests = [...module.children.allTests()].map((test) => ({ test, ms: test.diagnostic()?.duration ?? 0 }))
  const [slowest] = tests.toSorted((one, other) => other.ms - one.ms)
  const longest = slowest ? ` (${(slowest.ms / 1000).toFixed(1)} s: ${slowest.test.name})` : ''
  return `${secondsOf(module).toFixed(1).padStart(6)} s  ${module.relativeModuleId}${longest}\n`
}

/** Names the slowest files, each with its longest test, after a run of more files than that. */
const slowest: Reporter = {
  onTestRunEnd(modules) {
    if (modules.length <= most) return
    const sorted = modules.toSorted((one, other) => secondsOf(other) - secondsOf(one)).slice(0, most)
    process.stdout.write(`\nThe slowest files, each with its longest test:\n${sorted.map(lineOf).join('')}`)
  },
}

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

/** Files that judge many checks, start processes or open a browser; many of them are short. */
const long =
  /^harness\/((commands\/selftest|denials|faults|mutation|vitest|whole-runs)\/)?[^/]+$|^reports\/(allure\/|pages|render\/html\/page)/
const isLong = ({ moduleId }: TestSpecification): boolean => long.test(relative(import.meta.dirname, moduleId))

/** Begins with long files. vitest does so only where it has the times of an earlier run: otherwise it begins with large
 * files, and at the end all but one of the workers would wait for a long one. */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

const slowness = measuredSlowness()
/** What Node has compiled for earlier runs. */
const compiled = join(import.meta.dirname, 'node_modules/.cache/assay/compiled')
const { test, poll } = limits(slowness)

// Bodies that are larger than this are given back to the system once they are freed: glibc would keep them (mallopt(3)).
process.env.MALLOC_MMAP_THRESHOLD_ ??= '131072'
process.env.MALLOC_TRIM_THRESHOLD_ ??= '131072'
process.env.MALLOC_ARENA_MAX ??= '2'

export default defineConfig({
  test: {
    include: ['{harness,suites,fixtures,mock-server,reports}/**/*.test.ts'],
    // Worker threads crash now and then: one V8 heap per process survives a suite of this size (vitest-dev/vitest#11291).
    pool: 'forks',
    isolate: false,
    // All files of a process share a heap, which would grow to twice what is used before it is collected. It is collected
    // less often if most objects die young.
    execArgv: ['--max-semi-space-size=16', '--heap-growing-percent=30', '--expose-gc'],
    setupFiles: ['./harness/whole-runs/heap.test-bed.ts'],
    sequence: { sequencer: LongFilesFirst },
    // Twice the cores that CI has: long files wait half of their time, for processes or for time to pass.
    maxWorkers: 4,
    maxConcurrency: 3,
    testTimeout: test,
    hookTimeout: test,
    expect: { poll: { timeout: poll } },
    // Node itself loads all modules: vite would keep each of them, transformed, in the main process.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    env: { ...environmentOf(slowness), NODE_COMPILE_CACHE: compiled },
    reporters: ['default', slowest, counts],
  },
})
