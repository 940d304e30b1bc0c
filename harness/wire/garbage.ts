/** What large replies leave behind is collected at once where memory runs short: the engine would let it grow first, by as
 * much as is in use. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** A run against a server that answers as documented stays below. */
const plenty = 300 * 1024 * 1024

let collect: (() => void) | undefined

export function collectGarbage(): void {
  if (process.memoryUsage.rss() < plenty) return
  if (!collect) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as () => void
  }
  collect()
}
