/** A fixture for vitest that gives each test a fresh server. It needs vitest, which is an optional peer dependency. */
import { test } from 'vitest'
import { createMockServer, type MockServer, type MockServerOptions } from './server.ts'

/** Returns a `test` function whose tests receive `server`. Each test file starts one server with these options. After
 * each test the server is reset, with the mutants and the variation of the options. */
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
