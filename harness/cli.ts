/** The composition root of the command line. */
import { Command, CommanderError } from 'commander'
import { type CommandTable, flagsOf, nameOf, type TabledCommand } from './commands/options/flag.ts'
import { openTerminal, type Terminal } from './commands/output/terminal.ts'
import { suiteVersion } from './commands/version.ts'
import { didYouMean, nearest } from './select/nearest.ts'
import { type Settled, stopMessage, stopSignals, type TimeBound } from './supervisor.ts'
import { UsageError } from './targets/usage-error.ts'
import { areas, exitCodes } from './vocabulary/words.ts'
import { Interrupted } from './way/interruptions.ts'
import { boundMs } from './wire/bounds.ts'

const exitHelp = `
Exit codes:
  0 conformant   1 non-conformant, or accepted findings are out of date   2 usage or configuration
  3 incomplete, or nothing was decided   4 worse than a baseline, or than the first of several servers
  5 target unreachable   6 defect of the suite   7 something was left behind   130 interrupted

Examples:
  assay run embedded                               all suites against the embedded reference server
  ASSAY_TOKEN=… assay run https://host:8200        judges that server
  assay plan --area policies --policy              the smallest policy that a token needs
  assay serve --port 8200                          the reference server, for clients under test
Each command has examples of its own: assay run --help. All commands: assay --help --all`

/** Each command is loaded only when it is used; the general help loads all of them. */
export const commands = {
  run: async () => (await import('./commands/run.ts')).runCommand,
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  replay: async () => (await import('./commands/replay.ts')).replayCommand,
  provider: async () => (await import('./commands/provider.ts')).providerCommand,
  list: async () => (await import('./commands/list.ts')).listCommand,
  where: async () => (await import('./commands/where.ts')).whereCommand,
  api: async () => (await import('./commands/api.ts')).apiCommand,
  plan: async () => (await import('./commands/plan.ts')).planCommand,
  clean: async () => (await import('./commands/clean.ts')).cleanCommand,
  render: async () => (await import('./commands/render.ts')).renderCommand,
  merge: async () => (await import('./commands/merge.ts')).mergeCommand,
  open: async () => (await import('./commands/open.ts')).openCommand,
  completion: async () => (await import('./commands/completion.ts')).completionCommand,
  compare: async () => (await import('./commands/compare.ts')).compareCommand,
  compact: async () => (await import('./commands/compact.ts')).compactCommand,
  attest: async () => (await import('./commands/verify.ts')).attestCommand,
  verify: async () => (await import('./commands/verify.ts')).verifyCommand,
  accept: async () => (await import('./commands/accept.ts')).acceptCommand,
  selftest: async () => (await import('./commands/selftest.ts')).selftestCommand,
  vet: async () => (await import('./commands/vet.ts')).vetCommand,
} as const satisfies Readonly<Record<string, () => Promise<MakeCommand>>>

export type CommandName = keyof typeof commands

/** The commands by what they are for, as the general help shows them. */
const groups: Readonly<Record<string, readonly CommandName[]>> = {
  'Judge a server:': ['run', 'plan', 'clean'],
  'Read and compare results:': ['open', 'compare', 'render', 'merge', 'compact'],
  'Gate a release:': ['accept', 'attest', 'verify'],
  'Test a client:': ['serve', 'replay', 'provider'],
  'Know the suites:': ['list', 'where', 'api', 'selftest', 'vet'],
  'Set up:': ['completion'],
}

/** The short help leaves these out. */
const rareCommands: ReadonlySet<CommandName> = new Set([
  ...(['render', 'merge', 'compact', 'attest', 'verify', 'replay', 'provider', 'api', 'selftest', 'vet'] as const),
])

const groupOf = (name: string): string =>
  Object.entries(groups).find(([, names]) => (names as readonly string[]).includes(name))?.[0] ?? ''

type MakeCommand = (terminal: Terminal, settle: (code: number) => void) => TabledCommand

async function program(
  terminal: Terminal,
  settle: (code: number) => void,
  [name = '', ...rest]: readonly string[],
): Promise<Command> {
  const showsAll = [name, ...rest].includes('--all')
  const assay = new Command('assay')
    .description('Checks whether a secrets-management server behaves as its API documents say.')
    .version(suiteVersion)
    .addHelpText('after', exitHelp)
    // Lets `serve --version 1.3` reach that command's own option.
    .enablePositionalOptions()
    .showSuggestionAfterError(false)
    .helpOption('-h, --help', 'show this help; with --all, all commands')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: (text) => terminal.ownText(text.trimEnd()), writeErr: () => {} })
  if (name === 'complete') assay.addCommand((await completeCommand())(terminal, settle), { hidden: true })
  const wanted = Object.hasOwn(commands, name) ? [name as CommandName] : Object.values(groups).flat()
  for (const one of wanted) {
    const command = (await commands[one]())(terminal, settle)
    command.inherit(assay, showsAll)
    const hidden = !showsAll && rareCommands.has(command.name() as CommandName)
    assay.addCommand(command.helpGroup(groupOf(command.name())), { hidden })
  }
  return assay
}

/** Only the scripts of `assay completion` call it, so help does not show it. */
async function completeCommand(): Promise<MakeCommand> {
  const { completeCommandOf } = await import('./commands/completion.ts')
  return completeCommandOf({ commands: Object.keys(commands), table: tableOf })
}

const tableOf = async (name: string): Promise<CommandTable | undefined> =>
  Object.hasOwn(commands, name) ? (await commands[name as CommandName]())(noTerminal, () => {}).table : undefined

/** Runs one command line and sets the exit code of the process; never rejects. */
export async function main(args: readonly string[], isSupervised = false): Promise<void> {
  process.on('uncaughtException', endAsDefect)
  const stop = new AbortController()
  const interrupt = isSupervised ? stopOnMessage(stop) : stopOnSignal(stop)
  const listens = isSupervised || cleansUp.has(args[0] ?? '')
  if (listens) for (const signal of stopSignals) process.on(signal, interrupt)
  try {
    const bounded = isSupervised ? { bounded: (bound: TimeBound) => process.send?.(bound) } : {}
    const terminal = openTerminal(process, process.env, stop.signal)
    const code = await perform(args, { ...terminal, ...bounded })
    process.exitCode = code === exitCodes.conformant ? await codeOfOutput(terminal) : code
  } finally {
    for (const signal of stopSignals) process.off(signal, interrupt)
    if (isSupervised) process.send?.({ code: Number(process.exitCode) } satisfies Settled)
  }
}

/** Node itself would end with 1, which would accuse the target. */
function endAsDefect(error: unknown): void {
  process.stderr.write(`assay: ${error instanceof Error ? error.stack : String(error)}\n`)
  process.exit(exitCodes.defect)
}

/** Nobody can rely on a success whose words were lost, such as those of `assay plan --policy > policy.hcl`. */
async function codeOfOutput({ lost, say }: ReturnType<typeof openTerminal>): Promise<number> {
  const why = await lost()
  if (why === undefined) return exitCodes.conformant
  say(`assay: the output cannot be written (${why}): send it elsewhere, and run again`)
  return exitCodes.usage
}

/** The supervisor counts the signals and ends this process when its time is over. On a terminal, this process gets each
 * signal, too. */
function stopOnMessage(stop: AbortController): () => void {
  const interrupt = () => stop.abort(new Interrupted())
  process.on('message', (message) => {
    if (message === stopMessage) interrupt()
  })
  // If the supervisor is killed, this process ends as if it had been killed itself: the journal names what is left.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  process.channel?.unref()
  return interrupt
}

/** The first signal asks a server to stop, and a second one ends the process. */
function stopOnSignal(stop: AbortController): () => void {
  const end = () => process.exit(exitCodes.interrupted)
  return () => {
    if (stop.signal.aborted) end()
    stop.abort(new Interrupted())
    setTimeout(end, boundMs('interrupt')).unref()
  }
}

/** Runs one command line and returns its exit code; never rejects. */
export async function perform(args: readonly string[], terminal: Terminal): Promise<number> {
  let code = 0
  try {
    const settle = (settled: number) => {
      code = settled
    }
    const assay = await program(terminal, settle, args)
    if (args.length === 0) {
      for (const line of assay.helpInformation().split('\n')) terminal.say(line)
      code = exitCodes.usage
    } else await assay.parseAsync([...args], { from: 'user' })
  } catch (error) {
    code = await complain(terminal, error, args)
  } finally {
    terminal.live('')
  }
  return code
}

/** Commands that end by themselves after an interrupt. The others only read and write files, and a signal ends them as it
 * ends any process, even while they are busy with a document. */
const cleansUp: ReadonlySet<string> = new Set(['run', 'serve', 'replay', 'provider', 'clean', 'selftest', 'compare'])

/** Errors whose message gets a hint to `--help`. Commander's other messages already list the allowed values. */
const unexplained: ReadonlySet<string> = new Set([
  'commander.missingArgument',
  'commander.excessArguments',
  'commander.optionMissingArgument',
  'commander.unknownOption',
  'commander.unknownCommand',
])

/** Prints what ended a command, and returns the exit code for it. */
async function complain(terminal: Terminal, error: unknown, args: readonly string[]): Promise<number> {
  const [command] = args
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCodes.conformant
    terminal.say(`assay: ${await wordsOf(error, command)}${severalAreas(error, args)}`)
    return exitCodes.usage
  }
  if (error instanceof UsageError) {
    for (const line of error.message.split('\n')) terminal.say(`assay: ${line}`)
    return exitCodes.usage
  }
  terminal.say('assay: this is a defect of the suite; please report it')
  for (const line of framesOf(error)) terminal.say(line)
  return exitCodes.defect
}

/** Areas that are given as words of their own are too many arguments. */
function severalAreas({ code }: CommanderError, args: readonly string[]): string {
  const named = areas.filter((area) => args.includes(area))
  return code === 'commander.excessArguments' && named.length > 0
    ? `; for several areas: --area ${named.join(',')}`
    : ''
}

async function wordsOf(error: CommanderError, command = ''): Promise<string> {
  const words = error.message
    .replace(/^error: /, '')
    .replaceAll(/(?<!\s)\s*\n\s*/g, ' ')
    .replace(/\.$/, '')
  if (!unexplained.has(error.code)) return words
  const isCommand = Object.hasOwn(commands, command)
  const near = didYouMean(await nearTo(error, command))
  return `${words}${near || `; see "assay ${isCommand ? `${command} ` : ''}--help"`}`
}

/** Returns the flags or commands that are similar to an unknown one. */
async function nearTo({ code, message }: CommanderError, command: string): Promise<readonly string[]> {
  const [, word = ''] = /'([^'=]+)/.exec(message) ?? []
  if (code === 'commander.unknownCommand') return nearest(word, Object.keys(commands))
  const table = await tableOf(command)
  if (code !== 'commander.unknownOption' || !table) return []
  const names = flagsOf(table)
    .filter(({ isHidden }) => !isHidden)
    .map(nameOf)
  const plain = [...names, '--help'].map((one) => one.replace(/^--/, ''))
  return nearest(word.replace(/^-+/, ''), plain).map((one) => `--${one}`)
}

/** A command that is only asked for its table prints nothing. */
const noTerminal = {} as Terminal

function framesOf(error: unknown): readonly string[] {
  // The message may quote a target, so it is printed as one line; the rest are stack frames.
  const { message, stack = message } = error instanceof Error ? error : new Error(String(error))
  const [head = '', frames = ''] = stack.includes(message)
    ? [stack.slice(0, stack.indexOf(message) + message.length), stack.slice(stack.indexOf(message) + message.length)]
    : [message, '']
  return [head, ...frames.split('\n').filter((frame) => frame.trim() !== '')]
}
