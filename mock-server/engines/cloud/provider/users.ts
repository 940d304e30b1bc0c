/** Reads and changes users at the provider, and their keys. */
import type { Variation } from '../../../kernel/variation.ts'
import type { Ask, UserRules } from '../rules/credentials.ts'
import type { AccessKey } from '../store.ts'
import { isCode } from './failures.ts'
import { documentFor } from './policy-documents.ts'
import type { Provider } from './provider.ts'

export interface KnownKey {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

interface Page {
  readonly IsTruncated?: boolean | undefined
  readonly Marker?: string | undefined
}

/** Fetches every page of a list. */
export async function all<T extends Page, Item>(
  page: (marker: { Marker?: string }) => Promise<T>,
  items: (page: T) => readonly Item[] | undefined,
): Promise<Item[]> {
  const found: Item[] = []
  for (let marker: { Marker?: string } | undefined = {}; marker; ) {
    const reply: T = await page(marker)
    found.push(...(items(reply) ?? []))
    marker = reply.IsTruncated && reply.Marker ? { Marker: reply.Marker } : undefined
  }
  return found
}

/** Returns the keys, the oldest first. */
export async function keysOf(provider: Provider, UserName: string): Promise<readonly KnownKey[]> {
  const keys = await all(
    (marker) => provider.iam('ListAccessKeys', { UserName, ...marker }),
    ({ AccessKeyMetadata }) => AccessKeyMetadata,
  )
  return keys
    .map(({ AccessKeyId = '', CreateDate }) => ({ id: AccessKeyId, createdAt: CreateDate?.getTime() ?? 0 }))
    .sort((a, b) => a.createdAt - b.createdAt)
}

export async function makeKey(provider: Provider, UserName: string): Promise<AccessKey> {
  const { AccessKey: made } = await provider.iam('CreateAccessKey', { UserName })
  if (!made?.AccessKeyId || !made.SecretAccessKey) throw new Error(`CreateAccessKey of ${UserName} answered no key`)
  return { id: made.AccessKeyId, secret: made.SecretAccessKey }
}

const tagsOf = (rules: UserRules, ask: Ask): { Key: string; Value: string }[] =>
  Object.entries(rules.tags(ask)).map(([Key, Value]) => ({ Key, Value }))

export const createUser = (provider: Provider, rules: UserRules, ask: Ask, variation: Variation): Promise<unknown> => {
  const path = rules.path(ask)
  const boundary = variation.userFurnishing === 'at-once' ? rules.boundary(ask) : undefined
  const Tags = variation.userFurnishing === 'at-once' ? tagsOf(rules, ask) : []
  return provider.iam('CreateUser', {
    UserName: ask.name,
    ...(path === undefined ? {} : { Path: path }),
    ...(boundary === undefined ? {} : { PermissionsBoundary: boundary }),
    ...(Tags.length === 0 ? {} : { Tags }),
  })
}

/** Gives a new user its policies, groups and key. The key comes last, because it is useless before the rest exists. */
export async function furnishUser(
  provider: Provider,
  rules: UserRules,
  ask: Ask,
  variation: Variation,
): Promise<AccessKey> {
  const { name: UserName } = ask
  if (variation.looksAround) await provider.iam('GetUser', { UserName })
  if (variation.userFurnishing === 'afterwards') {
    const [PermissionsBoundary, Tags] = [rules.boundary(ask), tagsOf(rules, ask)]
    if (PermissionsBoundary) await provider.iam('PutUserPermissionsBoundary', { UserName, PermissionsBoundary })
    if (Tags.length > 0) await provider.iam('TagUser', { UserName, Tags })
  }
  for (const PolicyArn of rules.attached(ask)) await provider.iam('AttachUserPolicy', { UserName, PolicyArn })
  const PolicyDocument = documentFor(rules.inline(ask), variation)
  if (PolicyDocument !== undefined)
    await provider.iam('PutUserPolicy', { UserName, PolicyName: UserName, PolicyDocument })
  for (const GroupName of rules.groups(ask)) await provider.iam('AddUserToGroup', { UserName, GroupName })
  return makeKey(provider, UserName)
}

/** Waits for a removal, and ignores that the thing does not exist. */
const gone = async (step: Promise<unknown>): Promise<void> => {
  await step.catch((error) => {
    if (!isCode(error, 'NoSuchEntity')) throw error
  })
}

export async function removeKeys(provider: Provider, UserName: string): Promise<void> {
  for (const { id: AccessKeyId } of await keysOf(provider, UserName))
    await gone(provider.iam('DeleteAccessKey', { UserName, AccessKeyId }))
}

/** Detaches all policies from a user, and removes the user from all groups. */
export async function stripUser(provider: Provider, UserName: string): Promise<void> {
  const attached = await all(
    (marker) => provider.iam('ListAttachedUserPolicies', { UserName, ...marker }),
    (page) => page.AttachedPolicies,
  )
  for (const { PolicyArn } of attached) await gone(provider.iam('DetachUserPolicy', { UserName, PolicyArn }))
  const inline = await all(
    (marker) => provider.iam('ListUserPolicies', { UserName, ...marker }),
    (page) => page.PolicyNames,
  )
  for (const PolicyName of inline) await gone(provider.iam('DeleteUserPolicy', { UserName, PolicyName }))
  const groups = await all(
    (marker) => provider.iam('ListGroupsForUser', { UserName, ...marker }),
    (page) => page.Groups,
  )
  for (const { GroupName } of groups) await gone(provider.iam('RemoveUserFromGroup', { UserName, GroupName }))
}

/** Removes a user with its keys, policies and groups. A user that does not exist counts as removed. */
export async function removeUser(provider: Provider, UserName: string): Promise<void> {
  try {
    // Keys are deleted first, because they give access.
    await removeKeys(provider, UserName)
    await stripUser(provider, UserName)
    await provider.iam('DeleteUser', { UserName })
  } catch (error) {
    if (!isCode(error, 'NoSuchEntity')) throw error
  }
}
