import { Command } from 'commander'
import { expect, test } from 'vitest'
import { optionOf } from '../options/flag.ts'
import { linksOf, reportUrlFlag } from './report-url.ts'

const given = (url: string): string =>
  new Command()
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .addOption(optionOf(reportUrlFlag))
    .parse(['--report-url', url], { from: 'user' })
    .opts<{ readonly reportUrl: string }>().reportUrl

test('the page is an absolute URL, and its fragment is removed', () => {
  expect(given('https://pages.example/report.html#area=pki')).toBe('https://pages.example/report.html')
})

test.each(['report.html', 'file:///report.html', 'https://me:secret@pages.example/', 'javascript:alert(1)'])(
  'rejects %s',
  (url) => expect(() => given(url)).toThrow('Give an http or https URL without a user'),
)

test('the job is read from the environment of each service', () => {
  const github = { GITHUB_SERVER_URL: 'https://git.example', GITHUB_REPOSITORY: 'a/b', GITHUB_RUN_ID: '7' }
  expect(linksOf(undefined, github)).toEqual({ job: 'https://git.example/a/b/actions/runs/7' })
  expect(linksOf('https://x.example/', { CI_JOB_URL: 'https://lab.example/a/-/jobs/1' })).toEqual({
    page: 'https://x.example/',
    job: 'https://lab.example/a/-/jobs/1',
  })
  expect(linksOf(undefined, {})).toEqual({})
})
