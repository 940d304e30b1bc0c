/** Documents that nobody has written in good faith, made up by seed, for each command that reads them. A seed that found a
 * fault stays in `found`. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RecordedExchange } from '../vocabulary/index.ts'
import { exitCodes } from '../vocabulary/words.ts'
import { patient } from '../whole-runs/patience.test-bed.ts'
import { collectGarbage } from '../wire/large-replies.ts'
import { assay } from './child.test-bed.ts'
import { checkResult, sampleResult } from './output/sample-results.test-bed.ts'
import { startReplay } from './replay.ts'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

const numRuns = process.env.ASSAY_TRIALS ? 200 : 20
/** Far more than any document takes, and far less than one that never ends. */
const mostMs = 10_000
const mostMb = 256
const found: readonly number[] = [1, 2, 3]
/** Places that broke a command once their text was no longer what it should be. */
const foundAt: readonly (readonly string[])[] = [
  ['target', 'url'],
  ['target', 'probe', '0', 'url'],
  ['checks', '0', 'exchanges', '0', 'url'],
]

const script = '</script><script>hostile()</script><img src=x onerror=hostile()>'
const hostile: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    null,
    true,
    -1,
    1e308,
    0.1,
    '',
    [],
    {},
    '__proto__',
    '../../etc/passwd',
    '\u202e\u001b[31m',
    script,
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('&', '\n::error::', '|', '`', '%', '9'.repeat(400)).map((part) => part.repeat(2_000)),
  fc.integer({ min: 1, max: 70 }).map((depth) => Array.from({ length: depth }).reduce<Json>((inner) => [inner], 'x')),
  fc.dictionary(fc.constantFrom('__proto__', 'constructor', 'toString', script), fc.constant(script), {
    noNullPrototype: true,
  }) as fc.Arbitrary<Json>,
)

/** The paths of all values in a document. */
function pathsIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([name, inner]) => pathsIn(inner, [...path, name]))]
}

function withValue(document: unknown, [name, ...rest]: readonly string[], value: Json): unknown {
  if (name === undefined) return value
  const copy = (Array.isArray(document) ? [...document] : { ...(document as object) }) as Record<string, unknown>
  copy[name] = withValue(copy[name], rest, value)
  return copy
}

/** Texts that lie about a good document: some values are others, or the text is cut off, repeated or something else. */
function textsLike(good: unknown): fc.Arbitrary<string> {
  const text = JSON.stringify(good)
  const place = fc.constantFrom(...pathsIn(good))
  return fc.oneof(
    { weight: 6, arbitrary: fc.array(fc.tuple(place, hostile), { minLength: 1, maxLength: 3 }).map(lied) },
    // Texts stay texts, so these documents are valid, and become pages.
    { weight: 4, arbitrary: fc.subarray([...stringsIn(good)], { minLength: 1 }).map((some) => filled(good, some)) },
    fc.nat(text.length).map((end) => text.slice(0, end)),
    fc.constantFrom(
      '',
      'null',
      '[]',
      '{}',
      `${text}${text}`,
      '\u0000',
      `${'['.repeat(100_000)}`,
      `"${'a'.repeat(2e6)}"`,
    ),
    fc.string({ unit: 'binary', maxLength: 200 }),
  )
  function lied(changes: readonly (readonly [readonly string[], Json])[]): string {
    return JSON.stringify(
      changes.reduce<unknown>((all, [path, value]) => (isPlace(all, path) ? withValue(all, path, value) : all), good),
    )
  }
}

const filled = (good: unknown, some: readonly (readonly string[])[]): string =>
  JSON.stringify(some.reduce<unknown>((all, path) => withValue(all, path, script), good))

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null | undefined)?.[name], value)
const isPlace = (value: unknown, path: readonly string[]): boolean => {
  const parent = valueAt(value, path.slice(0, -1))
  return path.length === 0 || (typeof parent === 'object' && parent !== null)
}
const stringsIn = (good: unknown) => pathsIn(good).filter((path) => typeof valueAt(good, path) === 'string')

const exchange: RecordedExchange = {
  ...{ phase: 'when', method: 'GET', url: 'http://127.0.0.1:8200/v1/x', requestHeaders: {}, as: 'operator' },
  attempts: [{ sentAt: '2026-01-01T00:00:00.000Z', durationMs: 1, status: 200, responseBody: '{"a":"b"}' }],
}
const sample = sampleResult({
  checks: [
    { ...checkResult('a', 'pass'), exchanges: [exchange] },
    { ...checkResult('b', 'fail'), mismatches: [] },
  ],
  leftBehind: ['policy x'],
  defects: ['y'],
})
const result = { ...sample, target: { ...sample.target, probe: [exchange] } }

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-hostile-documents-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const written = (name: string, text: string): string => {
  mkdirSync(join(folder, name, '..'), { recursive: true })
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

/** Measures the time of the processor, which other processes do not change. */
async function measured<T>(run: () => Promise<T>) {
  const [began, before] = [process.cpuUsage(), process.memoryUsage.rss()]
  const value = await run()
  const { user, system } = process.cpuUsage(began)
  return { value, ms: (user + system) / 1000, mb: (process.memoryUsage.rss() - before) / 2 ** 20 }
}

/** Where a document takes too much, it is played again: what earlier tests left in the heap lets V8 put off collecting by as
 * much. */
async function bounded<T>(run: () => Promise<T>): Promise<T> {
  let { value, ms, mb } = await measured(run)
  if (ms > patient(mostMs) || mb > mostMb) {
    collectGarbage()
    ;({ value, ms, mb } = await measured(run))
  }
  expect(ms).toBeLessThan(patient(mostMs))
  expect(mb).toBeLessThan(mostMb)
  return value
}

const filesBelow = (place: string): readonly string[] =>
  readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

async function assertHarmless(args: readonly string[]): Promise<void> {
  const { code, out, err } = await bounded(() => assay(args))
  expect(code, err).not.toBe(exitCodes.defect)
  // An error is one line, and a text of the document steers no terminal and no CI system.
  if (code === exitCodes.usage) expect(err.trimEnd().split('\n').length, err).toBeLessThanOrEqual(2)
  expect(`${out}${err}`).not.toMatch(/\u001b|\u202e|^::error/m)
  for (const page of filesBelow(folder).filter((file) => /\.(html|svg|md)$/.test(file))) {
    // In Markdown, a code span shows what it contains.
    const text = readFileSync(page, 'utf8').replaceAll(/`[^`\n]*`/g, '')
    const [around] = /.{0,80}(?:<script>hostile|<img src=x onerror)/s.exec(text) ?? []
    expect(around, page).toBeUndefined()
  }
}

async function assertAll(good: unknown, play: (text: string, other: string) => Promise<void>): Promise<void> {
  const examples = foundAt
    .filter((path) => valueAt(good, path) !== undefined)
    .map((path): [string] => [filled(good, [path])])
  for (const seed of found)
    await fc.assert(
      fc.asyncProperty(textsLike(good), async (text) => {
        await play(text, JSON.stringify(good))
        rmSync(folder, { recursive: true })
        mkdirSync(folder)
      }),
      { numRuns, seed, examples },
    )
}

test.each<readonly [string, (file: string, other: string) => readonly string[]]>([
  [
    'render',
    (file) => ['render', file, '--format', 'html,junit,markdown,sarif,badge,json', '--out', join(folder, 'out')],
  ],
  ['compare', (file, other) => ['compare', other, file, '--out', join(folder, 'out')]],
  ['merge', (file, other) => ['merge', file, other, '--out', join(folder, 'out')]],
  ['verify', (file) => ['verify', file]],
  ['accept', (file) => ['accept', '--from', file]],
  ['compact', (file) => ['compact', file, '--out', join(folder, 'compact.json')]],
])('%s', async (_, argsOf) => {
  await assertAll(result, (text, other) =>
    assertHarmless(argsOf(written('a/result.json', text), written('b/result.json', other))),
  )
})

test('render, from the events of a killed run', async () => {
  const started = { event: 'started', schema: 'assay/events/1', document: result }
  const startedAt = { toString: 1, valueOf: 1 }
  const judged = { event: 'check', result: { ...result.checks[0], startedAt } }
  await assertHarmless([
    'render',
    written('b/events.jsonl', [started, judged].map((one) => JSON.stringify(one)).join('\n')),
  ])
  await assertAll([started, { event: 'check', result: result.checks[0] }], (text) => {
    const lines =
      text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1).replaceAll(/,(?=\{"event")/g, '\n') : text
    return assertHarmless([
      'render',
      written('a/events.jsonl', lines),
      '--format',
      'html',
      '--out',
      join(folder, 'out'),
    ])
  })
})

test('clean, from a journal', async () => {
  const lines = [
    { run: 'a1', url: 'http://127.0.0.1:1', number: 1 },
    { made: 1, method: 'DELETE', path: 'sys/policies/acl/assay-a1-1-x' },
  ]
  await assertAll(lines, (text) => {
    written('journal-a1.jsonl', text.replaceAll(/^\[|\]$/g, '').replaceAll('},{', '}\n{'))
    return assertHarmless(['clean', '--target', 'http://127.0.0.1:1', '--out', folder, '--dry-run'])
  })
})

test('replay, from a recording', async () => {
  const answer = { method: 'GET', path: '/v1/sys/health', status: 200, contentType: 'application/json', body: '{}' }
  const recording = { schema: 'assay/recording/1', target: 'x', recordedAt: '2026-01-01T00:00:00Z', answers: [answer] }
  await assertAll(recording, async (text) => {
    written('recording.json', text)
    await bounded(async () => {
      const server = await startReplay(folder, { port: 0, host: '127.0.0.1' }).catch((error: Error) => {
        expect(error.name, error.stack).toBe('UsageError')
      })
      if (!server) return
      const reply = await fetch(`${server.url}/v1/sys/health`)
      expect(reply.status).toBeLessThan(500)
      await reply.text()
      await server.close()
    })
  })
})
