/** The endpoints `config/root` and `config/rotate-root`. */
import type { Call, Reply } from '../../../kernel/contracts.ts'
import { done } from '../../../kernel/contracts.ts'
import { badRequest, Refusal } from '../../../kernel/http/refusal.ts'
import { type Context, formAt, legible, madeUp, rootOf } from '../context.ts'
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

function read(call: Call, context: Context, stored: boolean): RootConfig {
  const values = rulesOf(context).map(([name, rule]) => {
    const given = isThere(context, rule) ? legible(context, () => rule.read(call.body, name)) : undefined
    const value = given === undefined || given === '' ? rule.fallback : given
    return [name, stored ? (rule.stored(value) ?? rule.fallback) : value] as const
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

/** Returns the parts of the earlier configuration that an update does not replace. Only mutants leave any. */
function staying(
  update: Context['rules']['root']['update'],
  { access_key, secret_key, role_arn, identity_token_audience }: RootConfig,
  stored: RootConfig,
): Partial<RootConfig> {
  if (update === 'keys-stay' && access_key !== '' && stored.identity_token_audience !== '')
    return { access_key, secret_key }
  if (update === 'identity-stays' && identity_token_audience !== '' && stored.access_key !== '')
    return { access_key: '', secret_key: '', role_arn, identity_token_audience }
  if (update === 'audience-stays' && identity_token_audience !== '' && stored.identity_token_audience !== '')
    return { identity_token_audience }
  return {}
}

/** Returns whether a mutant does not replace the configuration at all. */
const stays = ({ rules, store }: Context, { access_key }: RootConfig): boolean =>
  rules.root.update === 'kept' || (rules.root.update === 'kept-after-rotation' && store.rotatedKey === access_key)

/** Ends the lease configuration and the rotations of static roles if a mutant does so. */
function endBesides({ rules, store, alarms }: Context): void {
  if (!store.root) return
  if (rules.root.lease === 'forgotten') store.lease = undefined
  if (rules.root.staticRoles === 'end') alarms.cancelAll()
}

/** Asks the provider about credentials if a mutant does so. */
async function askAbout(context: Context, given: RootConfig): Promise<void> {
  const { credentials } = context.rules.root
  const isAsked = credentials === 'validated-later' ? context.store.root !== undefined : credentials !== 'not-validated'
  if (!isAsked || given.sts_endpoint === '') return
  await context
    .provider(given)
    .sts('GetCallerIdentity', {})
    .catch((error) => {
      if (credentials !== 'asked') throw refusalOf(error, 'the credentials are not valid')
    })
}

/** Replaces the configuration, or as much of it as the rules say. */
function replaceRoot({ rules, store }: Context, stored: RootConfig): void {
  const { update, replacedKey } = rules.root
  const shown = stored.access_key === '' && replacedKey === 'shown' ? store.root?.access_key : undefined
  store.root = store.root ? { ...stored, ...staying(update, store.root, stored) } : stored
  store.shownKey = shown || undefined
}

export async function writeRoot(call: Call, context: Context): Promise<Reply> {
  const { rules, store } = context
  const given = read(call, context, false)
  const stored = read(call, context, true)
  try {
    for (const { forms, broken, message } of Object.values(rules.rootRules))
      if (forms.includes(formAt(context)) && broken(given, store.root !== undefined)) throw badRequest(message)
    legible(context, () => assertTemplate(given.username_template))
    await askAbout(context, given)
  } catch (error) {
    if (rules.refusedWrite === 'stored') store.root = stored
    throw error
  }
  const replaces = store.root !== undefined
  endBesides(context)
  if (!store.root || !stays(context, store.root)) replaceRoot(context, stored)
  if (replaces && rules.refusedYetDone.includes('replacement of the root'))
    throw badRequest('the root credentials were not replaced')
  return done
}

export function readRoot(context: Context): Reply {
  if (!context.store.root || context.rules.root.read === 'not-found') throw new Refusal('not-found')
  const config: Readonly<Record<string, unknown>> = {
    ...context.store.root,
    ...(context.store.shownKey === undefined ? {} : { access_key: context.store.shownKey }),
  }
  const shown = rulesOf(context)
    .filter(([, rule]) => isThere(context, rule))
    .map(([name, rule]) => [rule.shownAs ?? name, rule.shown(config[name])] as const)
  return dataOf(Object.fromEntries(shown.filter(([, value]) => value !== undefined)))
}

/** The fields that have their defaults after a rotation. */
const resetBy = {
  kept: [],
  reset: ['region', 'max_retries', 'username_template'],
  'without-template': ['username_template'],
} as const

async function rotate(context: Context): Promise<AccessKey> {
  const { store, rules } = context
  const rotation = rules.rotation
  const config = rootOf(context)
  if (config.access_key === '') {
    if (rotation.withoutKey === 'done') return madeUp(context)
    throw badRequest('config/root has no access_key that could be rotated')
  }
  const isRotated = store.rotatedKey === config.access_key
  if (rotation.rotates === 'never' || (rotation.rotates === 'once' && isRotated))
    return { id: config.access_key, secret: config.secret_key }

  const provider = context.provider()
  const { User } = await provider.iam('GetUser', {})
  const username = User?.UserName ?? ''
  const known = (await keysOf(provider, username)).map(({ id }) => id)
  if (rotation.otherKey === 'deleted')
    for (const AccessKeyId of known.filter((id) => id !== config.access_key))
      await provider.iam('DeleteAccessKey', { UserName: username, AccessKeyId })
  if (rotation.beside === 'user') await provider.iam('CreateUser', { UserName: 'beside' })
  const made = await makeKeyOrNone(context, provider, username, known)
  store.rotatedKey = made.id
  if (rotation.shows === 'old') store.shownKey = config.access_key
  if (rotation.signs === 'old') {
    store.shownKey = made.id
    return made
  }
  const reset = resetBy[rotation.rest]
  const rest = Object.fromEntries(reset.map((name) => [name, rules.rootFields[name].fallback]))
  store.root = { ...config, ...rest, access_key: made.id, secret_key: made.secret }
  // The old key signs its own deletion, because the provider may not know the new key everywhere yet.
  const old = { UserName: username, AccessKeyId: config.access_key }
  await provider
    .iam('DeleteAccessKey', old)
    .catch(() => discard(context, { kind: 'key', username, key: config.access_key }))
  return made
}

export const rotateRoot = (context: Context): Promise<Reply> =>
  context.inTurn('keys', async () => {
    const { store, rules } = context
    const old = store.root
    try {
      const made = await rotate(context)
      if (rules.rotation.staticRoles === 'end') context.alarms.cancelAll()
      if (rules.rotation.lease === 'forgotten') store.lease = undefined
      const answered = rules.rotation.answers === 'old' ? (old?.access_key ?? '') : made.id
      return dataOf({
        access_key: answered,
        ...(rules.rotation.answers === 'with-secret' ? { secret_key: made.secret } : {}),
      })
    } catch (error) {
      if (rules.rotation.failed === 'spoilt' && old) {
        const { id, secret } = madeUp(context)
        store.root = { ...old, access_key: id, secret_key: secret }
      }
      throw refusalOf(error, 'the root credentials were not rotated')
    }
  })
