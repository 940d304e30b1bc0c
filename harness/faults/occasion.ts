/** Tells in which requests of a check a fault shows. */
import { isObject, type Json, type JsonObject, type WireFault } from '../vocabulary/index.ts'
import { isAt, mountIn, namedIn, type Sent } from './site.ts'

export interface Asked extends Sent {
  readonly body?: string | undefined
  /** The caller; absent in requests outside of checks. */
  readonly as?: string | undefined
  readonly isOther?: boolean | undefined
}

export const jsonBody = (text: string | undefined): JsonObject | undefined => {
  if (text === undefined) return undefined
  try {
    const value = JSON.parse(text) as Json
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** What a server remembers of the requests to a mount or, where there is no mount, of all requests. */
export interface Past {
  readonly calls: number
  readonly first?: string
  readonly isAfter: boolean
}

const nothing: Past = { calls: 0, isAfter: false }

export interface Watch {
  /** Tells whether the fault shows in the next request. Call it once for each, in order. */
  shows(asked: Asked): boolean
  /** Tells it that the request was served. */
  served(asked: Asked): void
  /** Returns what the server remembers apart from mounts: what one check did there, a later check of the run finds. */
  past(): Past
}

const hasCapital = (value: unknown): boolean =>
  /[A-Z]/.test(typeof value === 'string' ? value : JSON.stringify(value ?? ''))

/** Watches requests, after others that the server remembers. */
export function watchFor({ at, where, only }: WireFault, before: Past = nothing): Watch {
  const pasts = new Map([['', before]])
  const isEverywhere = only !== undefined && 'everywhere' in only
  const placeOf = ({ path }: Asked, site = at): string => (isEverywhere ? '' : mountIn(path, site))
  const pastOf = (asked: Asked): Past => pasts.get(placeOf(asked)) ?? nothing

  function isOccasion(asked: Asked, fields: JsonObject): boolean {
    const { path, body, as, isOther = false } = asked
    const { calls, first, isAfter } = pastOf(asked)
    switch (only?.kind) {
      case undefined:
        return true
      case 'later-calls':
        return calls >= only.from
      case 'other-objects':
        return path !== first
      case 'capitals':
        return hasCapital(only.field === undefined ? namedIn(path).name : fields[only.field])
      case 'beside':
        return fields[only.field] !== undefined
      case 'without':
        return body !== undefined && fields[only.field] === undefined
      case 'after':
        return isAfter
      case 'other-callers':
        return isOther || (as !== undefined && as !== 'operator')
    }
  }

  return {
    shows(asked) {
      if (!isAt(asked, at)) return false
      const { calls, first = asked.path, ...past } = pastOf(asked)
      pasts.set(placeOf(asked), { ...past, calls: calls + 1, first })
      const fields = jsonBody(asked.body) ?? {}
      return (where === undefined || fields[where.field] === where.value) && isOccasion(asked, fields)
    },
    served(asked) {
      if (only?.kind === 'after' && isAt(asked, only.site))
        pasts.set(placeOf(asked, only.site), { ...(pasts.get(placeOf(asked, only.site)) ?? nothing), isAfter: true })
    },
    past: () => pasts.get('') ?? nothing,
  }
}

type Answered = Asked & { readonly reply: { readonly status: number } }

function shownTo<R extends Answered>(watch: Watch, recorded: readonly R[]): readonly R[] {
  return recorded.filter((one) => {
    const shows = watch.shows(one)
    if (one.reply.status < 400) watch.served(one)
    return shows
  })
}

/** Returns the recorded requests of a check in which a fault shows. */
export const shownAmong = <R extends Answered>(fault: WireFault, recorded: readonly R[], before?: Past): readonly R[] =>
  shownTo(watchFor(fault, before), recorded)

/** Returns what the server remembers when each check begins, if they are judged in this order. */
export function pastsBefore<R extends Answered>(
  fault: WireFault,
  checks: readonly { readonly recorded: readonly R[] }[],
): readonly Past[] {
  if (fault.only === undefined) return checks.map(() => nothing)
  const watch = watchFor(fault)
  return checks.map(({ recorded }) => {
    const before = watch.past()
    shownTo(watch, recorded)
    return before
  })
}
