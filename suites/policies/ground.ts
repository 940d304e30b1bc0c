/** Stores, readers and the policies that let them read, which checks of governing policies share. */
import type { SharedGround, Step } from '../../harness/vocabulary/index.ts'
import { governedByEgp, governedByRgp } from './governed.ts'
import { entries, store } from './in-store.ts'

/** A check may write governing policies, which it deletes again, read what is governed, and have users of its own. */
const governing =
  /(POST|GET|DELETE) sys\/policies\/[er]gp\/\{policy\}(-\w+)*|GET sys\/policies\/acl\/\{anchor\}(-\w+)?|POST auth\/token\/create|GET sys\/auth|POST (sys\/auth\/\{user\}|auth\/\{user\}\/.*|identity\/(entity|entity-alias))/
const whole = (...parts: readonly RegExp[]): RegExp => new RegExp(`^(${parts.map(({ source }) => source).join('|')})$`)

/** What a check has changed or deleted is written anew after it. */
const inStore: SharedGround = {
  givens: [store],
  leave: whole(governing, /(GET|LIST|POST|PUT|DELETE) \{store\}\/.*/),
  restores: entries.map((sends) => ({ after: /^(POST|PUT|DELETE) \{store\}\//, sends })),
  frame: [],
}

const read = (...givens: readonly (readonly Step[])[]): SharedGround => ({
  ...{ givens, leave: whole(governing), frame: [] },
})

/** The policies beside `{anchor}` in the situations that several checks have. */
export const anchorsBeside = {
  none: [],
  three: ['{anchor}-a', '{anchor}-ab', '{anchor}-b'],
  four: ['{anchor}-a', '{anchor}-ab', '{anchor}-b', '{anchor}-bc'],
} as const

export const sharedReaders: readonly SharedGround[] = [
  inStore,
  read(governedByRgp.situation, ...Object.values(anchorsBeside).map((more) => governedByEgp('', more).situation)),
]
