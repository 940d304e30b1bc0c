import type { Route, Verb } from '../contracts.ts'

/** A node in the tree of the paths of an engine. */
interface Node {
  readonly literals: Map<string, Node>
  /** Matches a segment `:name`. */
  segment: { readonly name: string; readonly node: Node } | undefined
  /** Matches `:name*`, up to a suffix such as `/tune`, which may be empty. */
  readonly rests: { readonly name: string; readonly suffix: string; readonly routes: Routes }[]
  routes: Routes | undefined
}

export type Routes = Partial<Record<Verb, Route>>
type Params = Readonly<Record<string, string>>

export interface Match {
  /** The routes of the path that matched, by verb. */
  readonly routes: Readonly<Routes>
  readonly params: Params
}

/** The compiled paths of one engine. */
export interface RouteTree {
  match(rest: string): Match | undefined
}

const noParams: Params = Object.freeze({})
const nodeOf = (): Node => ({ literals: new Map(), segment: undefined, rests: [], routes: undefined })

function put(routes: Routes, route: Route): Routes {
  const verbs = typeof route.verb === 'string' ? [route.verb] : route.verb
  for (const verb of verbs) {
    if (routes[verb]) throw new Error(`two routes for ${verb} ${route.path}`)
    routes[verb] = route
  }
  return routes
}

function add(root: Node, route: Route): void {
  const segments = route.path.split('/').filter((segment) => segment !== '')
  let node = root
  for (const [index, segment] of segments.entries()) {
    if (segment.startsWith(':') && segment.endsWith('*')) {
      addRest(node, segment.slice(1, -1), segments.slice(index + 1), route)
      return
    }
    node = childOf(node, segment, route)
  }
  node.routes = put(node.routes ?? {}, route)
}

/** Adds a route whose parameter is the rest of the path, up to the literal segments after it. */
function addRest({ rests }: Node, name: string, literals: readonly string[], route: Route): void {
  const suffix = literals.map((literal) => `/${literal}`).join('')
  const known = rests.find((rest) => rest.suffix === suffix)
  if (known) put(known.routes, route)
  else rests.push({ name, suffix, routes: put({}, route) })
  rests.sort((a, b) => b.suffix.length - a.suffix.length)
}

/** Returns the node of a literal segment or of a parameter, which is added if it is new. */
function childOf(node: Node, segment: string, { path }: Route): Node {
  if (segment.startsWith(':')) {
    node.segment ??= { name: segment.slice(1), node: nodeOf() }
    if (node.segment.name !== segment.slice(1)) throw new Error(`two parameter names for one segment: ${path}`)
    return node.segment.node
  }
  const known = node.literals.get(segment) ?? nodeOf()
  node.literals.set(segment, known)
  return known
}

/** Adds a parameter. The first one needs no copy: most paths have one parameter, and copying an empty object costs as
 * much as the rest of the search. */
const withParam = (params: Params, name: string, value: string): Params =>
  params === noParams ? { [name]: value } : { ...params, [name]: value }

/** A literal segment wins over `:name`, and `:name` wins over `:name*`. */
function find(node: Node, rest: string, at: number, params: Params): Match | undefined {
  if (at >= rest.length && node.routes) return { routes: node.routes, params }
  return (at < rest.length ? findSegment(node, rest, at, params) : undefined) ?? findRest(node, rest, at, params)
}

function findSegment({ literals, segment }: Node, rest: string, at: number, params: Params): Match | undefined {
  const slash = rest.indexOf('/', at)
  const end = slash === -1 ? rest.length : slash
  const part = rest.slice(at, end)
  const literal = literals.get(part)
  const found = literal && find(literal, rest, end + 1, params)
  if (found || !segment || part === '') return found
  return find(segment.node, rest, end + 1, withParam(params, segment.name, part))
}

function findRest({ rests }: Node, rest: string, at: number, params: Params): Match | undefined {
  for (const { name, suffix, routes } of rests) {
    if (!rest.endsWith(suffix) || (suffix !== '' && rest.length - suffix.length <= at)) continue
    return { routes, params: withParam(params, name, rest.slice(at, rest.length - suffix.length)) }
  }
  return undefined
}

export function compileRoutes(routes: readonly Route[]): RouteTree {
  const root = nodeOf()
  for (const route of routes) add(root, route)
  return { match: (rest) => find(root, rest, 0, noParams) }
}

export interface Destination {
  readonly prefix: string
  /** The path below the prefix. */
  readonly rest: string
  readonly match: Match | undefined
  /** All routes of the engine. */
  readonly routes: readonly Route[]
}

export interface Router {
  /** Adds an engine at a prefix. Its routes are read when the first request below the prefix arrives. */
  set(prefix: string, engine: { readonly routes: readonly Route[] }): void
  delete(prefix: string): void
  /** Finds the engine with the longest matching prefix, and its routes at the path. */
  find(path: string): Destination | undefined
}

type CompiledRoutes = RouteTree & { readonly routes: readonly Route[] }

const compiled = (routes: readonly Route[]): CompiledRoutes => ({ ...compileRoutes(routes), routes })

export function createRouter(): Router {
  const entries = new Map<string, { readonly engine: { readonly routes: readonly Route[] }; tree?: CompiledRoutes }>()
  return {
    set: (prefix, engine) => void entries.set(prefix, { engine }),
    delete: (prefix) => void entries.delete(prefix),
    find(path) {
      for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
        const prefix = path.slice(0, end)
        const entry = entries.get(prefix)
        if (!entry) continue
        entry.tree ??= compiled(entry.engine.routes)
        const { tree } = entry
        const rest = path.slice(end + 1)
        return { prefix, rest, match: tree.match(rest), routes: tree.routes }
      }
      return undefined
    },
  }
}
