/** Reads what a status reply reports. The document names the mode, the cluster id and "sync progress", but does not say
 * how progress is shown. So progress is read as this family of servers shows it, and only to decide when to
 * continue. */
import { fieldOf, isObject, isSuccess, type Json, type Reply } from '../../../harness/vocabulary/index.ts'
import { isWord } from '../../word.ts'

export type Role = 'disabled' | 'primary' | 'secondary'

/** Any other word means `disabled`, and so does null (reading 9). Returns undefined if the reply has no mode. */
export function roleIn(reply: Reply): Role | undefined {
  const mode = isSuccess(reply) ? fieldOf(reply, 'mode') : undefined
  if (mode === null) return 'disabled'
  if (typeof mode !== 'string') return undefined
  return (['primary', 'secondary'] as const).find((role) => isWord(mode, role)) ?? 'disabled'
}

export function clusterIdIn(reply: Reply): string | undefined {
  const id = isSuccess(reply) ? fieldOf(reply, 'cluster_id') : undefined
  return typeof id === 'string' && id !== '' ? id : undefined
}

/** Returns whether the reply is from a secondary that does not show that it is still making its first copy or is cut
 * off. */
export function isSettled(reply: Reply): boolean {
  const state = fieldOf(reply, 'state')
  return roleIn(reply) === 'secondary' && !(typeof state === 'string' && /merkle|transient/.test(state))
}

/** Returns whether the reply is from a secondary whose first copy has begun. If it shows no state, or that it is idle,
 * which a server may say before its first copy as well, its progress decides. */
export function hasBegun(reply: Reply): boolean {
  const state = fieldOf(reply, 'state')
  const isTold = state !== undefined && state !== 'idle'
  return isSettled(reply) && (isTold || numberIn(fieldOf(reply, 'last_remote_wal')) !== 0)
}

/** Returns whether the reply shows anything by which the end of the first copy can be recognized. */
export const tellsOfCopy = (reply: Reply): boolean =>
  fieldOf(reply, 'state') !== undefined || isShown(fieldOf(reply, 'last_remote_wal'))

/** The documents give no types of replies, so a number may be written as a string. */
export function numberIn(value: Json | undefined): number | undefined {
  if (typeof value === 'string' && /^\d+$/.test(value)) return Number(value)
  return typeof value === 'number' ? value : undefined
}

const isShown = (value: Json | undefined): boolean => value !== undefined && value !== null && value !== ''

/** Returns how much a primary has logged for this kind of replication, if that is separate from the total. */
export const walIn = (reply: Reply): Json | undefined =>
  fieldOf(reply, 'last_dr_wal') ?? fieldOf(reply, 'last_performance_wal') ?? fieldOf(reply, 'last_wal')

const aboutProgress = /sync|progress|replicat|written|applied|position|sequence|index|offset|(^|_)wal(_|$)/i

/** Returns the numbers of a status that are in fields about progress, or inside such a field. */
export function progressNumbersIn(reply: Reply): readonly number[] {
  function numbersOf(value: Json | undefined, isInside: boolean): readonly number[] {
    if (isObject(value))
      return Object.entries(value).flatMap(([name, part]) => numbersOf(part, isInside || aboutProgress.test(name)))
    return isInside && typeof value === 'number' ? [value] : []
  }
  return isSuccess(reply) ? numbersOf(reply.json, false) : []
}

/** Compares numbers whose names are unknown. A secondary may show how much it has and how much there is, and a primary
 * what it has written and what has been acknowledged. So the secondary has everything only if each of its numbers
 * equals the highest number of the primary. */
function showsSameNumber(secondary: Reply, primary: Reply): boolean | undefined {
  const [done, wanted] = [progressNumbersIn(secondary), Math.max(0, ...progressNumbersIn(primary))]
  return done.length > 0 && wanted > 0 ? done.every((number) => number === wanted) : undefined
}

/** Returns whether a secondary shows that it has everything that the primary had, or undefined if the two show nothing
 * to compare. If they show two values, both must agree: the logs of two primaries are counted separately, and either
 * value may be late. */
export function hasCaughtUp(secondary: Reply, primary: Reply): boolean | undefined {
  const [done, wanted] = [fieldOf(secondary, 'last_remote_wal'), walIn(primary)].map(numberIn)
  const [copy, original] = [fieldOf(secondary, 'merkle_root'), fieldOf(primary, 'merkle_root')]
  const reached = done !== undefined && wanted !== undefined ? done >= wanted : undefined
  const alike = isShown(copy) && isShown(original) ? copy === original : undefined
  if (reached === undefined && alike === undefined) return showsSameNumber(secondary, primary)
  return reached !== false && alike !== false
}
