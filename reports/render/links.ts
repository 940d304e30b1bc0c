/** The URLs to which reports that are read elsewhere can link. */
export interface Links {
  /** The URL of the HTML report, if it is published. */
  readonly page?: string
  /** The URL of the CI job that made the report. */
  readonly job?: string
}

/** Returns the URL at which a statement can be read with its checks: the page, or else the job. */
export function statementLink({ page, job }: Links, requirement: string): string | undefined {
  if (page === undefined) return job
  return `${page}#list=requirements&open=${encodeURIComponent(requirement)}`
}

/** Returns the URL at which a reader learns about the run: the page, or else the job. */
export const runLink = ({ page, job }: Links): string | undefined => page ?? job

/** Filters of the list of sentences, such as `area` and `verdict`. */
export type Filter = Readonly<Record<string, string>>

/** Returns the address within the page of the sentences that pass these filters. */
export const sentencesWith = (filter: Filter): string =>
  `#${Object.entries({ list: 'requirements', ...filter })
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2F', '/')}`)
    .join('&')}`
