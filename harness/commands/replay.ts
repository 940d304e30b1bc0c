import { join } from 'node:path'
import { readText } from '../safety/files.ts'
import { startAnswering } from '../targets/mock.ts'
import { UsageError } from '../targets/usage-error.ts'
import { exitCodes, sizeBounds } from '../vocabulary/index.ts'
import { type CommandTable, commandOf, type TabledCommand } from './flag.ts'
import { number } from './options.ts'
import type { Terminal } from './terminal.ts'
import { untilStopped } from './until-stopped.ts'

interface ReplayFlags {
  readonly port: number
  readonly host: string
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
  flags: {
    server: [
      {
        flag: '--port <n>',
        says: 'port to listen on; 0 chooses a free one',
        parse: number(0, true, 65_535),
        default: 8200,
      },
      { flag: '--host <address>', says: 'address to listen on', default: '127.0.0.1' },
    ],
    output: [{ flag: '--json', says: 'print the url as one JSON line' }],
  },
  more: examples,
}

export const replayCommand = (terminal: Terminal, settle: (code: number) => void): TabledCommand =>
  commandOf<ReplayFlags>(table, async ({ port, host, json }, [folder = '']) => {
    const server = await startReplay(folder, { port, host }).catch((error: NodeJS.ErrnoException) => {
      if (error instanceof UsageError) throw error
      throw new UsageError(`${host}:${port} cannot be used (${error.code}): choose another --port, or 0 for a free one`)
    })
    try {
      if (json) terminal.json({ url: server.url })
      else terminal.out(`${server.url}  (the replies recorded in ${folder})`)
      await untilStopped(terminal.signal)
    } finally {
      await server.close()
    }
    settle(exitCodes.conformant)
  })

/** Serves the recording in a folder. Throws `UsageError` if there is none. */
export async function startReplay(folder: string, place: { readonly port: number; readonly host: string }) {
  const { parseRecording, recordingBook } = await import('../../fixtures/recording/recording.ts')
  const { recordingFile } = await import('./run/recording.ts')
  const { contentOf } = await import('../../fixtures/envelope.ts')
  const book = recordingBook(parsedFrom(join(folder, recordingFile), parseRecording))
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

function parsedFrom<T>(file: string, parse: (text: string) => T): T {
  const mend = 'give the folder of a recording'
  const text = readText(file, { what: 'a recording', most: sizeBounds.resultFile.value, mend })
  try {
    return parse(text)
  } catch (error) {
    throw new UsageError(`${file} cannot be replayed: ${(error as Error).message}`)
  }
}
