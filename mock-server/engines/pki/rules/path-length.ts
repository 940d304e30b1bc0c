/** The path length of an intermediate (document 2, root/sign-intermediate). */

/** Returns the path length of an intermediate below a CA with `limit` (undefined: no limit). If -1 is requested, it is
 * one less than the limit of the CA, or unlimited if the CA has none. A CA with the limit zero cannot sign another
 * CA. */
export function pathLengthBelow(limit: number | undefined, asked: number): number | 'none' | 'refused' {
  if (limit === 0) return 'refused'
  if (asked >= 0) return asked
  return limit === undefined ? 'none' : limit - 1
}
