/** Where a command writes: results to stdout, progress and errors to stderr. Each call writes one line, whatever the
 * text contains, because a text from a target may be part of it. */
import { styleText } from 'node:util'
import type { TimeBound } from '../../supervisor.ts'
import { oneLine, oneLineWith, safeJson } from './one-line.ts'

export interface Terminal {
  readonly env: NodeJS.ProcessEnv
  /** Aborted by Ctrl-C: the command then cleans up and exits with 130. */
  readonly signal: AbortSignal
  /** Tells the supervisor how long the command means to judge. Absent if there is none. */
  bounded?(bound: TimeBound): void
  /** Writes a line of the result. */
  out(line: string): void
  /** Writes lines of the result in one call. */
  outAll(lines: readonly string[]): void
  /** Writes a line of the result that `paint` has coloured. Texts from a target in it must already be escaped by
   * `oneLine`, or they could add colours of their own. */
  painted(line: string): void
  /** Writes several lines of our own text, such as a help text; it must contain nothing from a target. */
  ownText(text: string): void
  /** Writes a value of the result as JSON. */
  json(value: unknown, indent?: number): void
  /** Writes a line of progress to stderr. */
  say(line: string): void
  /** Rewrites the last line on a terminal; does nothing elsewhere. An empty text clears it. */
  live(line: string): void
  readonly isLive: boolean
  /** How much a command says besides its result; `normal` if absent. Warnings and errors are said in any case. */
  readonly verbosity?: Verbosity
  /** The width of a line of the result; unlimited if the output is not a terminal. */
  readonly width: number
  paint(style: Style, text: string): string
}

export type Verbosity = 'quiet' | 'normal' | 'verbose'

type Style = 'green' | 'red' | 'yellow' | 'dim' | 'bold'

interface Streams {
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
}

/** The codes that `styleText` writes for the styles above. */
const ourCodes = /\u001b\[(?:1|2|22|31|32|33|39)m/

/** A reader that stops early (`| head`) is not an error, and neither is a terminal that was closed. */
const readerLeft: ReadonlySet<string | undefined> = new Set(['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED'])

interface OpenTerminal extends Terminal {
  /** Resolves with the code of the error by which output was lost, such as that of a full disk. */
  lost(): Promise<string | undefined>
}

export function openTerminal(streams: Streams, env: NodeJS.ProcessEnv, signal: AbortSignal): OpenTerminal {
  const { stdout, stderr } = streams
  let lost: string | undefined
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (!readerLeft.has(error.code)) lost ??= error.code ?? error.message
  })
  // What happens to a log changes no verdict.
  stderr.on('error', () => {})
  const isLive = Boolean(stderr.isTTY)
  let liveLine = false
  const write = (text: string) => {
    wipe()
    stdout.write(`${text}\n`)
  }
  const wipe = () => {
    if (liveLine) stderr.write('\r\u001b[2K')
    liveLine = false
  }
  return {
    // The error of a write is emitted a moment after it.
    lost: () => new Promise((resolve) => setImmediate(() => resolve(lost))),
    env,
    isLive,
    width: stdout.isTTY && stdout.columns > 0 ? stdout.columns : Number.POSITIVE_INFINITY,
    signal,
    out: (line) => write(oneLine(line)),
    outAll(lines) {
      if (lines.length > 0) write(lines.map(oneLine).join('\n'))
    },
    painted: (line) => write(oneLineWith(ourCodes, line)),
    ownText(text) {
      for (const line of text.split('\n')) write(oneLine(line))
    },
    json: (value, indent) => write(safeJson(value, indent)),
    say(line) {
      wipe()
      stderr.write(`${oneLine(line)}\n`)
    },
    live(line) {
      if (!isLive) return
      wipe()
      if (line === '') return
      stderr.write(oneLine(line).slice(0, (stderr.columns ?? 80) - 1))
      liveLine = true
    },
    paint: (style, text) => styleText(style, text, { stream: stdout }),
  }
}
