/** The command line: in this process, which spares a test the start of one, or as its users have it, a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Writable } from 'node:stream'
import { perform } from '../cli.ts'
import { openTerminal } from './terminal.ts'

const bin = resolve(import.meta.dirname, '../assay.js')

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Child {
  readonly process: ChildProcess
  /** Resolves once stdout or stderr holds the text; rejects if the process ends before. */
  said(text: string): Promise<void>
  readonly ended: Promise<Ended>
}

/** The key that signs journals is not made in the home of whoever runs the tests. */
const state = join(tmpdir(), `assay-state-${process.pid}`)
process.once('exit', () => rmSync(state, { recursive: true, force: true }))

/** Only the given variables are set, besides PATH and the folder of the key that signs journals. `limits` are commands of
 * the shell that come first, such as `ulimit -f 0`. */
export function startAssay(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cwd = process.cwd(),
  limits?: string,
): Child {
  const variables = { PATH: process.env.PATH, ASSAY_STATE_DIR: state, ...env }
  const command = [process.execPath, bin, ...args]
  const [file = '', ...rest] =
    limits === undefined ? command : ['bash', '-c', `${limits} && exec "$@"`, 'bash', ...command]
  const child = spawn(file, rest, { cwd, env: variables })
  let out = ''
  let err = ''
  const listeners = new Set<() => void>()
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
    for (const listener of listeners) listener()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
    for (const listener of listeners) listener()
  })
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, out, err })))
  const said = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (!`${out}${err}`.includes(text)) return
        listeners.delete(look)
        resolve()
      }
      listeners.add(look)
      look()
      void ended.then(() => reject(new Error(`ended without saying "${text}":\n${out}${err}`)))
    })
  return { process: child, said, ended }
}

/** What a process of its own comes to. Tests that are not about the process itself take `assay`. */
export const assayProcess = (
  args: readonly string[],
  env?: NodeJS.ProcessEnv,
  cwd?: string,
  limits?: string,
): Promise<Ended> => startAssay(args, env, cwd, limits).ended

/** A stream that is no terminal, as that of a pipe. */
function keptIn(parts: string[]): NodeJS.WriteStream {
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _, done) {
      parts.push(String(chunk))
      done()
    },
  })
  return stream as unknown as NodeJS.WriteStream
}

/** Runs a command in this process. Only the given variables are set, as in a process of its own; whatever reads those of
 * the process itself, such as the folder for temporary files, sees those of the tests. */
export async function assay(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const [out, err]: [string[], string[]] = [[], []]
  const streams = { stdout: keptIn(out), stderr: keptIn(err) }
  const terminal = openTerminal(streams, { ASSAY_STATE_DIR: state, ...env }, new AbortController().signal)
  const code = await perform(args, terminal)
  return { code, out: out.join(''), err: err.join('') }
}
