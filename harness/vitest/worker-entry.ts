/** The entry point of vitest's worker. vitest installs a module hook that reports each import to the starting
 * process, where nobody uses it. The hook that is installed here runs first and resolves the modules of this
 * package, so that they are not reported. */
import { resolveAtOnce } from '../own-modules.ts'

resolveAtOnce()
const { default: TopicRunner } = await import('./topic-runner.ts')

export default TopicRunner
