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

/** Returns a command line, ready to be copied, that cleans up what a run has left. */
export function cleanCommandFor(flags: TargetFlags & { readonly out: string }): string {
  const given = passedOn.flatMap(([name, flag]) => {
    const value = flags[name]
    return value === undefined ? [] : [flag, quotedWord(value)]
  })
  return advised.clean(...given, ...(flags.insecure ? ['--insecure'] : []), '--out', quotedWord(flags.out))
}
