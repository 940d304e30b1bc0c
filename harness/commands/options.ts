/** Options that several commands share, and parsers for their values. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { didYouMean, nearest } from '../select/nearest.ts'
import type { TargetFlags } from '../targets/resolve.ts'
import { UsageError } from '../targets/usage-error.ts'
import { type Area, areas, type Level, levels } from '../vocabulary/words.ts'

/** The longest time for a timer of Node, in seconds: beyond it, the timer would fire at once. */
const longestSeconds = 2_000_000

/** Makes a parser for a number from `least` to `most`; `whole` rejects fractions. */
export function number(least: number, whole = false, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (
      text.trim() === '' ||
      !Number.isFinite(value) ||
      value < least ||
      value > most ||
      (whole && !Number.isInteger(value))
    )
      throw new InvalidArgumentError(
        `Give a ${whole ? 'whole ' : ''}number ${most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`}.`,
      )
    return value
  }
}

const secondsOf: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 }

/** Parses a duration into seconds: `90`, `30m`, `1h30m`. */
export function duration(text: string): number {
  const parts = /^\d+$/.test(text) ? [`${text}s`] : (text.match(/\d{1,15}[hms]/g) ?? [])
  const seconds = parts.reduce((sum, part) => sum + Number(part.slice(0, -1)) * (secondsOf[part.slice(-1)] ?? 0), 0)
  const isWhole = parts.join('') === text || /^\d+$/.test(text)
  if (isWhole && seconds >= 1 && seconds <= longestSeconds) return seconds
  throw new InvalidArgumentError('Give seconds, or a time such as 90s, 30m or 1h30m.')
}

/** Parses one value of an option that may be repeated and whose values may be separated by commas. Rejects an empty
 * value: it usually comes from a variable that is not set, and would select everything. */
export const severalGiven = (text: string, before: readonly string[] = []): readonly string[] => {
  const given = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  if (given.length === 0) throw new InvalidArgumentError('It is empty: give a name, or leave it out.')
  return [...before, ...given]
}

/** Rejects an empty value, which would otherwise count as not given. */
export const notEmpty = (text: string): string => {
  if (text.trim() === '') throw new InvalidArgumentError('It is empty: give a path, or leave it out.')
  return text
}

export interface SelectionFlags {
  readonly area?: readonly Area[]
  readonly check?: readonly string[]
  readonly level: Level
}

/** Returns the known word; throws commander's error for a wrong argument if there is none. */
export function known<Word extends string>(given: string, words: readonly Word[], what: string): Word {
  const word = words.find((candidate) => candidate === given)
  if (word) return word
  const near = didYouMean(nearest(given, words))
  throw new InvalidArgumentError(`There is no ${what} "${given}"${near || `; known are ${words.join(', ')}.`}`)
}

const oneOf =
  <Word extends string>(words: readonly Word[], what: string) =>
  (text: string, before: readonly Word[] = []): readonly Word[] =>
    severalGiven(text, before).map((given) => known(given, words, what))

export const areaOption = () =>
  new Option('--area <area>', 'only this area (repeatable, or several separated by commas)').argParser(
    oneOf(areas, 'area'),
  )

export const selectionOptions = (command: Command): Command =>
  command
    .addOption(areaOption())
    .option(
      '--check <glob>',
      'only checks whose address matches, such as "policies/errors/*"; "!pki/*" excludes (repeatable)',
      severalGiven,
    )
    .addOption(
      new Option('--level <level>', 'must: only checks that decide the run; should: also those that warn')
        .choices(levels.filter((level) => level !== 'info'))
        .default('should'),
    )

export const targetOptions = (command: Command): Command =>
  command
    .option('--target <url>', 'the server to test; its token is read from ASSAY_TOKEN')
    .option('--profile <file>', 'a YAML file that describes the target', notEmpty)
    .option('--ca-cert <file>', 'PEM file with the certificate authorities to trust', notEmpty)
    .option('--client-cert <file>', 'PEM file with a client certificate', notEmpty)
    .option('--client-key <file>', 'PEM file with its key', notEmpty)
    .option('--insecure', "do not verify the target's certificate (every report warns about it)")
    .option('--timeout <seconds>', 'timeout of one request', number(0.001, false, longestSeconds))
    .option('--max-rps <n>', 'maximum number of requests per second over all checks; 0 means unlimited', number(0))
    .addOption(new Option('--token <token>').hideHelp().argParser(refuseToken))

function refuseToken(): never {
  throw new UsageError(
    'a token on the command line can be read by every user of this machine and stays in the shell history: ' +
      'set ASSAY_TOKEN, or "token" or "tokenFile" in a profile',
  )
}

export type { TargetFlags }
