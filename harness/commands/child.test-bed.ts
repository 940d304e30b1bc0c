/** Runs the command line: in this process, which is faster, or in a process of its own, as users run it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Writable } from 'node:stream'
import { perform } from '../cli.ts'
import { openTerminal } from './output/terminal.ts'

const bin = resolve(import.meta.dirname, '../assay.js')

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Child {
  readonly process: ChildProcess
  /** Resolves once stdout or stderr contains the text; rejects if the process ends first. */
  said(text: string): Promise<void>
  readonly ended: Promise<Ended>
}

/** A temporary folder for the key that signs journals, so that tests do not create it in the home of the user. */
const state = join(tmpdir(), `assay-state-${process.pid}`)
process.once('exit', () => rmSync(state, { recursive: true, force: true }))

/** Starts a process. Only the given variables are set, besides PATH and the folder of the key that signs journals.
 * `limits` is a shell command to run first, such as `ulimit -f 0`. */
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

/** Runs a command in a process of its own, and returns its exit code and output. Tests that are not about the process
 * itself use `assay`. */
export const assayProcess = (
  args: readonly string[],
  env?: NodeJS.ProcessEnv,
  cwd?: string,
  limits?: string,
): Promise<Ended> => startAssay(args, env, cwd, limits).ended

/** Returns a stream that is not a terminal and collects what is written to it. */
function collectingStream(parts: string[]): NodeJS.WriteStream {
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _, done) {
      parts.push(String(chunk))
      done()
    },
  })
  return stream as unknown as NodeJS.WriteStream
}

/** Runs a command in this process. Only the given variables are set; code that reads the environment of the process
 * itself, such as the folder for temporary files, still sees that of the tests. Tests that give a folder must not run
 * concurrently, because it is that of the whole process meanwhile. */
export async function assay(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cwd?: string,
  signal = new AbortController().signal,
): Promise<Ended> {
  const [out, err]: [string[], string[]] = [[], []]
  const streams = { stdout: collectingStream(out), stderr: collectingStream(err) }
  const terminal = openTerminal(streams, { ASSAY_STATE_DIR: state, ...env }, signal)
  const before = process.cwd()
  if (cwd !== undefined) process.chdir(cwd)
  try {
    const code = await perform(args, terminal)
    return { code, out: out.join(''), err: err.join('') }
  } finally {
    if (cwd !== undefined) process.chdir(before)
  }
}
