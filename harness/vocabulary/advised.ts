/** The commands that Assay tells its users to run. No other module writes one into a text, and a test runs each exactly
 * as it is printed. */

export const quotedWord = (text: string): string =>
  /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

const command =
  (name: string) =>
  (...words: readonly string[]): string =>
    ['npx assay', name, ...words].join(' ')

export const advised = {
  run: command('run'),
  /** Judges the reference server, whatever the environment and the folder name. */
  embedded: (...words: readonly string[]) => command('run')('embedded', ...words),
  /** Shows what a run would send. */
  plan: () => command('plan')(),
  clean: command('clean'),
  /** Makes the reports of a run that was cut off. */
  render: (folder: string) => command('render')(quotedWord(folder)),
  /** Writes a list of accepted findings. */
  accept: (result = 'assay-report/result.json') =>
    command('accept')('--from', quotedWord(result), '--out', 'accepted.yaml'),
  /** Starts a reference server that serves exactly what the documents state. */
  literal: () => command('serve')('--literal'),
  /** Prints the policy that a token needs. */
  policy: () => command('plan')('--policy'),
  checks: () => command('list')(),
  mutants: () => command('list')('--mutants'),
} as const
