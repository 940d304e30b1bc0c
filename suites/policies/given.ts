/** The three kinds of policies, and the requests and texts that they need. */
import type { Exchange, JsonObject, Operation, Step } from '../../harness/vocabulary/index.ts'
import { del, get, list, post } from '../../harness/vocabulary/index.ts'
import { aclDocument, governingDocument } from '../given.ts'

export const everyKind = ['acl', 'rgp', 'egp'] as const
export type Kind = (typeof everyKind)[number]
/** The kinds that have an enforcement level. */
export const governingKinds = ['rgp', 'egp'] as const
export type GoverningKind = (typeof governingKinds)[number]

export const levels = ['advisory', 'soft-mandatory', 'hard-mandatory'] as const

/** Each check has a policy about a path of its own: the path at which the policy `{name}` is read. */
export const readingOf = (name: string): string => `sys/policies/acl/${name}`

export const pathOf = (kind: Kind, name = '{policy}'): string => `sys/policies/${kind}/${name}`
const called: Readonly<Record<Kind, string>> = { acl: 'the ACL policy', rgp: 'the RGP', egp: 'the EGP' }
const words = (kind: Kind, name: string, done: string) => ({ words: `${called[kind]} \`${name}\` is ${done}` })

export const read = (kind: Kind, name = '{policy}'): Exchange => get(pathOf(kind, name), words(kind, name, 'read'))
export const listed = (kind: Kind): Exchange =>
  list(`sys/policies/${kind}`, {
    words: `the ${kind === 'acl' ? 'ACL policies' : `${kind.toUpperCase()}s`} are listed`,
  })
export const deleted = (kind: Kind, name = '{policy}'): Exchange =>
  del(pathOf(kind, name), words(kind, name, 'deleted'))

/** The fields that a kind needs besides `policy`, with values that restrict nobody. */
const harmless: Readonly<Record<Kind, JsonObject>> = {
  acl: {},
  rgp: { enforcement_level: 'advisory' },
  egp: { enforcement_level: 'advisory', paths: readingOf('{policy}') },
}

/** Returns a complete body for a kind: `policy` is a scope name; further fields replace the harmless ones. */
export const bodyOf = (kind: Kind, policy: string, fields: JsonObject = {}): JsonObject => ({
  policy: `{${policy}}`,
  ...harmless[kind],
  ...fields,
})

/** Makes a POST that may create a policy; the undo is a DELETE. */
export const written = (kind: Kind, body: JsonObject, name = '{policy}'): Exchange =>
  post(pathOf(kind, name), body, { ...words(kind, name, 'written'), undo: deleted(kind, name) })

/** Makes a POST on a policy that an earlier step created. */
export const rewritten = (kind: Kind, body: JsonObject, name = '{policy}'): Exchange =>
  post(pathOf(kind, name), body, words(kind, name, 'written again'))

/** Makes two different texts: `{first}` and `{second}` by default. */
export const twoDocuments = (kind: Kind, first = 'first', second = 'second'): readonly Operation[] =>
  kind === 'acl'
    ? [
        aclDocument(first, [{ path: readingOf('{policy}'), capabilities: ['read'] }]),
        aclDocument(second, [{ path: readingOf('{policy}'), capabilities: ['list'] }]),
      ]
    : [governingDocument(first, 'allow'), governingDocument(second, { denyPath: readingOf('{policy}') })]

/** Writes an ACL policy that lets its holder read these ACL policies and itself. */
export const readerPolicy = (name: string, others: readonly string[] = []): readonly Step[] => {
  const text = `${name.replaceAll(/\W/g, '')}Text`
  const rules = [name, ...others].map((one) => ({ path: readingOf(one), capabilities: ['read'] }))
  return [aclDocument(text, rules), written('acl', bodyOf('acl', text), name)]
}
