import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import AllureReporter from 'allure-vitest/reporter'
import { createVitest } from 'vitest/node'
import type { ResultDocument } from '../../harness/vocabulary/index.ts'
import { factWords } from '../render/wording.ts'
import { replayKey } from './replay-key.ts'
import type { Replayed } from './replayed.ts'

const here = import.meta.url
const root = fileURLToPath(new URL(here.includes('/dist/') ? '../../..' : '../..', here))
const replayFile = fileURLToPath(new URL(here.endsWith('.ts') ? './replay.ts' : './replay.js', here))

type ReporterOptions = ConstructorParameters<typeof AllureReporter>[0]
type Listener = NonNullable<ReporterOptions['listeners']>[number]
type Result = Parameters<NonNullable<Listener['beforeTestResultWrite']>>[0]

/** Replays the checks under vitest with the Allure reporter, which writes its results into an empty folder. */
export async function writeResults(
  document: ResultDocument,
  checks: readonly Replayed[],
  folder: string,
): Promise<void> {
  const byId = new Map(checks.map((check) => [check.id, check]))
  const reporter = new AllureReporter({
    resultsDir: folder,
    reportMatchers: false,
    environmentInfo: {
      target: document.target.url,
      ...Object.fromEntries(factWords(document.target.facts)),
      suite: `${document.suite.name} ${document.suite.version}`,
      verdict: document.verdict.title,
    },
    listeners: [{ beforeTestResultWrite: (result) => replaceDetails(result, byId) }],
  })
  const vitest = await createVitest(
    'test',
    {
      config: false,
      root,
      include: [replayFile],
      exclude: [],
      watch: false,
      pool: 'threads',
      isolate: false,
      maxWorkers: 1,
      passWithNoTests: true,
      reporters: [reporter],
      provide: { [replayKey]: checks },
    },
    {},
    { stdout: silence(), stderr: silence() },
  )
  // vitest sets the exit code of the process if a test fails. That is not the exit code of this run, so it is restored.
  const { exitCode } = process
  try {
    await vitest.start()
    const received = vitest.state.getTestModules().flatMap((module) => [...module.children.allTests()]).length
    if (received !== checks.length) throw new Error(`Allure received ${received} checks instead of ${checks.length}`)
  } finally {
    await vitest.close()
    process.exitCode = exitCode
  }
}

/** Replaces the times, causes and host of the replay by those of the document. */
function replaceDetails(result: Result, byId: ReadonlyMap<string, Replayed>): void {
  const check = byId.get(result.name ?? '')
  if (!check) return
  Object.assign(result, {
    name: check.title,
    fullName: check.id,
    historyId: check.id,
    testCaseId: check.id,
    titlePath: check.id.split('/').slice(0, -1),
    status: check.status,
    statusDetails: {
      ...(check.message === undefined ? {} : { message: check.message }),
      ...(check.trace === undefined ? {} : { trace: check.trace }),
    },
    description: check.description,
    labels: check.labels,
    start: check.start,
    stop: check.stop,
  })
}

const silence = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() })
