/** Finds out which server a command is about, if no flag says so: the profile of the project, then the variables of the
 * products' own command lines, and else the embedded reference server. */
import { didYouMean, nearest } from '../select/nearest.ts'
import type { TargetFlags } from '../targets/resolve.ts'
import { UsageError } from '../targets/usage-error.ts'
import { findProfile } from './found-profile.ts'
import { addressIn } from './variables.ts'

/** The address that names the embedded reference server, whatever the environment says. */
const embeddedWord = 'embedded'

export interface Named<Flags extends TargetFlags> {
  /** With a target or a profile, unless the embedded reference server is meant. */
  readonly flags: Flags
  /** What was found and is not used, in words. */
  readonly refused?: string
}

interface Surroundings {
  readonly env: NodeJS.ProcessEnv
  readonly folder: string
}

/** `word` is the address beside the flags. Throws `UsageError` if it and a flag both name a target. */
export function nameTarget<Flags extends TargetFlags & { readonly literal?: boolean }>(
  flags: Flags,
  word: string | undefined,
  surroundings: Surroundings,
): Named<Flags> {
  const typed = typedTarget(flags, word)
  if (typed.target === embeddedWord) return { flags: withoutTarget(typed) }
  const isNamed = typed.target !== undefined || typed.profile !== undefined || flags.literal
  return isNamed ? { flags: typed } : impliedTarget(typed, surroundings)
}

/** Takes the word beside the flags for the target: a profile, or an address. */
export function typedTarget<Flags extends TargetFlags>(flags: Flags, word: string | undefined): Flags {
  if (word === undefined) return flags
  if (flags.target !== undefined)
    throw new UsageError('the address and --target both name a target: remove one of them')
  if (/\.ya?ml$/.test(word)) return withProfile(flags, word)
  assertAddress(word)
  return { ...flags, target: word }
}

function assertAddress(word: string): void {
  const near = /[:/.]/.test(word) || word === embeddedWord ? [] : nearest(word, [embeddedWord])
  if (near.length > 0) throw new UsageError(`unknown server "${word}"${didYouMean(near)}`)
}

/** Nobody typed a target. */
function impliedTarget<Flags extends TargetFlags>(flags: Flags, { env, folder }: Surroundings): Named<Flags> {
  const found = findProfile(folder)
  if (found?.path !== undefined)
    return { flags: { ...flags, profile: found.path, namedBy: `${found.path}, the profile found here` } }
  const refused = found?.refused === undefined ? {} : { refused: found.refused }
  const address = addressIn(env)
  return { flags: address ? { ...flags, target: address.value, namedBy: address.name } : flags, ...refused }
}

function withProfile<Flags extends TargetFlags>(flags: Flags, profile: string): Flags {
  if (flags.profile === undefined) return { ...flags, profile }
  throw new UsageError(`${profile} and --profile both name a target: remove one of them`)
}

function withoutTarget<Flags extends TargetFlags>({ target: _, ...flags }: Flags): Flags {
  if (flags.profile !== undefined) throw new UsageError('the embedded server has no profile: leave --profile out')
  return flags as Flags
}
