/** Starts a reference server that is a process of its own. It starts faster, because it loads large engines only when
 * they are mounted. */
import './node-version.ts'
import { enginesOnDemand, type Load } from './engines/on-demand.ts'
import type { MockServerOptions } from './server-options.ts'
import { type MockServer, startServer } from './start.ts'

/** Starts a server as `createMockServer` does. */
export const startServing = (options: MockServerOptions, load: Load): Promise<MockServer> =>
  startServer(options, enginesOnDemand(load))
