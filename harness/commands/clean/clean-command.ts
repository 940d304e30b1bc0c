import type { TargetFlags } from '../options.ts'

/** The flags that are needed to reach the target of a run again, in the usual order. */
export const passedOn = [
  ['target', '--target'],
  ['profile', '--profile'],
  ['caCert', '--ca-cert'],
  ['clientCert', '--client-cert'],
  ['clientKey', '--client-key'],
] as const satisfies readonly (readonly [keyof TargetFlags, string])[]

/** Quotes a text as one word of a shell. */
export const quoted = (text: string): string =>
  /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/** Returns a command line, ready to be copied, that cleans up what a run has left. */
export function cleanCommandFor(flags: TargetFlags & { readonly out: string }): string {
  const given = passedOn.flatMap(([name, flag]) => {
    const value = flags[name]
    return value === undefined ? [] : [flag, quoted(value)]
  })
  return ['npx assay clean', ...given, ...(flags.insecure ? ['--insecure'] : []), '--out', quoted(flags.out)].join(' ')
}
