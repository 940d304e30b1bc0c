/** The page of bounds is made from the tables. To write the page anew:
 * `npx vitest run harness/bounds.test.ts -u`. */
import { readFileSync } from 'node:fs'
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
whatever it is doing. \`serve\`, \`replay\` and \`provider\` do so, too. Ctrl-C, SIGTERM and SIGHUP reach the judging process through it. A second one ends it at once.

## Sizes

No target makes the process that judges exceed 512 MB, whatever it sends; the process that holds the bounds on time comes on
top of it, and reads nothing. A reply beyond these bounds is not parsed, and its check is \`not-verified\`.

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

/** Names, for each bound, the test that plays the worst case, by its file and the beginning of its title. */
const heldBy: Readonly<Record<keyof typeof bounds | keyof typeof sizeBounds, readonly [file: string, title: string]>> =
  {
    run: ['harness/supervisor.test.ts', 'a process that has announced its time ends after it'],
    grace: ['harness/wire/stop-signals.test.ts', 'after a stop, `cut` aborts when the grace is over'],
    checksTakeBack: ['harness/wire/stop-signals.test.ts', 'after a stop, `cut` aborts when the grace is over'],
    checksThread: [
      'harness/whole-runs/blocked-run.test.ts',
      'a run whose thread of checks is blocked ends, and reports',
    ],
    takeBack: ['harness/wire/stop-signals.test.ts', 'after a stop, `cut` aborts when the grace is over'],
    takeBackReply: ['harness/wire/stop-signals.test.ts', 'waits for the reply to an undo no longer than'],
    interrupt: ['harness/whole-runs/blocked-run.test.ts', 'a second signal ends a run at once'],
    ending: [
      'harness/supervisor.test.ts',
      'a process that has written everything keeps its exit code although it cannot end',
    ],
    retryAfterOnce: ['harness/wire/client.test.ts', 'Retry-After is respected, within bounds'],
    retryAfterExchange: ['harness/wire/client.test.ts', 'Retry-After is respected, within bounds'],
    retryAfterRun: [
      'harness/wire/client.test.ts',
      'the waits that a target asks for by Retry-After are bounded over a run',
    ],
    decoding: ['harness/wire/decode.test.ts', 'decoding that takes too long is given up'],
    lateInProbe: ['harness/targets/prober.test.ts', 'stops after two late replies'],
    lateInCleanUp: ['harness/wire/ask.test.ts', 'nothing is sent after as many replies as'],
    badInCleanUp: ['harness/wire/ask.test.ts', 'nothing is sent after as many replies as'],
    badInARow: ['harness/way/circuit-breaker.test.ts', 'failures of different kinds count together'],
    badInARowForGood: [
      'harness/way/circuit-breaker.test.ts',
      'a proxy that answers the health request for a dead target',
    ],
    differentRequests: ['harness/way/circuit-breaker.test.ts', 'one request that is always cut off does not open it'],
    healthReply: ['harness/way/circuit-breaker.test.ts', 'a health request that is not answered within'],
    outage: ['harness/way/circuit-breaker.test.ts', 'a cluster that does not answer within the bound is gone'],
    outageInCleanUp: ['harness/way/circuit-breaker.test.ts', 'the clean-up waits no longer than its own bound'],
    nodesBehind: ['harness/way/node-settling.test.ts', 'a clean-up at a node that stepped down ends in bounded time'],
    ownStall: ['harness/way/own-side.test.ts', 'a thread stands still from the bound on'],
    longPoll: ['harness/way/poll.test.ts', 'a poll that is in vain for long says so'],
    replyBody: ['harness/run/judge.test.ts', 'is not verified if a reply is too large'],
    decodedBody: ['harness/wire/decode.test.ts', 'the bound on decoded bytes holds over both codings together'],
    contentCodings: ['harness/wire/decode.test.ts', 'more codings than a server can mean are not decoded'],
    headerBytes: ['harness/wire/client.test.ts', 'endless headers'],
    headers: ['harness/wire/client.test.ts', '4000 headers'],
    largeReply: ['harness/wire/large-replies.test.ts', 'a large reply waits until the holder of the one before leaves'],
    smallReply: ['harness/wire/body-slots.test.ts', 'a reply of at most `smallReply` needs no slot'],
    bodiesInFlight: ['harness/wire/body-slots.test.ts', 'many replies below the large size wait for each other'],
    jobs: ['harness/cli.test.ts', 'invalid input is reported in one line'],
    adaptedJobs: [
      'harness/way/adaptive-jobs.test.ts',
      'for a far target the limit grows round by round up to the bound',
    ],
    jsonDepth: ['harness/wire/client.test.ts', 'nested too deep in objects'],
    jsonValues: ['harness/wire/client.test.ts', 'with too many values'],
    savedValue: ['harness/safety/names.test.ts', 'a value of a reply is repeated up to `savedValue`'],
    keptForRecord: ['harness/run/recorded-exchange.test.ts', 'is left out once a check keeps too many bytes'],
    keptForRecords: ['harness/run/recorded-exchange.test.ts', 'is left out once all checks together keep too many'],
    recordedBody: ['harness/run/recorded-exchange.test.ts', 'keeps the beginning of a large body'],
    recordedText: ['harness/run/recorded-exchange.test.ts', 'has URLs and headers of bounded length'],
    recordedHeaders: ['harness/run/recorded-exchange.test.ts', 'has headers of bounded length'],
    recordedRun: ['harness/run/recorded-exchange.test.ts', 'a budget serves all checks first'],
    recordedReserve: ['harness/run/recorded-exchange.test.ts', 'a budget serves all checks first'],
    recordedBrief: ['harness/run/recorded-exchange.test.ts', 'a budget serves all checks first'],
    secretsOfReply: ['harness/redaction/seen-secrets.test.ts', 'may be more than can be redacted one by one'],
    secretLength: ['harness/redaction/seen-secrets.test.ts', 'may be more than can be redacted one by one'],
    secretsLearnt: ['harness/run/recorded-exchange.test.ts', 'a redactor that has reached its limit reports so'],
    secretCharacters: ['harness/redaction/many-secrets.test.ts', 'as many secrets as a run learns'],
    pictureBytes: ['suites/mfa/secret.test.ts', 'a picture beyond `pictureBytes`'],
    pictureSide: ['suites/mfa/picture.test.ts', 'a picture of 30 000 by 30 000 pixels is measured and not decoded'],
    pictures: ['suites/mfa/secret.test.ts', 'no picture is decoded after as many'],
    otpauthUrl: ['suites/mfa/secret.test.ts', 'a URL beyond `otpauthUrl`'],
    certificate: ['suites/pki/judge/bombs.test.ts', 'DER beyond the bound'],
    revocationList: ['suites/pki/judge/bombs.test.ts', 'DER beyond the bound'],
    asnDepth: ['suites/pki/judge/bombs.test.ts', 'nested 20 000 deep'],
    asnElements: ['suites/pki/judge/bombs.test.ts', 'with 200 000 elements'],
    pemBlocks: ['suites/pki/judge/bombs.test.ts', 'at most 64 PEM blocks of a text are read'],
    resultFile: [
      'harness/commands/options/read-bounds.test.ts',
      'rejects a result.json that is larger than any run writes',
    ],
    resultDepth: ['harness/commands/options/read-bounds.test.ts', 'rejects a result.json that is nested too deep'],
    yamlFile: ['harness/commands/options/read-bounds.test.ts', 'rejects a YAML file that is larger than people write'],
    namedFile: ['harness/commands/options/read-bounds.test.ts', 'rejects a named file that is larger than'],
  }

test('each bound names the test that plays its worst case', () => {
  const missing = Object.values(heldBy).filter(
    ([file, title]) => !readFileSync(join(root, file), 'utf8').includes(`'${title}`),
  )
  expect(missing).toEqual([])
})
