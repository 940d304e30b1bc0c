import { exitCodes } from '../vocabulary/index.ts'
import { type CommandTable, commandOf, type TabledCommand } from './options/flag.ts'
import { oneLine } from './output/one-line.ts'
import type { Terminal } from './output/terminal.ts'
import { counted } from './output/wording.ts'
import { showTexts } from './progress.ts'
import type { VettedStep } from './vet/steps.ts'

const examples = `
Goes through the steps of "How to add a check" in suites/README.md, in their order, and says what the check still lacks:
its row, control, witness and mutants; whether it passes on correct servers and notices its mutants; its id in the
snapshot. It is for a checkout of the project.

Examples:
  assay vet policies/errors/acl-create-without-policy-is-refused`

const table: CommandTable = {
  name: 'vet',
  says: 'say what a check still lacks, for whoever writes one',
  words: { form: '<address>', says: 'the address of one check', values: 'checks' },
  flags: {},
  more: examples,
}

export const vetCommand = (terminal: Terminal, settle: (code: number) => void): TabledCommand =>
  commandOf<object>(table, async (_, [address = '']) => {
    const { stepsOf } = await import('./vet/steps.ts')
    let lacking = 0
    for await (const step of stepsOf(address, showTexts(terminal), terminal.signal)) {
      show(step, terminal)
      if (step.lacks.length > 0) lacking += 1
    }
    terminal.out('')
    terminal.out(lacking === 0 ? 'nothing is missing' : `${counted(lacking, 'step')} to do, the first one first`)
    settle(exitCodeOf(lacking, terminal.signal))
  })

function show({ step, says, lacks }: VettedStep, terminal: Terminal): void {
  terminal.live('')
  const state = lacks.length === 0 ? terminal.paint('green', 'ok') : terminal.paint('red', 'lacks')
  terminal.painted(`${state}  ${oneLine(says === undefined ? step : `${step}: ${says}`)}`)
  for (const line of lacks) terminal.out(`       ${line}`)
}

function exitCodeOf(lacking: number, { aborted }: AbortSignal): number {
  if (aborted) return exitCodes.interrupted
  return lacking === 0 ? exitCodes.conformant : exitCodes.defect
}
