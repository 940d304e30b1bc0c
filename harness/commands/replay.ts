import { join } from 'node:path'
import { startAnswering } from '../targets/mock.ts'
import { type Place, placeFlags, untilStopped } from './listening.ts'
import { type CommandTable, commandOf, type TabledCommand } from './options/flag.ts'
import { parsedFile } from './output/result-file.ts'
import type { Terminal } from './output/terminal.ts'

interface ReplayFlags extends Place {
  readonly json?: boolean
}

const examples = `
Examples:
  assay run --target https://vault.example:8200 --record answers     then:
  assay replay answers --port 8200                                   replies as that server did
A recorded request gets its recorded replies in order; any other request to a recorded endpoint gets the first
successful reply of that endpoint. Secrets in recordings are redacted. For use in tests, see
"assay/fixtures/recording". Ctrl-C stops it.`

const table: CommandTable = {
  name: 'replay',
  says: 'serve the replies that "assay run --record" has recorded',
  words: { form: '<folder>', says: 'the folder of the recording', values: 'folders' },
  flags: { server: placeFlags(8200), output: [{ flag: '--json', says: 'print the url as one JSON line' }] },
  more: examples,
}

export const replayCommand = (terminal: Terminal, settle: (code: number) => void): TabledCommand =>
  commandOf<ReplayFlags>(table, async ({ json, ...place }, [folder = '']) => {
    const code = await untilStopped(startReplay(folder, place), place, terminal.signal, ({ url }) => {
      if (json) terminal.json({ url })
      else terminal.out(`${url}  (the replies recorded in ${folder})`)
    })
    settle(code)
  })

/** Serves the recording in a folder. Throws `UsageError` if there is none. */
export async function startReplay(folder: string, place: Place) {
  const { parseRecording, recordingBook } = await import('../../fixtures/recording/recording.ts')
  const { recordingFile } = await import('./run/recording.ts')
  const { contentOf } = await import('../../fixtures/envelope.ts')
  const book = recordingBook(
    parsedFile(join(folder, recordingFile), 'a recording', 'give the folder of a recording', parseRecording),
  )
  return await startAnswering(place, ({ method, url, body }) => {
    const reply = book.answer(method, url, body?.toString('utf8'))
    const content = contentOf(reply)
    return {
      status: reply.status,
      contentType: reply.bare?.contentType ?? 'application/json',
      body: content.length === 0 ? undefined : content,
    }
  })
}
