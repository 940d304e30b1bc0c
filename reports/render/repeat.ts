/** Makes the commands that reproduce a finding: one that judges the check again, and its requests as curl
 * commands. */
import type { CheckResult, RecordedExchange, ResultDocument } from '../../harness/vocabulary/index.ts'
import { visible } from './escape.ts'
import { curlOf } from './html/page/curl.ts'

/** The name of the embedded server. It stopped with the run, and each run of it starts it again. */
const embedded = 'reference server'

/** The maximum length of the curl commands; the details of a check show longer ones. */
const longestCurl = 5000

/** The words of the recorded command that describe the target: those before the selection. The result may be anyone's, so a
 * word that a shell would evaluate is not taken. */
const targetWords = /^npx assay run ((?:(?:[\w.:/@%+,=-]+|'[^'\p{C}]*') )+?)--(?:area|check|level) /u

/** Returns a command such as `npx assay run --profile staging.yaml --check policies/errors/x`. */
export function runCommand({ run, target }: ResultDocument, { id, safety }: CheckResult): string {
  const check = `--check ${shellWord(id)}`
  // Without its name, a profile in the folder or a variable would name another server.
  if (target.name === embedded) return `npx assay run embedded ${check}`
  const [, recorded] = targetWords.exec(run.conditions?.command ?? '') ?? []
  const given = `--target ${shellWord(target.url)}${target.insecure ? ' --insecure' : ''}`
  return [
    `npx assay run ${recorded?.trimEnd() ?? given} ${check}`,
    ...(safety === 'disruptive' ? ['--safety disruptive --allow-disruptive CLUSTER_ID'] : []),
  ].join(' ')
}

/** Returns the requests of a check as curl commands, up to the one that contradicts the documents; or that one alone, if they
 * are too long. Undefined if it was not recorded, is too long, or has characters that the page would show escaped. */
export function curlCommands({ target }: ResultDocument, { exchanges, mismatches }: CheckResult): string | undefined {
  const at = mismatches[0]?.exchange ?? -1
  const leading = exchanges.slice(0, at + 1).filter(({ phase }) => phase !== 'undo' && phase !== 'probe')
  const commands = (some: readonly RecordedExchange[]): string =>
    some.map((exchange) => curlOf(exchange, target.insecure)).join('\n')
  const isShown = (text: string): boolean => text !== '' && text.length <= longestCurl && visible(text) === text
  return [commands(leading), commands(leading.slice(-1))].find(isShown)
}

const shellWord = (text: string): string =>
  /^[\w.:/@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
