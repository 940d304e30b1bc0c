/** Where a command writes: results to stdout, progress and complaints to stderr. */
import { styleText } from 'node:util'

export interface Terminal {
  readonly env: NodeJS.ProcessEnv
  /** Aborted by Ctrl-C: clean up, then exit 130. */
  readonly signal: AbortSignal
  /** A line of the result. */
  out(text: string): void
  /** A line of progress. */
  say(text: string): void
  /** Rewrites the last line on a terminal; silent elsewhere. An empty text wipes it. */
  live(text: string): void
  readonly isLive: boolean
  /** Of a line of the result; without bound where nobody watches. */
  readonly width: number
  paint(style: Style, text: string): string
}

type Style = 'green' | 'red' | 'yellow' | 'dim' | 'bold'

interface Streams {
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
}

/** What a target says ends up here: control characters, which could move the cursor or retitle the window, are shown as
 * such. Colours stay, they are our own. */
export const harmless = (text: string): string =>
  text.replace(/\u001b(?!\[\d+m)|[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f]/g, '\ufffd')

export function openTerminal(streams: Streams, env: NodeJS.ProcessEnv, signal: AbortSignal): Terminal {
  const { stdout, stderr } = streams
  // A reader that has seen enough (`| head`) is no fault of ours.
  for (const stream of [stdout, stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  const isLive = Boolean(stderr.isTTY)
  let liveLine = false
  const wipe = () => {
    if (liveLine) stderr.write('\r\u001b[2K')
    liveLine = false
  }
  return {
    env,
    isLive,
    width: stdout.isTTY && stdout.columns > 0 ? stdout.columns : Number.POSITIVE_INFINITY,
    signal,
    out(text) {
      wipe()
      stdout.write(`${harmless(text)}\n`)
    },
    say(text) {
      wipe()
      stderr.write(`${harmless(text)}\n`)
    },
    live(text) {
      if (!isLive) return
      wipe()
      if (text === '') return
      stderr.write(harmless(text).slice(0, (stderr.columns ?? 80) - 1))
      liveLine = true
    },
    paint: (style, text) => styleText(style, text, { stream: stdout }),
  }
}
