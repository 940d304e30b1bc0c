import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { childEnvironment } from '../safety/child-environment.ts'
import { UsageError } from '../targets/usage-error.ts'
import { advised } from '../vocabulary/advised.ts'
import { exitCodes } from '../vocabulary/words.ts'
import { type CommandTable, commandOf, type TabledCommand } from './options/flag.ts'
import type { Terminal } from './output/terminal.ts'

const table: CommandTable = {
  name: 'open',
  says: 'show the last report in your browser',
  words: { form: '[folder]', says: 'the output folder of a run or a comparison (assay-report)', values: 'folders' },
  flags: {},
  more: `
Prints the path of the report as well. Without a desktop, it only does that.

Examples:
  assay open
  assay open nightly`,
}

/** What a browser can show, the first that is there. */
const pages = ['report.html', 'compare.html', 'allure-report.html', 'faults.html']

export const openCommand = (terminal: Terminal, settle: (code: number) => void): TabledCommand =>
  commandOf(table, async (_, [folder = 'assay-report']) => {
    const page = pages.map((name) => join(folder, name)).find((file) => existsSync(file))
    if (page === undefined)
      throw new UsageError(`${folder} has no report to show: run "${advised.run()}" first, or give the folder of a run`)
    terminal.out(page)
    const opener = openerFor(process.platform, terminal.env)
    if (opener) await started(opener, resolve(page), terminal)
    settle(exitCodes.conformant)
  })

/** The program of the desktop that opens a file. */
export function openerFor(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): readonly string[] | undefined {
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['explorer.exe']
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined
}

/** A browser needs to know its display, and gets no secret of this process. */
const shown = ['DISPLAY', 'WAYLAND_DISPLAY', 'XDG_RUNTIME_DIR', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS'] as const

async function started(
  [program = '', ...args]: readonly string[],
  page: string,
  { env, say }: Terminal,
): Promise<void> {
  const display = Object.fromEntries(shown.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
  const child = spawn(program, [...args, page], {
    ...{ detached: true, stdio: 'ignore' },
    env: { ...childEnvironment(env), ...display },
  })
  await new Promise<void>((done) => {
    child.once('spawn', done)
    child.once('error', () => {
      say(`${program} cannot be started: open the file yourself`)
      done()
    })
  })
  child.unref()
}
