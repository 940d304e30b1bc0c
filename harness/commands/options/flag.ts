/** A command as data: its flags are rows of a table, from which parsing, help, completion, near names and the page
 * `harness/flags.md` are made. */
import { Command, type Help, InvalidArgumentError, Option } from 'commander'
import { didYouMean, nearest } from '../../select/nearest.ts'

/** Names that are only known when they are needed. The command that gets them rejects those that do not exist. */
export type NamedSet = 'checks' | 'mutants' | 'products' | 'differences' | 'ids' | 'files' | 'folders'

/** Words of which a value has to be one, and what one of them is called. */
export interface Words {
  readonly of: readonly string[]
  readonly what: string
}

export interface Flag {
  /** As a user reads it: `--area <area>`, `--json`, `--no-sweep`. */
  readonly flag: string
  readonly says: string
  readonly values?: Words | NamedSet
  /** The flag may be repeated, and its values may be separated by commas. */
  readonly isList?: true
  /** Replaces what `values` and `isList` imply. */
  readonly parse?: (text: string, before: never) => unknown
  readonly default?: unknown
  /** How help shows the default, if not as it is. */
  readonly defaultSays?: string
  readonly conflicts?: string
  readonly isRequired?: true
  /** Only `--help --all` and the page of flags show it. */
  readonly isRare?: true
  /** Nothing shows it: it only refuses, and says what to do instead. */
  readonly isHidden?: true
}

export const flagGroups = {
  target: 'Target',
  selection: 'Selection',
  safety: 'Safety',
  output: 'Output',
  gate: 'Gate',
  server: 'Server',
  nodes: 'Nodes',
  proof: 'Proof',
} as const
export type FlagGroup = keyof typeof flagGroups

export interface CommandTable {
  readonly name: string
  readonly says: string
  /** Such as `<result>`, `[address]` or `<servers...>`. */
  readonly words?: { readonly form: string; readonly says: string; readonly values?: NamedSet | Words }
  /** In the order in which help shows the groups. */
  readonly flags: { readonly [Group in FlagGroup]?: readonly Flag[] }
  /** Shown below the flags: what else to know, and examples. */
  readonly more: string
}

export const flagsOf = ({ flags }: CommandTable): readonly Flag[] => Object.values(flags).flat()

/** Returns the name of a flag: `--area` of `--area <area>`. */
export const nameOf = ({ flag }: Flag): string => flag.split(' ')[0] ?? flag

export const takesValue = ({ flag }: Flag): boolean => /[<[]/.test(flag)

/** Returns the known word; throws commander's error for a wrong argument if there is none. */
export function known<Word extends string>(given: string, words: readonly Word[], what: string): Word {
  const word = words.find((candidate) => candidate === given)
  if (word) return word
  const near = didYouMean(nearest(given, words))
  throw new InvalidArgumentError(`There is no ${what} "${given}"${near || `; known are ${words.join(', ')}.`}`)
}

/** Parses one value of a flag that may be repeated and whose values may be separated by commas. Rejects an empty
 * value: it usually comes from a variable that is not set, and would select everything. */
const severalGiven = (text: string, before: readonly string[] = []): readonly string[] => {
  const given = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  if (given.length === 0) throw new InvalidArgumentError('It is empty: give a name, or leave it out.')
  return [...before, ...given]
}

/** Rejects an empty value, which would otherwise count as not given. */
const notEmpty = (text: string): string => {
  if (text.trim() === '') throw new InvalidArgumentError('It is empty: give a path, or leave it out.')
  return text
}

/** A value that is given replaces the default list instead of being added to it. */
function parserOf({ values, isList, default: standard }: Flag) {
  const word = (text: string) => (typeof values === 'object' ? known(text, values.of, values.what) : text)
  if (isList)
    return (text: string, before: readonly string[] = []) => [
      ...(before === standard ? [] : before),
      ...severalGiven(text).map(word),
    ]
  if (typeof values === 'object') return word
  return values === 'files' || values === 'folders' ? notEmpty : undefined
}

export function optionOf(row: Flag, group?: FlagGroup): Option {
  const option = new Option(row.flag, row.says)
  if (group) option.helpGroup(`${flagGroups[group]}:`)
  const parse = row.parse ?? parserOf(row)
  if (parse) option.argParser(parse as (text: string, before: unknown) => unknown)
  if (row.default !== undefined) option.default(row.default, row.defaultSays)
  if (row.conflicts !== undefined) option.conflicts(row.conflicts)
  if (row.isRequired) option.makeOptionMandatory()
  if (row.isHidden) option.hideHelp()
  return option
}

const hasRare = (table: CommandTable): boolean => flagsOf(table).some(({ isRare }) => isRare)

/** The short help fits on a screen. */
const fewExamples = 4

function withFewExamples(text: string): string {
  let seen = 0
  const isShown = (line: string): boolean => !line.startsWith('  ') || ++seen <= fewExamples
  return text.split('\n').filter(isShown).join('\n')
}

/** A command that was made from its table. */
export class TabledCommand extends Command {
  readonly table: CommandTable
  /** True for `--help --all`. */
  showsAll = false

  constructor(table: CommandTable) {
    super(table.name)
    this.table = table
  }

  /** Takes over the settings of the program that this is a command of. */
  inherit(program: Command, showsAll: boolean): void {
    this.copyInheritedSettings(program)
    this.showsAll = showsAll
    const more = hasRare(this.table) ? '; with --all, also the flags that are rarely needed' : ''
    this.helpOption('-h, --help', `show this help${more}`)
  }

  override createHelp(): Help {
    const help = super.createHelp()
    const visible = help.visibleOptions.bind(help)
    const rare = new Set(flagsOf(this.table).flatMap((row) => (row.isRare ? [nameOf(row)] : [])))
    help.visibleOptions = (command) =>
      visible(command).filter(({ long }) => this.showsAll || long == null || !rare.has(long))
    return help
  }
}

/** Makes a command of its table. `act` also gets the words beside the flags, and which flags were typed. */
export function commandOf<Flags>(
  table: CommandTable,
  act: (flags: Flags, words: readonly string[], isTyped: (name: string) => boolean) => unknown,
): TabledCommand {
  const command = new TabledCommand(table)
  command.description(table.says)
  if (table.words) command.argument(table.words.form, table.words.says)
  for (const [group, rows = []] of Object.entries(table.flags) as [FlagGroup, readonly Flag[] | undefined][])
    for (const row of rows) command.addOption(optionOf(row, group))
  command.addHelpText('after', () =>
    command.showsAll || !hasRare(table)
      ? table.more
      : `${withFewExamples(table.more)}\n\nAll flags, and more examples: assay ${table.name} --help --all`,
  )
  return command.action(async () => {
    const isTyped = (name: string) => command.getOptionValueSource(name) === 'cli'
    await act(command.opts() as Flags, command.args, isTyped)
  })
}
