import { expect, test } from 'vitest'
import type { WireClient, WireRequest } from '../wire/client.ts'
import { inTurns, Turns, turnsBelow } from './turns.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Makes a client that logs its requests, and whose requests end when the test says so. */
function slowClient() {
  const log: string[] = []
  const ends = new Map<string, () => void>()
  const client = {
    async send({ method, path }: WireRequest) {
      const name = `${method} ${path}`
      log.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      log.push(`end of ${name}`)
      return { url: path, headers: {}, attempts: [] }
    },
  } as unknown as WireClient
  return { client, log, end: (name: string) => ends.get(name)?.() }
}
const request = (method: WireRequest['method'], path: string): WireRequest => ({ method, path, headers: {} })

test('reads overlap reads and writes overlap writes, and neither overlaps the other', async () => {
  const { client, log, end } = slowClient()
  const turned = inTurns(client, turnsBelow(['catalog']))
  const all = [
    turned.send(request('LIST', '/v1/catalog')),
    turned.send(request('GET', '/v1/catalog/a')),
    turned.send(request('POST', '/v1/catalog/b')),
    turned.send(request('DELETE', '/v1/near/catalog/c')),
    turned.send(request('GET', '/v1/catalog/d')),
  ]
  await settled()
  expect(log.splice(0)).toEqual(['LIST /v1/catalog', 'GET /v1/catalog/a'])
  end('LIST /v1/catalog')
  await settled()
  expect(log.splice(0)).toEqual(['end of LIST /v1/catalog'])
  end('GET /v1/catalog/a')
  await settled()
  expect(log.splice(0)).toEqual(['end of GET /v1/catalog/a', 'POST /v1/catalog/b', 'DELETE /v1/near/catalog/c'])
  end('POST /v1/catalog/b')
  end('DELETE /v1/near/catalog/c')
  await settled()
  expect(log.splice(0)).toEqual(['end of POST /v1/catalog/b', 'end of DELETE /v1/near/catalog/c', 'GET /v1/catalog/d'])
  end('GET /v1/catalog/d')
  await Promise.all(all)
})

test('requests to other paths do not wait', async () => {
  const { client, log, end } = slowClient()
  const turned = inTurns(client, turnsBelow(['catalog']))
  const all = [turned.send(request('POST', '/v1/catalog/a')), turned.send(request('GET', '/v1/catalogue'))]
  await settled()
  expect(log).toEqual(['POST /v1/catalog/a', 'GET /v1/catalogue'])
  end('POST /v1/catalog/a')
  end('GET /v1/catalogue')
  await Promise.all(all)
})

test('a turn ends also if its work fails', async () => {
  const turns = new Turns()
  const failing = turns.take('writing', () => Promise.reject(new Error('cut')))
  const next = turns.take('reading', async () => 'read')
  await expect(failing).rejects.toThrow('cut')
  expect(await next).toBe('read')
})
