/** A command writes results to stdout, and progress and complaints to stderr. Each call writes one line, whatever the
 * text holds: what a target says may be part of any of them. */
import { styleText } from 'node:util'
import { oneLine, oneLineWith, safeJson } from './one-line.ts'

export interface Terminal {
  readonly env: NodeJS.ProcessEnv
  /** Aborted by Ctrl-C: clean up, then exit 130. */
  readonly signal: AbortSignal
  /** Loads a module at once. Absent where something else than Node loads modules, such as a test runner. */
  readonly load?: (file: URL) => unknown
  /** A line of the result. */
  out(line: string): void
  /** Lines of the result, in one writing. */
  outAll(lines: readonly string[]): void
  /** A line of the result that `paint` has coloured. Texts of a target in it have to be in their one-line form already,
   * or they could bring colours of their own. */
  painted(line: string): void
  /** Several lines of our own words, such as a help text: nothing of a target may be in it. */
  ownText(text: string): void
  /** A value of the result as JSON. */
  json(value: unknown, indent?: number): void
  /** A line of progress. */
  say(line: string): void
  /** Rewrites the last line on a terminal; silent elsewhere. An empty text wipes it. */
  live(line: string): void
  readonly isLive: boolean
  /** The width of a line of the result; unlimited where the output is not a terminal. */
  readonly width: number
  paint(style: Style, text: string): string
}

type Style = 'green' | 'red' | 'yellow' | 'dim' | 'bold'

interface Streams {
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
}

/** `styleText` writes these codes for the styles above. */
const ourCodes = /\u001b\[(?:1|2|22|31|32|33|39)m/

export function openTerminal(streams: Streams, env: NodeJS.ProcessEnv, signal: AbortSignal): Terminal {
  const { stdout, stderr } = streams
  // A reader that has seen enough (`| head`) is no fault of ours.
  for (const stream of [stdout, stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
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
