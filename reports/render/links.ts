/** Where the page of the report, or the job that made it, can be opened. A report that is read elsewhere links to it. */
export interface Links {
  /** The URL of the page, where it is published. */
  readonly page?: string
  /** The URL of the job that made it. */
  readonly job?: string
}

/** Returns where a statement can be read, with its checks. */
export function statementLink({ page, job }: Links, requirement: string): string | undefined {
  if (page === undefined) return job
  return `${page}#list=requirements&open=${encodeURIComponent(requirement)}`
}

/** Returns where a reader learns about the run. */
export const runLink = ({ page, job }: Links): string | undefined => page ?? job
