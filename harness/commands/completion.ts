import { UsageError } from '../targets/usage-error.ts'
import { exitCodes } from '../vocabulary/words.ts'
import type { Known } from './completion/candidates.ts'
import { scripts, shells } from './completion/scripts.ts'
import { type CommandTable, commandOf, known, type NamedSet, type TabledCommand } from './options/flag.ts'
import type { Terminal } from './output/terminal.ts'

const table: CommandTable = {
  name: 'completion',
  says: 'print a script that completes commands, flags, areas, checks, products and mutants in your shell',
  words: { form: '<shell>', says: shells.join(', '), values: { of: shells, what: 'shell' } },
  flags: {},
  more: `
Examples:
  assay completion bash >> ~/.bashrc
  assay completion zsh > "\${fpath[1]}/_assay"
  assay completion fish > ~/.config/fish/completions/assay.fish`,
}

export const completionCommand = (terminal: Terminal, settle: (code: number) => void): TabledCommand =>
  commandOf(table, (_, [shell = '']) => {
    terminal.ownText(scripts[shellOf(shell)])
    settle(exitCodes.conformant)
  })

function shellOf(text: string) {
  try {
    return known(text, shells, 'shell')
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

const completeTable: CommandTable = {
  name: 'complete',
  says: 'print what can stand in place of the last word, for the scripts of "assay completion"',
  words: { form: '[words...]', says: 'the words after "assay"' },
  flags: {},
  more: '',
}

/** Makes the command that the scripts ask. It gets the other commands, because it is one of them itself. */
export const completeCommandOf =
  ({ commands, table: tableOf }: Pick<Known, 'commands' | 'table'>) =>
  (terminal: Terminal, settle: (code: number) => void): TabledCommand =>
    commandOf(completeTable, async (_, words) => {
      const { candidatesFor } = await import('./completion/candidates.ts')
      terminal.outAll(await candidatesFor(words, { commands, table: tableOf, names: namesOf }))
      settle(exitCodes.conformant)
    })

/** Reads only what is asked for, because the shell waits. */
async function namesOf(set: NamedSet): Promise<readonly string[]> {
  if (set === 'products') {
    const [{ knownNames }, { publishedFolder }] = await Promise.all([
      import('../acceptance/known.ts'),
      import('./version.ts'),
    ])
    return knownNames(publishedFolder)
  }
  const { loadMutants, loadOutline } = await import('./output/outline.ts')
  const mutants = async () => (await loadMutants()).map(({ id }) => id)
  const checks = async () =>
    (await loadOutline()).topics.flatMap(({ topic }) => topic.checks.map(({ id }) => `${topic.id}/${id}`))
  const differences = async () => (await import('../../suites/differences/index.ts')).differences.map(({ id }) => id)
  switch (set) {
    case 'checks':
      return checks()
    case 'mutants':
      return mutants()
    case 'differences':
      return differences()
    case 'ids':
      return [
        ...(await checks()),
        ...(await mutants()),
        ...(await loadOutline()).requirements.map(({ id }) => id),
        ...(await differences()),
      ]
    default:
      return []
  }
}
