import { expect, test } from 'vitest'
import type { Reply, Route } from '../contracts.ts'
import { compileRoutes, createRouter } from './router.ts'

const handle = (): Reply => ({ kind: 'empty' })
const route = (verb: Route['verb'], path: string): Route => ({ verb, path, access: 'token', handle })

const tree = compileRoutes([
  route('LIST', 'roles'),
  route('GET', 'roles/:name'),
  route(['GET', 'POST'], 'roles/:name/keys/:key'),
  route('GET', 'roles/fixed'),
  route('POST', 'mounts/:path*'),
  route('GET', 'mounts/:path*/tune'),
  route('GET', ''),
])

test.each([
  ['roles', ['LIST roles'], {}],
  ['roles/a', ['GET roles/:name'], { name: 'a' }],
  ['roles/fixed', ['GET roles/fixed'], {}],
  ['roles/fixed/keys/1', ['GET roles/:name/keys/:key', 'POST roles/:name/keys/:key'], { name: 'fixed', key: '1' }],
  ['mounts/a/b', ['POST mounts/:path*'], { path: 'a/b' }],
  ['mounts/a/b/tune', ['GET mounts/:path*/tune'], { path: 'a/b' }],
  ['mounts/tune', ['POST mounts/:path*'], { path: 'tune' }],
  ['', ['GET '], {}],
])('%j matches %j', (rest, wanted, params) => {
  const match = tree.match(rest)
  const routes = Object.entries(match?.routes ?? {}).map(([verb, found]) => `${verb} ${found.path}`)
  expect(routes).toEqual(wanted)
  expect(match?.params).toEqual(params)
})

test.each(['role', 'roles/a/keys', 'roles/a/keys/1/2', 'nothing', 'roles//keys/1'])('%j matches no route', (rest) => {
  expect(tree.match(rest)).toBeUndefined()
})

test('two routes for one verb and path, and two parameter names for one segment, are errors', () => {
  expect(() => compileRoutes([route('GET', 'a/:b'), route(['LIST', 'GET'], 'a/:b')])).toThrow('two routes for GET a/:b')
  const twoNames = [route('GET', 'a/:b'), route('LIST', 'a/:c')]
  expect(() => compileRoutes(twoNames)).toThrow('two parameter names for one segment: a/:c')
})

test('the longest prefix of whole segments gets the request', () => {
  const router = createRouter()
  router.set('sys', { routes: [route('GET', 'policies/x')] })
  router.set('sys/policies', { routes: [route('GET', 'x')] })
  expect(router.find('sys/policies/x')?.prefix).toBe('sys/policies')
  expect(router.find('sys/policiesx')?.prefix).toBe('sys')
  expect(router.find('system/x')).toBeUndefined()
  expect(router.find('')).toBeUndefined()
  router.delete('sys/policies')
  expect(router.find('sys/policies/x')).toMatchObject({ prefix: 'sys', rest: 'policies/x' })
})

test('the routes of an engine are read at the first request below its prefix, and again after a replacement', () => {
  const router = createRouter()
  const asked: string[] = []
  const engine = (name: string) => ({
    get routes() {
      asked.push(name)
      return [route('GET', name)]
    },
  })
  router.set('one', engine('a'))
  router.set('two', engine('b'))
  router.find('one/a')
  expect(router.find('one/a')?.match).toBeDefined()
  expect(asked).toEqual(['a'])
  router.set('one', engine('c'))
  expect(router.find('one/a')?.match).toBeUndefined()
  expect(router.find('one/c')?.match).toBeDefined()
  expect(asked).toEqual(['a', 'c'])
})
