import type { Dialect } from '../../vocabulary/index.ts'
import { UsageError } from '../usage-error.ts'
import { vault } from './vault.ts'

export const dialects: readonly Dialect[] = [vault]

/** Throws `UsageError` if the id is unknown. */
export function loadDialect(id: string): Dialect {
  const dialect = dialects.find((one) => one.id === id)
  if (!dialect) throw new UsageError(`unknown dialect "${id}": known are ${dialects.map((one) => one.id).join(', ')}`)
  return dialect
}
