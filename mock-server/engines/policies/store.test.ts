import { expect, test } from 'vitest'
import { type Policy, PolicyStore } from './store.ts'

const policy = (name: string): Policy => ({
  ...{ kind: 'acl', name, builtIn: false },
  ...{ policy: '', enforcement_level: '', paths: [] },
})

test('policies are sorted by name, also after a change', () => {
  const store = new PolicyStore(() => {})
  const names = () => store.all('acl').map(({ name }) => name)
  for (const name of ['c', 'a']) store.put(policy(name))
  expect(names()).toEqual(['a', 'c'])
  store.put(policy('b'))
  expect(names()).toEqual(['a', 'b', 'c'])
  store.remove('acl', 'a')
  expect(names()).toEqual(['b', 'c'])
  expect(store.all('rgp')).toEqual([])
})

test('each change is told, and a deletion of a missing policy is none', () => {
  const told: string[] = []
  const store = new PolicyStore((kind, name) => told.push(`${kind} ${name}`))
  store.put(policy('a'))
  store.remove('rgp', 'a')
  store.remove('acl', 'a')
  store.remove('acl', 'a')
  expect(told).toEqual(['acl a', 'acl a'])
})
