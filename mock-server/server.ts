/** The public functions and types of the reference server. */
import './node-version.ts'
import { openEngines } from './engines/on-demand.ts'
import type { MockServerOptions } from './server-options.ts'
import { type MockServer, startServer } from './start.ts'

export { type AnsweringServer, startAnswering } from './answering.ts'
export type { Chosen, Fault } from './client-tests/faults.ts'
export type { LoggedRequest } from './client-tests/request-log.ts'
export type {
  SeededEntity,
  SeededMount,
  SeededPolicy,
  SeededState,
  SeededToken,
  SeededUser,
} from './client-tests/seeded-state.ts'
export { createMockCluster, type MockCluster, type MockClusterOptions } from './cluster.ts'
export type { Clock, Edition } from './kernel/contracts.ts'
export type { TlsFiles } from './kernel/http/list-method.ts'
export type { PolicyLanguage } from './kernel/policy-language.ts'
export { newestVersion } from './kernel/versions.ts'
export type { MockServer, MockServerOptions }

/** Starts a server on 127.0.0.1, on a free port unless `port` is set. Close it, or the process does not end.
 * Rejects with a RangeError on an unknown option, version, edition, fault or mutant, or if what is seeded is refused;
 * with an Error if a port is taken, or if the state file is corrupt or cannot be written. */
export const createMockServer = async (options: MockServerOptions = {}): Promise<MockServer> =>
  startServer(options, await openEngines())
