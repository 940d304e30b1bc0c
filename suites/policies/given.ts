/** The three kinds of policies, and the requests and texts that they need. */
import type { Action, Exchange, JsonObject, Operation, Step } from '../../harness/vocabulary/index.ts'
import {
  bodyWords,
  DoesNotApply,
  del,
  fieldOf,
  get,
  isSuccess,
  list,
  post,
  StepFailed,
} from '../../harness/vocabulary/index.ts'
import { aclDocument, governingDocument, token } from '../given.ts'
import { action } from '../records.ts'
import { isWord } from '../word.ts'

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
  post(pathOf(kind, name), body, { ...words(kind, name, `written${bodyWords(body)}`), undo: deleted(kind, name) })

/** Makes a POST on a policy that an earlier step created. */
export const rewritten = (kind: Kind, body: JsonObject, name = '{policy}'): Exchange =>
  post(pathOf(kind, name), body, words(kind, name, `written again${bodyWords(body)}`))

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

/** No document describes how tokens are created: a server may leave out the names of policies that do not exist yet. If
 * the token itself shows that a name is missing, no later policy of that name is associated with it. */
const keepsNames = (as: string, names: readonly string[]) =>
  action(`the token \`${as}\` has these policies, if it shows them`, {}, async (scope) => {
    const [exchange] = scope.dialect.operations.lookupSelf?.({}).exchanges ?? []
    const reply = exchange && (await scope.send({ ...exchange, as }))
    const carried = reply && isSuccess(reply) ? fieldOf(reply, 'policies') : undefined
    if (!reply || !Array.isArray(carried)) return
    const missing = names.map((name) => scope.fill(name)).find((name) => !carried.some((one) => isWord(one, name)))
    if (missing === undefined) return
    throw DoesNotApply.shown(
      reply,
      `${reply.asked} does not show the policy \`${missing}\`, with which the token was created`,
    )
  })

/** A server may also refuse a token with such a name, if it creates one with `{anchor}` alone. */
const createdAhead = (as: string, names: readonly string[]): Action => {
  const [asked, plain] = [token(as, names), token(`${as}Plain`, ['{anchor}'])]
  return {
    ...{ kind: 'action', words: asked.words, touches: [], performs: [asked, plain], provides: asked.provides },
    async run(scope) {
      try {
        await scope.perform(asked)
      } catch (error) {
        if (!(error instanceof StepFailed) || error.code !== 'step-refused') throw error
        await scope.perform(plain)
        throw DoesNotApply.ofStep(
          error,
          ({ message }) => `${message}: a token is not created with the name of a policy that does not exist`,
        )
      }
    },
  }
}

/** Creates a token with these policies, of which some do not exist yet. The policy `{anchor}` does. */
export const tokenAhead = (as: string, names: readonly string[]): readonly Step[] => [
  createdAhead(as, names),
  keepsNames(as, names),
]
