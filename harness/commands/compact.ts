import { replaceFile } from '../safety/files.ts'
import { UsageError } from '../targets/usage-error.ts'
import { exitCodes } from '../vocabulary/index.ts'
import { type CommandTable, commandOf, type TabledCommand } from './options/flag.ts'
import { readResult } from './output/result-file.ts'
import type { Terminal } from './output/terminal.ts'
import { systemWords } from './output/written-reports.ts'

const examples = `
The compact form has verdicts and causes, and no exchanges. It is small enough to be committed, and "assay compare"
reads it.

Examples:
  assay compact assay-report/result.json --out results/compact.json`

const table: CommandTable = {
  name: 'compact',
  says: 'write the compact form of a result: verdicts and causes, without the exchanges',
  words: { form: '<result>', says: 'a result.json', values: 'files' },
  flags: { output: [{ flag: '--out <file>', says: 'file to write', values: 'files', default: 'compact.json' }] },
  more: examples,
}

export const compactCommand = (terminal: Terminal, settle: (code: number) => void): TabledCommand =>
  commandOf<{ readonly out: string }>(table, async ({ out }, [file = '']) => {
    const [{ compactOf }, { compactText }] = await Promise.all([
      import('../compare/compact.ts'),
      import('../compare/compact-text.ts'),
    ])
    const text = compactText(compactOf(await readResult(file)))
    try {
      replaceFile(out, text, 0o644)
    } catch (error) {
      throw new UsageError(`${out} cannot be written (${systemWords(error)}): name another file with --out`)
    }
    terminal.out(out)
    settle(exitCodes.conformant)
  })
