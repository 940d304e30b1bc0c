/** A fixture for vitest: tests with a server of their own. Needs vitest beside this package. */
import { test } from 'vitest'
import { createMockServer, type MockServer, type MockServerOptions } from './server.ts'

/** Returns a `test` whose tests receive `server`. A file starts one server with these options; after each test it is
 * reset, with the mutants of the options and without variation. */
export const testWithServer = (options: MockServerOptions = {}) =>
  test.extend<{ readonly startedServer: MockServer; readonly server: MockServer }>({
    startedServer: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads the dependencies of a fixture from this pattern.
      async ({}, use) => {
        await using started = await createMockServer(options)
        await use(started)
      },
      { scope: 'file' },
    ],
    server: async ({ startedServer }, use) => {
      await use(startedServer)
      startedServer.loadMutants(options.mutants ?? [])
      startedServer.vary(options.variation ?? 0)
      await startedServer.reset()
    },
  })
