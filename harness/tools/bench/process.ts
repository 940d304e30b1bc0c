import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { request } from 'undici'

export interface Peer {
  readonly name: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds from spawn to the first 200. */
  readonly startMs: number
  readonly pid: number
  stop(): Promise<void>
}

export interface PeerPlan {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  /** Finds the URL of the resource, and headers for it, in the output of the process. Returns undefined until they
   * are printed. */
  ready(output: string): { readonly url: string; readonly headers?: Readonly<Record<string, string>> } | undefined
  readonly timeoutMs?: number
}

/** Starts a server as a separate process and waits until its resource answers 200. Throws, with the end of its
 * output, if the process ends or does not answer in time. */
export async function startPeer(plan: PeerPlan, environment: Readonly<Record<string, string>> = {}): Promise<Peer> {
  const startedAt = performance.now()
  const child = spawn(plan.command, plan.args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: { ...process.env, ...environment },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const deadline = startedAt + (plan.timeoutMs ?? 20_000)
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`${plan.name} ended with ${child.exitCode}: ${output.slice(-500)}`)
    const ready = plan.ready(output)
    if (ready && (await answers(ready.url, ready.headers ?? {}))) {
      const { url, headers = {} } = ready
      return {
        name: plan.name,
        url,
        headers,
        startMs: performance.now() - startedAt,
        pid: child.pid ?? 0,
        stop: () => stop(child),
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await stop(child)
  throw new Error(`${plan.name} did not answer in time: ${output.slice(-500)}`)
}

async function answers(url: string, headers: Readonly<Record<string, string>>): Promise<boolean> {
  try {
    const reply = await request(url, { headers })
    await reply.body.dump()
    return reply.statusCode === 200
  } catch {
    return false
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  // The whole process group is killed, because npx starts the server as a grandchild.
  process.kill(-child.pid, 'SIGKILL')
  await ended
}

/** Returns a number of a process, and of each that it has started, directly or not: a supervised server computes in the
 * second process. Empty if the system does not report it. */
function inTree(pid: number, read: (pid: number) => number): readonly number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
    return [read(pid), ...children.flatMap((child) => inTree(Number(child), read))]
  } catch {
    return []
  }
}

const sumOf = (numbers: readonly number[]): number | undefined =>
  numbers.length === 0 ? undefined : numbers.reduce((sum, number) => sum + number, 0)

/** Returns a value in kB from the status of a process; 0 if the process has ended. */
const kilobytesOf = (pid: number, pattern: RegExp): number =>
  Number(pattern.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)

const cpuOfOne = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Returns the CPU time so far of a process and those that it has started, in milliseconds, or undefined if the system does
 * not report it. */
export const cpuOf = (pid: number): number | undefined => sumOf(inTree(pid, cpuOfOne))

/** Returns the CPU time in seconds of the processes that this one has started and that have ended, with those that they had
 * started; NaN if the system does not report it. */
export function cpuOfEnded(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[13]) + Number(fields[14])) / 100
  } catch {
    return Number.NaN
  }
}

/** Returns the resident memory of a process and those that it has started in MiB, or undefined if the system does not report
 * it. Pages that they share count once for each. */
export const memoryOf = (pid: number): number | undefined =>
  sumOf(inTree(pid, (one) => kilobytesOf(one, /VmRSS:\s+(\d+) kB/) / 1024))

/** Returns the peaks of the resident memory of a process and those that it has started, in MB (a million bytes); empty if the
 * system does not report them. */
export const peaksOf = (pid: number): readonly number[] =>
  inTree(pid, (one) => (kilobytesOf(one, /VmHWM:\s+(\d+) kB/) * 1024) / 1_000_000).filter((peak) => peak > 0)

/** Returns their sum, or undefined if the system does not report them. */
export const peakOf = (pid: number): number | undefined => sumOf(peaksOf(pid))

export const cli = resolve(import.meta.dirname, '../../assay.js')

/** The reference server as users start it. */
export const reference: PeerPlan = {
  name: 'assay',
  command: process.execPath,
  args: [cli, 'serve', '--port', '0', '--json'],
  ready: (output) => {
    const line = output.split('\n').find((text) => text.startsWith('{'))
    if (!line) return undefined
    const { url, token } = JSON.parse(line) as { url: string; token: string }
    return { url: `${url}/v1/sys/health`, headers: { 'x-vault-token': token } }
  },
}
