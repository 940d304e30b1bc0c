import {
  AttachUserPolicyCommand,
  CreateAccessKeyCommand,
  CreateUserCommand,
  DeleteAccessKeyCommand,
  IAMClient,
} from '@aws-sdk/client-iam'
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type OpenedAccount, type Provider, startProvider } from '../../fixtures/servers/provider/index.ts'
import type { JsonObject, Reply, Scope } from '../../harness/vocabulary/index.ts'
import { asAsked } from './as-asked.ts'
import { account, neighbour } from './provider.ts'

let provider: Provider
let opened: OpenedAccount
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())
beforeEach(() => {
  opened = provider.openAccount({ roles: ['reader'] })
})

const settings = () => ({
  region: 'eu-north-1',
  credentials: { accessKeyId: opened.accessKey, secretAccessKey: opened.secretKey },
  maxAttempts: 1,
})
const iam = () => new IAMClient({ ...settings(), endpoint: provider.iam })
const roleArn = () => `arn:aws:iam::${opened.account}:role/reader`

async function userMade(options: object = {}): Promise<string> {
  await iam().send(new CreateUserCommand({ UserName: 'made', ...options }))
  const { AccessKey } = await iam().send(new CreateAccessKeyCommand({ UserName: 'made' }))
  return AccessKey?.AccessKeyId ?? ''
}
async function sessionMade(options: object = {}): Promise<string> {
  const sts = new STSClient({ ...settings(), endpoint: provider.sts })
  const asked = { RoleArn: roleArn(), RoleSessionName: 'one', DurationSeconds: 1800, ...options }
  return (await sts.send(new AssumeRoleCommand(asked))).Credentials?.AccessKeyId ?? ''
}

/** Returns the rows that a reply contradicts which holds this key. */
async function rowsOf(key: string, asked: string, served: Readonly<Record<string, readonly JsonObject[]>>) {
  const scope = {
    ...{ provided: () => provider, has: () => true, value: () => opened.account, save() {}, note() {} },
    served: (path: string) => served[path] ?? [],
  } as unknown as Scope
  const json = { data: { access_key: key } }
  const reply: Reply = {
    ...{ status: 200, headers: {}, json, text: JSON.stringify(json), bytes: new Uint8Array(), asked, at: 0 },
  }
  return (await asAsked.flawsIn({ reply, scope })).map(({ requirement }) => requirement)
}
const ofUser = (key: string, role: JsonObject) =>
  rowsOf(key, 'GET m/creds/worker', { 'm/roles/worker': [{ credential_type: 'iam_user', ...role }] })
const ofSession = (key: string, role: JsonObject, body: JsonObject = {}, further: readonly JsonObject[] = []) =>
  rowsOf(key, 'POST m/sts/worker', {
    'm/roles/worker': [{ credential_type: 'assumed_role', role_arns: [roleArn()], ...role }, ...further],
    'm/sts/worker': [{ ttl: '30m', ...body }],
  })

test('a user is held to each field of its role', async () => {
  const key = await userMade({ Path: '/a/' })
  expect(await ofUser(key, { user_path: '/a/' })).toEqual([])
  expect(await ofUser(key, {})).toEqual(['cloud.iam-user.path-default'])
  expect(await ofUser(key, { user_path: '/a/', iam_tags: ['a=b'], policy_arns: 'arn:x' })).toEqual([
    ...['cloud.iam-user.policy-arns', 'cloud.iam-user.tags'],
  ])
})

test('a session is held to its role and its request, and nobody else may be made for it', async () => {
  const key = await sessionMade()
  expect(await ofSession(key, {})).toEqual([])
  expect(await ofSession(key, { external_id: 'x' }, { ttl: '40m' })).toEqual([
    ...['cloud.assumed-role.ttl.request', 'cloud.assumed-role.external-id'],
  ])
  await iam().send(new CreateUserCommand({ UserName: 'more' }))
  expect(await ofSession(key, {})).toEqual(['cloud.assumed-role.nothing-more'])
})

test('nothing is said where a role was written twice, or a reply shows no key of the account', async () => {
  const key = await sessionMade()
  expect(await ofSession(key, { external_id: 'x' }, {}, [{ external_id: 'y' }])).toEqual([])
  expect(await ofSession('AKIA', { external_id: 'x' })).toEqual([])
})

test('users who were there before keep their rights, but for the one that neighbours have', async () => {
  const values = new Map<string, string>()
  const scope = {
    ...{ provided: () => provider, has: (name: string) => values.has(name), note() {}, served: () => [] },
    ...{ value: (name: string) => values.get(name), save: (name: string, value: string) => values.set(name, value) },
  } as unknown as Scope
  await account({ users: [{ name: 'bystander' }] }).run(scope)
  opened = {
    ...{ account: scope.value('account'), accessKey: scope.value('accessKey'), secretKey: scope.value('secretKey') },
    userName: 'operator',
  }
  const reply: Reply = {
    ...{ status: 200, headers: {}, json: { data: { access_key: 'AKIA' } }, text: '{}', bytes: new Uint8Array(), at: 0 },
    asked: 'POST m/config/rotate-root',
  }
  const attached = (UserName: string) =>
    iam().send(new AttachUserPolicyCommand({ UserName, PolicyArn: 'arn:aws:iam::aws:policy/ReadOnlyAccess' }))
  await attached(neighbour)
  expect(await asAsked.flawsIn({ reply, scope })).toEqual([])
  await attached('bystander')
  expect(await asAsked.flawsIn({ reply, scope })).toMatchObject([
    { requirement: 'cloud.rotate-root.only-keys', saw: '"bystander"' },
  ])
  await iam().send(new CreateUserCommand({ UserName: 'leaving' }))
  const { AccessKey } = await iam().send(new CreateAccessKeyCommand({ UserName: 'leaving' }))
  await iam().send(new DeleteAccessKeyCommand({ UserName: 'leaving', AccessKeyId: AccessKey?.AccessKeyId }))
  expect(await asAsked.flawsIn({ reply, scope })).toHaveLength(1)
  await iam().send(new CreateUserCommand({ UserName: 'stray' }))
  expect(await asAsked.flawsIn({ reply, scope })).toMatchObject([{}, { saw: '"stray"' }])
})
