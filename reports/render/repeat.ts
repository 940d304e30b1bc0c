/** How a reader sees a finding again: the command that judges one check, and the request as a curl command. */
import type { CheckResult, ResultDocument } from '../../harness/vocabulary/index.ts'
import { visible } from './escape.ts'
import { curlOf } from './page/curl.ts'

/** The embedded server is called so; it ended with the run, and a run without a target starts it again. */
const embedded = 'reference server'

/** Longer commands are read in the check itself. */
const longestCurl = 3000

/** `npx assay run --check policies/errors/x --target https://vault.example:8200`. */
export function runCommand({ target }: ResultDocument, { id, safety }: CheckResult): string {
  return [
    `npx assay run --check ${shellWord(id)}`,
    ...(target.name === embedded ? [] : [`--target ${shellWord(target.url)}`]),
    ...(target.insecure ? ['--insecure'] : []),
    ...(safety === 'disruptive' ? ['--safety disruptive --allow-disruptive CLUSTER_ID'] : []),
  ].join(' ')
}

/** The request that contradicts the documents. Undefined where it was not recorded, or where the page would show it in other
 * bytes than were sent. */
export function curlCommand({ target }: ResultDocument, { exchanges, mismatches }: CheckResult): string | undefined {
  const exchange = exchanges[mismatches[0]?.exchange ?? -1]
  const command = exchange && curlOf(exchange, target.insecure)
  return command && command.length <= longestCurl && visible(command) === command ? command : undefined
}

const shellWord = (text: string): string =>
  /^[\w.:/@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
