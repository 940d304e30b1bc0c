import { AllureReport, FileSystemReportFiles, resolveConfig } from '@allurereport/core'
import type { ResultDocument, Verdict } from '../../harness/vocabulary/index.ts'
import { oneLine, shorten, visible } from '../render/escape.ts'
import { runTitle, verdictLabels } from '../render/wording.ts'
import { historyLimit } from './history.ts'

/** The groups in which Allure lists tests that did not pass, by their verdict. */
const categories = (['fail', 'error', 'not-verified', 'accepted', 'not-applicable'] as const satisfies Verdict[]).map(
  (verdict) => ({ name: verdictLabels[verdict].word, matchers: { labels: { verdict } } }),
)

/** Makes the Allure report of a results folder: an `index.html` in the output folder that needs no other file. Also
 * adds the run to the history. */
export async function writeReport(
  document: ResultDocument,
  { results, output, history }: Readonly<Record<'results' | 'output' | 'history', string>>,
): Promise<void> {
  const name = `${runTitle(document)}: ${shorten(oneLine(visible(document.target.name)), 80)}`
  const config = await resolveConfig(
    {
      name,
      output,
      historyPath: history,
      historyLimit,
      categories,
      plugins: {
        awesome: {
          import: '@allurereport/plugin-awesome',
          options: { reportName: name, singleFile: true, groupBy: ['epic', 'feature'], reportLanguage: 'en' },
        },
      },
    },
    {},
  )
  const report = new AllureReport({ ...config, reportFiles: new FileSystemReportFiles(output) })
  await report.start()
  await report.readDirectory(results)
  await report.done()
}

/** Removes the script that would report to its makers that the page was opened, and forbids all other requests. Throws
 * if the script is not found or not removed completely. */
export function quieten(html: string): string {
  const caller =
    /<script async src="https:\/\/www\.googletagmanager\.com[^>]*><\/script>\s*<script>(?:(?!<\/script>)[\s\S])*gtag\((?:(?!<\/script>)[\s\S])*<\/script>/
  const silent = html.replace(caller, '')
  if (silent === html || /googletagmanager|google-analytics/.test(silent.slice(0, silent.indexOf('<body>'))))
    throw new Error('the Allure page contains tracking code that could not be removed, so it was not written')
  const policy = "default-src 'unsafe-inline' 'unsafe-eval' data: blob:; form-action 'none'"
  return silent.replace('<head>', `<head>\n<meta http-equiv="Content-Security-Policy" content="${policy}">`)
}
