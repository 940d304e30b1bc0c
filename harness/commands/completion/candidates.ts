/** Completes a command line. The candidates come from the tables of the commands, so each flag and each name of a closed
 * set is among them. */
import { areas } from '../../vocabulary/words.ts'
import {
  type CommandTable,
  type Flag,
  flagsOf,
  type NamedSet,
  nameOf,
  takesValue,
  type Words,
} from '../options/flag.ts'

export interface Known {
  readonly commands: readonly string[]
  table(command: string): Promise<CommandTable | undefined>
  names(set: NamedSet): Promise<readonly string[]>
}

/** Returns what can stand in place of the last word. No candidates let the shell complete the names of files. */
export async function candidatesFor(words: readonly string[], known: Known): Promise<readonly string[]> {
  const [command = '', ...rest] = words
  if (rest.length === 0) return startingWith(command, [...known.commands, '--help', '--version'])
  const table = await known.table(command)
  if (!table) return []
  const current = rest.at(-1) ?? ''
  const rows = flagsOf(table).filter(({ isHidden }) => !isHidden)
  const before = rows.find((row) => takesValue(row) && nameOf(row) === rest.at(-2))
  if (before) return valuesOf(before, current, known)
  const [, name = '', value = ''] = /^(--[a-z-]+)=(.*)$/.exec(current) ?? []
  const assigned = rows.find((row) => nameOf(row) === name)
  if (assigned) return (await valuesOf(assigned, value, known)).map((one) => `${name}=${one}`)
  if (current.startsWith('-')) return startingWith(current, [...rows.map(nameOf), '--help', '--all'])
  return startingWith(current, await namesIn(table.words?.values, current, known))
}

/** In a list, the part after the last comma is completed. */
async function valuesOf({ values, isList }: Flag, current: string, known: Known): Promise<readonly string[]> {
  const at = isList ? current.lastIndexOf(',') + 1 : 0
  const [given, part] = [current.slice(0, at), current.slice(at)]
  return startingWith(part, await namesIn(values, part, known)).map((one) => `${given}${one}`)
}

async function namesIn(
  values: Words | NamedSet | undefined,
  current: string,
  known: Known,
): Promise<readonly string[]> {
  if (values === undefined || values === 'files' || values === 'folders') return []
  if (typeof values === 'object') return values.of
  return values === 'checks' ? levelOf(await known.names('checks'), current) : known.names(values)
}

/** Offers areas first, then the topics of an area, then the checks of a topic: all at once would be thousands. */
function levelOf(checks: readonly string[], current: string): readonly string[] {
  const depth = current.replace(/^!/, '').split('/').length
  const sign = current.startsWith('!') ? '!' : ''
  if (depth === 1) return areas.map((area) => `${sign}${area}/`)
  const cut = (id: string) => `${sign}${id.split('/').slice(0, depth).join('/')}${depth === 2 ? '/' : ''}`
  return checks.map(cut)
}

const startingWith = (text: string, all: readonly string[]): readonly string[] =>
  [...new Set(all)].filter((one) => one.startsWith(text))
