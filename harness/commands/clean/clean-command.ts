import { advised, quotedWord } from '../../vocabulary/index.ts'
import type { TargetFlags } from '../options/options.ts'

/** The flags that are needed to reach the target of a run again, in the usual order. */
export const passedOn = [
  ['target', '--target'],
  ['profile', '--profile'],
  ['caCert', '--ca-cert'],
  ['clientCert', '--client-cert'],
  ['clientKey', '--client-key'],
] as const satisfies readonly (readonly [keyof TargetFlags, string])[]

export type FlagsOfRun = TargetFlags & { readonly out: string }

/** Returns a command line, ready to be copied, that cleans up what a run has left. `activeUrl` is the address of the
 * active node, if the run leaves that to another one; with a profile, the profile names its host. */
export function cleanCommandFor(flags: FlagsOfRun, activeUrl?: string): string {
  const target = activeUrl !== undefined && flags.profile === undefined ? activeUrl : flags.target
  const given = passedOn.flatMap(([name, flag]) => {
    const value = name === 'target' ? target : flags[name]
    return value === undefined ? [] : [flag, quotedWord(value)]
  })
  return advised.clean(...given, ...(flags.insecure ? ['--insecure'] : []), '--out', quotedWord(flags.out))
}

/** Returns the lines that tell how to clean up what a file names. */
export function cleanUpLines(
  file: string,
  flags: FlagsOfRun,
  { activeUrl, lacked = [] }: { readonly activeUrl?: string | undefined; readonly lacked?: readonly string[] } = {},
): readonly string[] {
  const command = `  ${cleanCommandFor(flags, activeUrl)}`
  const granted = lacked.length > 0 ? `, with a token that has ${lacked.join(', and ')}` : ''
  const cleans = `this command tries to clean it up${granted}:`
  if (activeUrl === undefined) return [`${file} names what was left; ${cleans}`, command]
  const elsewhere = `${file} names what was left, and the active node says that it is at ${activeUrl}. If that is right`
  if (flags.profile === undefined) return [`${elsewhere}, ${cleans}`, command]
  return [`${elsewhere}, add ${new URL(activeUrl).host} to "allowedHosts" in ${flags.profile}; then ${cleans}`, command]
}
