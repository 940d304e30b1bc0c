/** Records the replies of a target, so that they can be played back to a client under test. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type RecordedAnswer, type Recording, recordingSchema } from '../../../fixtures/recording/recording.ts'
import { replaceFile } from '../../safety/files.ts'
import type { RecordedExchange, ResultDocument } from '../../vocabulary/index.ts'

export const recordingFile = 'recording.json'

const contentTypeOf = (headers: Readonly<Record<string, string>> = {}): string =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'application/json'

/** Leaves out replies that were truncated or are not text, because they cannot be played back. */
function answerOf({ method, url, requestBody, attempts }: RecordedExchange): readonly RecordedAnswer[] {
  const { status, responseHeaders, responseBody = '', responseCut, responseEncoding } = attempts.at(-1) ?? {}
  const parsed = URL.parse(url)
  if (status === undefined || responseCut || responseEncoding === 'base64' || !parsed) return []
  return [
    {
      ...{ method, path: `${parsed.pathname}${parsed.search}`, status, contentType: contentTypeOf(responseHeaders) },
      ...(requestBody === undefined ? {} : { requestBody }),
      body: responseBody,
    },
  ]
}

/** Expects a document that is already redacted. */
const recordingOf = ({ target, run, checks }: ResultDocument): Recording => ({
  schema: recordingSchema,
  target: target.name,
  recordedAt: run.startedAt,
  answers: [...target.probe, ...checks.flatMap(({ exchanges }) => exchanges)].flatMap(answerOf),
})

/** Returns the path of the file, which only its owner can read. If it cannot be written, an earlier one stays. */
export function writeRecording(folder: string, document: ResultDocument): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, recordingFile)
  replaceFile(file, `${JSON.stringify(recordingOf(document))}\n`)
  return file
}
