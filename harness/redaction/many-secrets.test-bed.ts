/** Learns as many secrets as a run may, in a process of its own, and prints what that took and which encodings of some of
 * them are left in a text of a megabyte. */
import { randomBytes } from 'node:crypto'
import { peaksOf } from '../tools/bench/process.ts'
import { sizeBounds } from '../vocabulary/index.ts'
import { encodings } from './encodings.test-bed.ts'
import { createRedactor } from './redaction.ts'

const { secretsLearnt, secretCharacters } = sizeBounds

/** Makes characters of all kinds, because letters alone are the same in several encodings. */
const value = (length: number): string =>
  Array.from(randomBytes(length), (byte) => String.fromCharCode(33 + (byte % 94))).join('')

const characters = Math.floor(secretCharacters.value / secretsLearnt.value)
const secrets = Array.from({ length: secretsLearnt.value }, () => value(characters))

/** Returns the memory in MB that is in use after a collection of garbage. */
function used(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1_000_000
}

const before = used()
const redactor = createRedactor()
for (const secret of secrets) redactor.learn(secret)
redactor.redact('')
const live = used() - before

const some = [secrets[0], secrets[secrets.length >> 1], secrets.at(-1)].map(String)
const shown = Object.entries(encodings).flatMap(([name, encode]) =>
  some.map((one) => ({ name, text: encode('b', one, 'a') })),
)
const noise = randomBytes(12_000).toString('base64')
const text = shown.map((one) => `${one.text} <${noise}>`).join(' ')
const started = process.cpuUsage()
const redacted = redactor.redact(text)
const { user, system } = process.cpuUsage(started)

const parts = redacted.split(` <${noise}>`)
const left = shown.flatMap(({ name }, index) => (parts[index]?.includes('[redacted:') ? [] : [name]))
// The peak that resourceUsage() gives begins with what the process that started this one uses.
const [peak] = peaksOf(process.pid)
const found = { isFull: redactor.isFull, left, length: text.length, live, peak }
process.stdout.write(JSON.stringify({ ...found, seconds: (user + system) / 1_000_000 }))
