/** Tells objects that exist from names that only a list still shows: a thing is left behind if it can be read, and a
 * list that names what is gone contradicts its own row. */
import { type Dialect, type Exchange, fieldOf, isObject, isSuccess } from '../vocabulary/index.ts'
import type { Ask } from '../wire/ask.ts'
import { isMissing } from './take-back.ts'

export interface Listed {
  readonly kind: string
  readonly name: string
}

/** Returns whether reads of an object, in each version that a catalog shows, say that it does not exist. Kinds that no
 * read of one object belongs to are taken by their list. */
export async function isOnlyListed({ kind, name }: Listed, ask: Ask, dialect: Dialect): Promise<boolean> {
  const list = dialect.operations.inventory?.({}).exchanges.find(({ words }) => words === kind)
  const removal = dialect.removals?.find((one) => one.kind === kind)
  const path = `${list?.path}/${name}`
  if (list?.method !== 'LIST' || name.includes('%')) return false
  if (removal && removal.ways[0]?.path !== `${list.path}/{name}`) return false
  const versions = removal?.versions ? await versionsOf(name, removal.versions, ask) : []
  for (const query of [{}, ...versions.map((version) => ({ version }))]) {
    const { reply } = await ask({ method: 'GET', path, query })
    if (!reply || !(isMissing(reply, path) || reply.status === 410)) return false
  }
  return true
}

/** Reads the versions of an object from a catalog, which lists them as `detailed` rows of `name` and `version`. */
export async function versionsOf(name: string, { method, path }: Exchange, ask: Ask): Promise<readonly string[]> {
  const { reply } = await ask({ method, path })
  const detailed = reply && isSuccess(reply) ? fieldOf(reply, 'detailed') : undefined
  const rows = Array.isArray(detailed) ? detailed.filter(isObject) : []
  return rows.flatMap((row) =>
    row.name === name && typeof row.version === 'string' && row.version !== '' ? [row.version] : [],
  )
}
