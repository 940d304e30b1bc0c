/** The page of bounds is made from the tables. To write the page anew:
 * `npx vitest run harness/bounds.test.ts -u`. */
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { type Bound, sizeBounds } from './vocabulary/index.ts'
import { bounds } from './wire/bounds.ts'

const root = resolve(import.meta.dirname, '..')
const kib = 1024
const mib = 1024 * kib

function amount({ value, unit }: Bound): string {
  if (unit === 'bytes' && value % mib === 0) return `${value / mib} MiB`
  if (unit === 'bytes' && value % kib === 0) return `${value / kib} KiB`
  return `${value} ${unit}`
}

const rows = (table: Readonly<Record<string, Bound>>): string =>
  Object.values(table)
    .map((bound) => `| ${bound.what} | ${amount(bound)} | ${bound.why} |\n`)
    .join('')

const after = bounds.interrupt.value

const page = `# Bounds

Whatever a target does, a run ends, and it uses a bounded amount of time and memory. The tables are made from
[wire/bounds.ts](wire/bounds.ts) and [vocabulary/size-bounds.ts](vocabulary/size-bounds.ts).

## Time

| what is bounded | bound | why |
|---|---|---|
${rows(bounds)}
\`--max-duration\` bounds probing and judging. A run with \`--max-duration 60\` ends within ${60 + after} s: 60 s, and ${after} s for everything that
follows.

A process of its own holds these bounds: \`assay run\` starts a second process, which judges, and ends it when its time is over,
whatever it is doing. Ctrl-C, SIGTERM and SIGHUP reach the judging process through it. A second one ends it at once.

## Sizes

No target makes the process exceed 512 MB, whatever it sends. A reply beyond these bounds is not parsed, and its check is
\`not-verified\`.

| what is bounded | bound | why |
|---|---|---|
${rows(sizeBounds)}`

test('the page is made from the tables', async () => {
  await expect(page).toMatchFileSnapshot(join(root, 'harness/bounds.md'))
})

test('an interrupt leaves time for the clean-up and the report, and ends within 20 s', () => {
  const { grace, checksTakeBack, checksThread, takeBack, interrupt } = bounds
  const moments = [grace, checksTakeBack, checksThread, takeBack, interrupt].map(({ value }) => value)
  expect(moments).toEqual(moments.toSorted((one, other) => one - other))
  expect(interrupt.value).toBeLessThanOrEqual(20)
})
