/** `assay clean` accepts every undo of the real catalog for its own run, and for no other run. */
import { describe, expect, test } from 'vitest'
import type { Undo } from '../../safety/journal-lines.ts'
import { throwAwayName } from '../../safety/names.ts'
import { acceptFor } from '../../safety/undo-shapes.ts'
import { loadDialect } from '../../targets/dialects/index.ts'
import { sentBy } from '../../targets/sent-by.ts'
import { undoTemplates } from '../../targets/touches.ts'
import { addressOf, type Exchange } from '../../vocabulary/index.ts'
import { loadCatalog } from '../catalog.ts'

const dialect = loadDialect('vault')
const topics = (await loadCatalog()).topics.map(({ topic }) => topic)
const templates = undoTemplates(topics, dialect)
const [own, other] = [acceptFor(templates, 'abcd1234'), acceptFor(templates, 'abcd1235')]
const anId = '0b1f7a52-8f6a-4f86-9a0e-d6f1c2b3a4e5'

/** Returns the undo as a run would write it into its journal. */
function filled(undo: Exchange, names: readonly string[]): Undo {
  const fill = (text: string) =>
    text.replace(/\{([\w-]+)\}/g, (_, name: string) =>
      names.includes(name) ? throwAwayName('abcd1234', 17, name) : anId,
    )
  const { method, path, query, body, restoration } = undo
  return {
    ...{ cluster: 'main', words: 'made', method, path: fill(path) },
    ...(query ? { query: Object.fromEntries(Object.entries(query).map(([key, text]) => [key, fill(text)])) } : {}),
    ...(body === undefined ? {} : { body: fill(JSON.stringify(body)) }),
    ...(restoration === undefined ? {} : { restoration, url: 'http://x' }),
  }
}

const undos = topics.flatMap((topic) =>
  topic.checks.flatMap((check) =>
    sentBy(check, dialect).flatMap(({ undo }) =>
      undo ? [{ at: addressOf(topic, check), undo: filled(undo, topic.names ?? []) }] : [],
    ),
  ),
)

describe('the undos of the catalog', () => {
  test('there are many', () => expect(undos.length).toBeGreaterThan(1000))

  test('are accepted for their run', () =>
    expect(undos.filter(({ undo }) => 'refused' in own(undo)).map(({ at, undo }) => [at, undo.path])).toEqual([]))

  test('with a throw-away name are refused for another run; all others have an id or end a role', () => {
    const isNamed = ({ undo }: (typeof undos)[number]) => {
      const accepted = own(undo)
      return 'isNamed' in accepted && accepted.isNamed
    }
    const [named, unnamed] = [undos.filter(isNamed), undos.filter((one) => !isNamed(one))]
    expect(named.filter(({ undo }) => !('refused' in other(undo)))).toEqual([])
    const isOfId = ({ undo }: (typeof undos)[number]) =>
      undo.restoration !== undefined || `${undo.path}${undo.body}`.includes(anId)
    expect(unnamed.filter((one) => !isOfId(one))).toEqual([])
    expect(unnamed.length).toBeLessThan(named.length)
  })

  test.each([
    ['POST', 'sys/seal'],
    ['PUT', 'sys/step-down'],
    ['DELETE', 'sys/policies/acl/default'],
    ['DELETE', 'sys/policies/acl/assay-abcd1234-1-x/../default'],
    ['DELETE', 'sys/mounts/secret'],
    ['DELETE', 'sys/mounts/assay-abcd1234-1-x%2f..%2fsecret'],
    ['DELETE', 'sys/auth/token'],
    ['POST', 'sys/leases/revoke-force/secret'],
    ['POST', 'auth/token/revoke-orphan'],
    ['DELETE', 'identity/entity/name/somebody'],
    ['POST', 'sys/replication/dr/primary/disable'],
    ['DELETE', 'sys/plugins/catalog/secret/kv'],
  ])('do not include %s %s', (method, path) => {
    for (const body of [undefined, '{}'])
      expect(own({ ...{ cluster: 'main', words: '', method, path }, ...(body ? { body } : {}) })).toHaveProperty(
        'refused',
      )
  })
})

test('everything that the inventory lists by name can be removed', () => {
  const kinds = (dialect.operations.inventory?.({}).exchanges ?? []).map(({ words }) => words)
  const known = new Set((dialect.removals ?? []).map(({ kind }) => kind))
  expect(kinds.filter((kind) => kind && !known.has(kind))).toEqual(['token accessors', 'TOTP methods by id'])
})
