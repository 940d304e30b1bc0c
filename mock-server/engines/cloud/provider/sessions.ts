/** Opens sessions at the provider: temporary credentials of the STS types. */
import type { Credentials } from '@aws-sdk/client-sts'
import type { Variation } from '../../../kernel/variation.ts'
import type { Ask, GroupPolicies, Issued, SessionAction, SessionRules } from '../rules/credentials.ts'
import { documentFor } from './policy-documents.ts'
import type { Provider } from './provider.ts'
import { all } from './users.ts'

export async function policiesOfGroups(provider: Provider, names: readonly string[]): Promise<Ask['groups']> {
  const groups: GroupPolicies[] = []
  for (const GroupName of names) {
    const documents: string[] = []
    const inline = await all(
      (marker) => provider.iam('ListGroupPolicies', { GroupName, ...marker }),
      (page) => page.PolicyNames,
    )
    for (const PolicyName of inline) {
      const { PolicyDocument = '' } = await provider.iam('GetGroupPolicy', { GroupName, PolicyName })
      documents.push(decodeURIComponent(PolicyDocument))
    }
    const attached = await all(
      (marker) => provider.iam('ListAttachedGroupPolicies', { GroupName, ...marker }),
      (page) => page.AttachedPolicies,
    )
    groups.push({ documents, arns: attached.flatMap(({ PolicyArn }) => PolicyArn ?? []) })
  }
  return groups
}

/** Returns an object with the parameter, or an empty one if the value is undefined. */
const some = <Name extends string, Value>(name: Name, value: Value | undefined): { readonly [N in Name]?: Value } =>
  value === undefined ? {} : ({ [name]: value } as { [N in Name]: Value })

type Answer = { readonly Credentials?: Credentials | undefined }
type Call = (provider: Provider, rules: SessionRules, ask: Ask, variation: Variation) => Promise<Answer>

const filters = (rules: SessionRules, ask: Ask, variation: Variation) => ({
  ...some('Policy', documentFor(rules.policy(ask), variation)),
  ...some('PolicyArns', listOf(rules.policyArns(ask).map((arn) => ({ arn })))),
})
const device = (rules: SessionRules, ask: Ask) => ({
  ...some('SerialNumber', rules.serial(ask)),
  ...some('TokenCode', rules.code(ask)),
})
const listOf = <T>(items: T[]): T[] | undefined => (items.length === 0 ? undefined : items)

/** The default lifetimes of the provider, in seconds. */
const usualSeconds: Readonly<Record<SessionAction, number>> = {
  AssumeRole: 3600,
  GetFederationToken: 43_200,
  GetSessionToken: 43_200,
}
const lifetime = (action: SessionAction, { ttl }: Ask, { usualLifetime }: Variation) =>
  usualLifetime === 'left-out' && ttl === usualSeconds[action] ? {} : { DurationSeconds: ttl }

const calls: Readonly<Record<SessionAction, Call>> = {
  AssumeRole: (provider, rules, ask, variation) =>
    provider.sts('AssumeRole', {
      ...{ RoleArn: ask.roleArn, RoleSessionName: ask.name },
      ...lifetime('AssumeRole', ask, variation),
      ...filters(rules, ask, variation),
      ...some('Tags', listOf(Object.entries(rules.tags(ask)).map(([Key, Value]) => ({ Key, Value })))),
      ...some('ExternalId', rules.externalId(ask)),
      ...device(rules, ask),
    }),
  GetFederationToken: (provider, rules, ask, variation) =>
    provider.sts('GetFederationToken', {
      Name: ask.name || 'cloud',
      ...lifetime('GetFederationToken', ask, variation),
      ...filters(rules, ask, variation),
    }),
  GetSessionToken: (provider, rules, ask, variation) =>
    provider.sts('GetSessionToken', { ...lifetime('GetSessionToken', ask, variation), ...device(rules, ask) }),
}

export async function openSession(
  provider: Provider,
  action: SessionAction,
  rules: SessionRules,
  ask: Ask,
  variation: Variation,
): Promise<Issued> {
  if (variation.looksAround) await provider.sts('GetCallerIdentity', {})
  const { Credentials: issued } = await calls[action](provider, rules, ask, variation)
  if (!issued?.AccessKeyId || !issued.SecretAccessKey) throw new Error(`${action} answered no credentials`)
  return { id: issued.AccessKeyId, secret: issued.SecretAccessKey, token: issued.SessionToken }
}
