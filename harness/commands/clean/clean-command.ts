import type { TargetFlags } from '../options.ts'

/** The flags that it takes to reach the target of a run again, in the order in which people write them. */
export const passedOn = [
  ['target', '--target'],
  ['profile', '--profile'],
  ['caCert', '--ca-cert'],
  ['clientCert', '--client-cert'],
  ['clientKey', '--client-key'],
] as const satisfies readonly (readonly [keyof TargetFlags, string])[]

/** A word of a shell. */
export const quoted = (text: string): string =>
  /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/** The command line that takes back what a run has left, to be copied. */
export function cleanCommandFor(flags: TargetFlags & { readonly out: string }): string {
  const given = passedOn.flatMap(([name, flag]) => {
    const value = flags[name]
    return value === undefined ? [] : [flag, quoted(value)]
  })
  return ['npx assay clean', ...given, ...(flags.insecure ? ['--insecure'] : []), '--out', quoted(flags.out)].join(' ')
}
