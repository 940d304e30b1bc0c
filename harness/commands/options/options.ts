/** Flags that several commands share, and parsers for values. */
import { InvalidArgumentError } from 'commander'
import type { TargetFlags } from '../../targets/resolve.ts'
import { UsageError } from '../../targets/usage-error.ts'
import { type Area, areas, type Level, levels } from '../../vocabulary/words.ts'
import type { Flag } from './flag.ts'

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

export interface SelectionFlags {
  readonly area?: readonly Area[]
  readonly check?: readonly string[]
  readonly level: Level
}

export const areaFlag: Flag = {
  flag: '--area <area>',
  says: 'only this area (repeatable, or several separated by commas)',
  values: { of: areas, what: 'area' },
  isList: true,
}

export const selectionFlags: readonly Flag[] = [
  areaFlag,
  {
    flag: '--check <glob>',
    says: 'only checks whose address matches, such as "policies/errors/*"; "!pki/*" excludes (repeatable)',
    values: 'checks',
    isList: true,
  },
  {
    flag: '--level <level>',
    says: 'must: only checks that decide the run; should: also those that warn',
    values: { of: levels.filter((level) => level !== 'info'), what: 'level' },
    default: 'should',
    isRare: true,
  },
]

export const outFlag = (says: string, standard: string): Flag => ({
  flag: '--out <folder>',
  says,
  default: standard,
  // An empty name gets a message of its own, before anything is sent.
  parse: (text: string) => text,
  values: 'folders',
})

/** The address may be given beside the flags. */
export const addressWord = {
  form: '[address]',
  says: 'the server: its URL, its profile (a .yaml file), or "embedded" for the embedded reference server',
  values: 'files',
} as const

/** The flags that describe one server. */
export const targetFlags: readonly Flag[] = [
  { flag: '--target <url>', says: 'the same as the address' },
  { flag: '--profile <file>', says: 'a YAML file that describes the target', values: 'files' },
  { flag: '--ca-cert <file>', says: 'PEM file with the certificate authorities to trust', values: 'files' },
  { flag: '--client-cert <file>', says: 'PEM file with a client certificate', values: 'files', isRare: true },
  { flag: '--client-key <file>', says: 'PEM file with its key', values: 'files', isRare: true },
  { flag: '--insecure', says: "do not verify the target's certificate (every report warns about it)", isRare: true },
  {
    flag: '--timeout <seconds>',
    says: 'timeout of one request',
    parse: number(0.001, false, longestSeconds),
    isRare: true,
  },
  {
    flag: '--max-rps <n>',
    says: 'maximum number of requests per second over all checks; 0 means unlimited',
    parse: number(0),
  },
  { flag: '--token <token>', says: '', parse: refuseToken, isHidden: true },
]

function refuseToken(): never {
  throw new UsageError(
    'a token on the command line can be read by every user of this machine and stays in the shell history: ' +
      'set ASSAY_TOKEN, or "token" or "tokenFile" in a profile',
  )
}

export type { TargetFlags }
