import { Command } from 'commander'
import { replaceFile } from '../safety/files.ts'
import { UsageError } from '../targets/usage-error.ts'
import { exitCodes } from '../vocabulary/index.ts'
import { notEmpty } from './options.ts'
import { readResult } from './result-file.ts'
import type { Terminal } from './terminal.ts'
import { systemWords } from './written-reports.ts'

const examples = `
The compact form has verdicts and causes, and no exchanges. It is small enough to be committed, and "assay compare"
reads it.

Examples:
  assay compact assay-report/result.json --out results/compact.json`

export const compactCommand = (terminal: Terminal, settle: (code: number) => void): Command =>
  new Command('compact')
    .description('write the compact form of a result: verdicts and causes, without the exchanges')
    .argument('<result>', 'a result.json')
    .option('--out <file>', 'file to write', notEmpty, 'compact.json')
    .addHelpText('after', examples)
    .action(async (file: string, { out }: { readonly out: string }) => {
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
