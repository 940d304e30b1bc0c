/** A call site is the place in the source where a record was made. V8 notes the stack at once, and writes it out only
 * when it is read. */
export interface CallSite {
  readonly stack?: string
}

/** The call of `maker` that is under way. */
export function callSiteOf(maker: (...given: never[]) => unknown): CallSite {
  const site: CallSite = {}
  Error.captureStackTrace(site, maker)
  return site
}
