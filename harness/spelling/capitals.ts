/** Finds the names that may have capital letters in the requests of a check. */
import { sentBy } from '../targets/sent-by.ts'
import type { Check, Dialect, Exchange, SpellingSite } from '../vocabulary/index.ts'
import { useName } from '../vocabulary/use-name.ts'
import type { Chosen } from './chosen.ts'

/** Returns the names that only name objects in paths where clients choose the name: throw-away names, and words on a
 * throw-away mount. What else a name becomes part of (a mount, a domain, a user) need not keep its letters, and a list
 * may show them in lower case (readings of the documents, 64). */
export function namesWithCapitals({ topic, check }: Chosen, parts: NameParts, dialect: Dialect): readonly string[] {
  const sent = sentBy(check, dialect)
  // What expects a refusal compares a list only with the one before, so that it does not matter how it shows a name.
  const then = check.then.filter(({ refuses }) => refuses !== true)
  const listing = sentBy({ ...check, then: then as unknown as Check['then'] }, dialect)
  const lists = listing.filter(({ method, query }) => method === 'LIST' || query?.list !== undefined)
  const named = parts.namesIn(
    sent.map(({ path }) => path),
    lists.map(({ path }) => path),
  )
  if (named.length === 0) return []
  const told = (check.given ?? []).flatMap((step) => (step.kind === 'operation' ? [JSON.stringify(step.args)] : []))
  const others = [...sent.map((exchange) => otherThanNames(exchange, parts)), ...told]
    .join(' ')
    // A token has its policies by their names.
    .replaceAll(/"policies":\[[^\]]*\]/g, '')
  const words = new Set(others.split(/["/]/))
  return [...new Set(named)].filter(
    (name) => !(topic.names.includes(name) ? others.includes(`{${name}}`) : words.has(name)),
  )
}

/** Finds the parts of paths that name objects of an area. Many checks use equal paths, so it remembers them. */
export class NameParts {
  readonly #patterns: readonly (readonly string[])[]
  readonly #hasMounts: boolean
  readonly #known = new Map<string, ReadonlySet<number>>()

  constructor(area: string, sites: readonly SpellingSite[]) {
    this.#patterns = sites
      .filter(
        ({ id, path, spelling }) => spelling === 'escaped-name' && id.startsWith(`${area}.`) && path.endsWith('/:name'),
      )
      .map(({ path }) => path.split('/'))
    this.#hasMounts = this.#patterns.some(([mount]) => mount?.startsWith('{'))
  }

  /** Returns the indexes of the parts that name an object. */
  in(path: string): ReadonlySet<number> {
    const known = this.#known.get(path)
    if (known) return known
    const parts = path.split('/')
    const found = new Set(
      parts.flatMap((_, at) =>
        this.#patterns.some((one) => one[at] === ':name' && beginsLike(parts, one, at)) ? [at] : [],
      ),
    )
    this.#known.set(path, found)
    return found
  }

  /** Returns the names that a client chose for the objects, unless one of the lists may show them. On a mount it shows only
   * what is below it. */
  namesIn(paths: readonly string[], lists: readonly string[]): readonly string[] {
    const isListed = (path: string): boolean => lists.some((list) => !this.#hasMounts || path.startsWith(`${list}/`))
    const listed = new Set(paths.filter(isListed).flatMap((path) => this.#namesIn(path)))
    return paths.flatMap((path) => this.#namesIn(path)).filter((name) => !listed.has(name))
  }

  #namesIn(path: string): readonly string[] {
    const parts = path.split('/')
    return [...this.in(path)].flatMap((at) => {
      const part = parts[at]?.replace(useName, '') ?? ''
      const [, thrownAway] = /^\{([A-Za-z][\w-]*)\}/.exec(part) ?? []
      const word = /^[a-z][a-z-]*$/.test(part) && this.#hasMounts ? part : undefined
      return thrownAway ?? word ?? []
    })
  }
}

const beginsLike = (parts: readonly string[], pattern: readonly string[], end: number): boolean =>
  pattern.slice(0, end).every((part, index) => /^[:{]/.test(part) || part === parts[index])

/** Returns the text of a request without the names in its path. */
function otherThanNames({ path, query, body, rawBody }: Exchange, parts: NameParts): string {
  const names = parts.in(path)
  const left = path.split('/').filter((_, at) => !names.has(at))
  return `${left.join('/')} ${JSON.stringify(query ?? '')} ${JSON.stringify(body ?? '')} ${rawBody ?? ''}`
}
