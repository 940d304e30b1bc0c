/** Tells in which requests of a check a fault shows. */
import { isObject, type Json, type JsonObject, type WireFault } from '../vocabulary/index.ts'
import { isAt, namedIn, type Sent } from './site.ts'

export interface Asked extends Sent {
  readonly body?: string | undefined
  /** The caller; absent in requests outside of checks. */
  readonly as?: string | undefined
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

export interface Watch {
  /** Tells whether the fault shows in the next request of the check. Call it once for each, in order. */
  shows(asked: Asked): boolean
  /** Tells it that the request was served. */
  served(asked: Asked): void
}

const hasCapital = (value: unknown): boolean =>
  /[A-Z]/.test(typeof value === 'string' ? value : JSON.stringify(value ?? ''))

/** Watches the requests of one check. */
export function watchFor({ at, where, only }: WireFault): Watch {
  let [calls, isAfter] = [0, false]
  let first: string | undefined

  function isOccasion({ path, body, as }: Asked, fields: JsonObject): boolean {
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
        return as !== undefined && as !== 'operator'
    }
  }

  return {
    shows(asked) {
      if (!isAt(asked, at)) return false
      calls += 1
      first ??= asked.path
      const fields = jsonBody(asked.body) ?? {}
      return (where === undefined || fields[where.field] === where.value) && isOccasion(asked, fields)
    },
    served(asked) {
      if (only?.kind === 'after' && isAt(asked, only.site)) isAfter = true
    },
  }
}

/** Returns the recorded requests of a check in which a fault shows. */
export function shownAmong<R extends Asked & { readonly reply: { readonly status: number } }>(
  fault: WireFault,
  recorded: readonly R[],
): readonly R[] {
  const watch = watchFor(fault)
  return recorded.filter((one) => {
    const shows = watch.shows(one)
    if (one.reply.status < 400) watch.served(one)
    return shows
  })
}
