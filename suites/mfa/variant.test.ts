import { expect, test } from 'vitest'
import type { Exchange, Scope } from '../../harness/vocabulary/index.ts'
import { reply } from '../replication/reply.test-bed.ts'
import { defineById } from './variant.ts'

const said = { data: { said: 'made the method 01234567-89ab-cdef-0123-456789abcdef' } }

test.each([
  ['the definition', 503, 200],
  ['the read of the id that a sentence names', 200, 503],
])('%s that something else answers decides nothing about the way of defining methods', async (_, made, read) => {
  const scope = {
    send: async ({ method }: Exchange) => reply(said, method === 'GET' ? read : made),
    save: () => {},
    has: () => false,
  } as unknown as Scope
  await expect(defineById(scope, {}, 'method')).rejects.toMatchObject({ code: 'in-the-way' })
})
