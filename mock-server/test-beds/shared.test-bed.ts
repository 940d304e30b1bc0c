/** A server that all tests of a file share. */
import supertest from 'supertest'
import { afterAll, afterEach } from 'vitest'
import type { MockServer } from '../server.ts'

/** Resets the server after each test, and closes it after the last one. */
export function shared<Server extends MockServer>(server: Server): Server {
  afterEach(() => server.reset())
  afterAll(() => server.close())
  return server
}

/** Returns a function that makes requests below `/v1/`, with the root token unless another one is given. */
export const askingOf =
  (server: MockServer) =>
  (method: string, path: string, token = server.rootToken) =>
    new supertest.Test(server.url, method, `/v1/${path}`).set('X-Vault-Token', token)
