import { createFile } from '../safety/files.ts'
import { UsageError } from '../targets/usage-error.ts'
import { exitCodes } from '../vocabulary/index.ts'
import { type CommandTable, commandOf, type TabledCommand } from './options/flag.ts'
import { readResult } from './output/result-file.ts'
import type { Terminal } from './output/terminal.ts'
import { counted } from './output/wording.ts'

interface AcceptFlags {
  readonly from: string
  readonly out?: string
}

const examples = `
Each entry is bound to the finding as it was observed: if the check fails differently, the entry no longer applies.
Fill in each reason and owner, change the last day ("until") if you need to, remove what you do not accept, and keep the
list under version control.

Examples:
  assay accept --from assay-report/result.json --out accepted.yaml
  assay run --profile staging.yaml --accept accepted.yaml`

const table: CommandTable = {
  name: 'accept',
  says: 'write a list of the findings of a result, to be filled in and given to "run --accept"',
  flags: {
    output: [
      { flag: '--from <result>', says: 'a result.json', values: 'files', isRequired: true },
      {
        flag: '--out <file>',
        says: 'file to write the list to (default: print it); never overwrites a file',
        values: 'files',
      },
    ],
  },
  more: examples,
}

export const acceptCommand = (terminal: Terminal, settle: (code: number) => void): TabledCommand =>
  commandOf<AcceptFlags>(table, async ({ from, out }) => {
    const document = await readResult(from)
    const { skeletonOf } = await import('../acceptance/skeleton.ts')
    const { text, entries } = skeletonOf(document, new Date())
    if (entries === 0) terminal.say(`${from} has nothing to accept: no check failed, and every must check was verified`)
    else if (out === undefined) for (const line of text.trimEnd().split('\n')) terminal.out(line)
    else {
      writeNew(out, text)
      const items = counted(entries, 'entry', 'entries')
      terminal.say(`${out} has ${items}: fill in each reason and owner, then run with --accept ${out}`)
    }
    settle(exitCodes.conformant)
  })

/** Refuses to overwrite a file, so that a second call does not destroy reasons that someone has typed. */
function writeNew(file: string, text: string): void {
  try {
    createFile(file, text, 0o644)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(
      code === 'EEXIST'
        ? `${file} exists already: name another file, or remove it`
        : `${file} cannot be written (${code}): name another file`,
    )
  }
}
