/** The endpoints `config/root` and `config/rotate-root`. */
import { type Call, done, type Reply } from '../../../kernel/contracts.ts'
import { badRequest, Refusal } from '../../../kernel/http/refusal.ts'
import { type Context, formAt, providerOf, rootOf } from '../context.ts'
import { makeKeyOrNone } from '../provider/access-keys.ts'
import { refusalOf } from '../provider/failures.ts'
import { discard } from '../provider/pending-removals.ts'
import { keysOf } from '../provider/users.ts'
import type { RootFieldRule } from '../rules/root.ts'
import type { AccessKey, RootConfig } from '../store.ts'
import { TemplateError } from '../template/parse.ts'
import { readTemplate } from '../template/template.ts'
import { dataOf } from './replies.ts'

const rulesOf = ({ rules }: Context): [string, RootFieldRule<unknown>][] =>
  Object.entries(rules.rootFields as unknown as Record<string, RootFieldRule<unknown>>)

/** Returns whether this API form and edition have a field. Other fields are ignored. */
const isThere = (context: Context, { forms, editions }: RootFieldRule<unknown>): boolean =>
  forms.includes(formAt(context)) && editions.includes(context.facts.edition)

/** Returns the configuration that a request means. */
export function rootIn({ body }: Pick<Call, 'body'>, context: Context): RootConfig {
  const values = rulesOf(context).map(([name, rule]) => {
    const given = isThere(context, rule) ? rule.read(body, name) : undefined
    return [name, given === undefined || given === '' ? rule.fallback : given] as const
  })
  return Object.fromEntries(values) as unknown as RootConfig
}

function assertTemplate(source: string): void {
  try {
    readTemplate(source)
  } catch (error) {
    if (error instanceof TemplateError) throw badRequest(`username_template: ${error.message}`)
    throw error
  }
}

/** A write replaces the whole configuration, and does not ask the provider about the credentials. */
export function writeRoot(call: Call, context: Context): Reply {
  const config = rootIn(call, context)
  for (const { forms, broken, message } of Object.values(context.rules.rootRules))
    if (forms.includes(formAt(context)) && broken(config)) throw badRequest(message)
  assertTemplate(config.username_template)
  context.store.root = config
  return done
}

const isShown = (value: unknown, { shown }: RootFieldRule<unknown>): boolean =>
  shown === 'always' || (shown === 'when-set' && value !== '')

export function readRoot(context: Context): Reply {
  if (!context.store.root) throw new Refusal('not-found')
  const config = new Map<string, unknown>(Object.entries(context.store.root))
  const shown = rulesOf(context).filter(([name, rule]) => isThere(context, rule) && isShown(config.get(name), rule))
  return dataOf(Object.fromEntries(shown.map(([name]) => [name, config.get(name)])))
}

async function rotate(context: Context): Promise<AccessKey> {
  const config = rootOf(context)
  if (config.access_key === '') throw badRequest('config/root has no access_key that could be rotated')
  const provider = providerOf(context)
  const { User } = await provider.iam('GetUser', {})
  const username = User?.UserName ?? ''
  const known = (await keysOf(provider, username)).map(({ id }) => id)
  const made = await makeKeyOrNone(context, provider, username, known)
  context.store.root = { ...config, access_key: made.id, secret_key: made.secret }
  // The old key signs its own deletion, because the provider may not know the new key everywhere yet.
  const old = { UserName: username, AccessKeyId: config.access_key }
  await provider
    .iam('DeleteAccessKey', old)
    .catch(() => discard(context, { kind: 'key', username, key: config.access_key }))
  return made
}

export const rotateRoot = (context: Context): Promise<Reply> =>
  context.inTurn('keys', async () => {
    try {
      return dataOf({ access_key: (await rotate(context)).id })
    } catch (error) {
      throw refusalOf(error, 'the root credentials were not rotated')
    }
  })
