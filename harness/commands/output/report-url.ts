/** Finds out where the HTML report will be published, so that SARIF can link to it. */
import { InvalidArgumentError } from 'commander'
import type { Links } from '../../../reports/formats.ts'
import type { Flag } from '../options/flag.ts'

export const reportUrlFlag: Flag = {
  flag: '--report-url <url>',
  says: 'URL at which report.html is published, for links in SARIF (in a GitHub or GitLab job, links lead to the job)',
  parse: pageUrl,
  isRare: true,
}

function pageUrl(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new InvalidArgumentError(
      'Give an http or https URL without a user, such as https://pages.example/report.html.',
    )
  url.hash = ''
  return url.href
}

/** Returns the given page, and the CI job that GitHub or GitLab names in the environment. */
export function linksOf(page: string | undefined, env: NodeJS.ProcessEnv): Links {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run, CI_JOB_URL } = env
  const job = URL.parse(
    server && repository && run ? `${server}/${repository}/actions/runs/${run}` : (CI_JOB_URL ?? ''),
  )
  return { ...(page === undefined ? {} : { page }), ...(job ? { job: job.href } : {}) }
}
