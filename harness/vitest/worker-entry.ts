/** What vitest loads first in its worker. Its own hook has the starting process record each import, and nobody reads that
 * record: the hook here comes before it, so that modules of this package never reach it. */
import { resolveAtOnce } from '../own-modules.ts'

resolveAtOnce()
const { default: TopicRunner } = await import('./topic-runner.ts')

export default TopicRunner
