/** Situations in a store that only this check uses. Its paths have more than one segment. */
import type { Exchange, JsonObject, Step } from '../../harness/vocabulary/index.ts'
import { del, get, list, post, put, unseen } from '../../harness/vocabulary/index.ts'
import { aclPolicy, governingDocument, token } from '../given.ts'
import { bodyOf } from './given.ts'

export const below = ['in/one', 'in/two/Three', 'out/one'] as const

/** A store `store` with several entries, which the token `reader` may read, list, create, change and delete, and a text
 * `denies` that denies all of this. */
export const store: readonly Step[] = [
  { kind: 'operation', operation: 'mount', args: { type: 'kv', as: 'store' }, words: 'a store `store`', provides: [] },
  ...below.map((path) => post(`{store}/${path}`, { value: path })),
  ...aclPolicy('{anchor}', [
    ...below.map((path) => ({ path: `{store}/${path}`, capabilities: ['create', 'read', 'update', 'delete'] })),
    ...['in', 'in/', 'out', 'out/'].map((path) => ({ path: `{store}/${path}`, capabilities: ['read', 'list'] })),
  ]),
  token('reader', ['{anchor}']),
  governingDocument('denies', { denyBelow: '{store}/' }),
]

export const inStore = (path: string, as = 'reader'): Exchange =>
  get(`{store}/${path}`, { as, words: `\`${as}\` reads \`{store}/${path}\`` })
export const removal = (path: string, as = 'reader'): Exchange => ({ ...del(`{store}/${path}`), as })
export const listBelow = (path: string, as = 'reader'): Exchange =>
  list(`{store}/${path}`, { as, words: `\`${as}\` lists \`{store}/${path}\`` })
export const change = (path: string, as = 'reader'): Exchange => ({
  ...post(`{store}/${path}`, { value: 'changed' }),
  as,
})

/** A write by the method PUT, which no document lists. */
export const overwrite = (path: string, as = 'reader'): Exchange => ({
  ...put(`{store}/${path}`, { value: 'overwritten' }),
  as,
})

/** The documents list neither of these two requests, so a target need not serve them. */
export const listByGet = (path: string, as = 'reader'): Exchange =>
  get(`{store}/${path}`, { as, query: { list: 'true' } })
export const readWithQuery = (path: string, as = 'reader'): Exchange =>
  get(`{store}/${path}`, { as, query: { assay: '1' } })

export const ofStore = (paths: string | readonly string[]): JsonObject =>
  bodyOf('egp', 'denies', { enforcement_level: 'hard-mandatory', paths })

/** The policy may also govern the operator's token. */
export const deniedToAll = unseen('the policy denies reading the path to everybody')
