/** Answers requests for help on a path (`?help=1`) from the routes of the engine that serves the path. */
import type { Reply, Route } from '../contracts.ts'
import { isTrue, type RequestContext } from './request-context.ts'
import type { Destination } from './router.ts'

export const asksForHelp = ({ verb, query }: RequestContext): boolean => verb === 'GET' && isTrue(query.get('help'))

const verbsOf = ({ verb }: Route): readonly string[] => (typeof verb === 'string' ? [verb] : verb)

function describe(prefix: string, route: Route): string {
  const needs = route.access === 'anyone' ? 'no token' : route.access === 'token' ? 'a token' : route.access
  return `    ${verbsOf(route).join(', ').padEnd(7)} ${prefix}/${route.path}  (${needs})`
}

/** Returns a route whose reply describes the routes of the path, or all routes of the engine if the path has none. */
export function helpRoute({ prefix, rest, match, routes }: Destination): Route {
  const here = match ? [...new Set(Object.values(match.routes))] : []
  const shown = here.length > 0 && rest !== '' ? here : routes
  const lines = shown.map((route) => describe(prefix, route))
  const help = [`Request:  ${rest || prefix}`, `Engine:   at ${prefix}/`, '', '## PATHS', '', ...lines, ''].join('\n')
  const handle = (): Reply => ({
    ...{ kind: 'bare', status: 200, contentType: 'application/json' },
    bytes: `${JSON.stringify({ help, see_also: null })}\n`,
  })
  return { verb: 'GET', path: rest, access: 'any-token', handle }
}
