/** Makes the commands that reproduce a finding: one that judges the check again, and the request as a curl command. */
import type { CheckResult, ResultDocument } from '../../harness/vocabulary/index.ts'
import { visible } from './escape.ts'
import { curlOf } from './html/page/curl.ts'

/** The name of the embedded server. It stopped with the run, and each run of it starts it again. */
const embedded = 'reference server'

/** The maximum length of a curl command; the details of a check show longer ones. */
const longestCurl = 3000

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

/** Returns the request that contradicts the documents as a curl command. Undefined if it was not recorded, is too long,
 * or has characters that the page would show escaped. */
export function curlCommand({ target }: ResultDocument, { exchanges, mismatches }: CheckResult): string | undefined {
  const exchange = exchanges[mismatches[0]?.exchange ?? -1]
  const command = exchange && curlOf(exchange, target.insecure)
  return command && command.length <= longestCurl && visible(command) === command ? command : undefined
}

const shellWord = (text: string): string =>
  /^[\w.:/@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
