/** Makes the commands that reproduce a finding: one that judges the check again, and the request as a curl command. */
import type { CheckResult, ResultDocument } from '../../harness/vocabulary/index.ts'
import { visible } from './escape.ts'
import { curlOf } from './page/curl.ts'

/** The name of the embedded server. It stopped with the run, and each run of it starts it again. */
const embedded = 'reference server'

/** The maximum length of a curl command; the details of a check show longer ones. */
const longestCurl = 3000

/** Returns a command such as `npx assay run --check policies/errors/x --target https://vault.example:8200`. */
export function runCommand({ target }: ResultDocument, { id, safety }: CheckResult): string {
  // Without its name, a profile in the folder or a variable would name another server.
  if (target.name === embedded) return `npx assay run embedded --check ${shellWord(id)}`
  return [
    `npx assay run --check ${shellWord(id)} --target ${shellWord(target.url)}`,
    ...(target.insecure ? ['--insecure'] : []),
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
