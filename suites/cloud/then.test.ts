import {
  AttachUserPolicyCommand,
  CreateAccessKeyCommand,
  CreatePolicyCommand,
  CreateUserCommand,
  DeletePolicyCommand,
  GetAccountSummaryCommand,
  IAMClient,
} from '@aws-sdk/client-iam'
import { AssumeRoleCommand, GetFederationTokenCommand, STSClient } from '@aws-sdk/client-sts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { allowing } from '../../fixtures/cloud/policies.ts'
import { type OpenedAccount, type Provider, startProvider } from '../../fixtures/servers/provider/index.ts'
import { type Expectation, type Reply, type Scope, StepFailed, succeeds } from '../../harness/vocabulary/index.ts'
import { called, everyCall, hasDocument, lifetime, noMoreThan, parameter, policies } from './then.ts'
import { check } from './witnessed.ts'

let provider: Provider
let opened: OpenedAccount
let noted: string[]
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())
beforeEach(() => {
  opened = provider.openAccount({ roles: ['reader'] })
  noted = []
})

const scope = {
  provided: () => provider,
  value: () => opened.account,
  fill: (text: string) => text,
  save() {},
  note: ({ words }: { words: string }) => noted.push(words),
} as unknown as Scope
const reply = (status: number): Reply => ({
  ...{ status, headers: {}, json: {}, text: '{}', bytes: new Uint8Array() },
  ...{ asked: 'POST mount/sts/worker', at: 0 },
})
const settings = () => ({
  region: 'eu-north-1',
  credentials: { accessKeyId: opened.accessKey, secretAccessKey: opened.secretKey },
  maxAttempts: 1,
})
const sts = () => new STSClient({ ...settings(), endpoint: provider.sts })
const iam = () => new IAMClient({ ...settings(), endpoint: provider.iam })
const assume = (DurationSeconds?: number) =>
  sts().send(
    new AssumeRoleCommand({
      RoleArn: `arn:aws:iam::${opened.account}:role/reader`,
      RoleSessionName: 'one',
      DurationSeconds,
    }),
  )

/** Judges in the order of the harness: the state before, the request, the judgement. */
async function judged(expectation: Expectation, when: () => Promise<unknown>, status = 200) {
  const before = await expectation.before?.(scope)
  await when()
  return expectation.judge({ reply: reply(status), scope }, before)
}
const nothing = async () => {}

test('calls before the request that is judged do not count', async () => {
  await assume()
  expect(await judged(called('AssumeRole'), nothing)).toMatchObject({ saw: expect.stringContaining('no call') })
  expect(await judged(called('AssumeRole'), assume)).toBeUndefined()
  const name = parameter('AssumeRole', 'RoleSessionName', 'one')
  expect(await judged(name, nothing, 400)).toMatchObject({ at: 'status', wanted: '2xx', saw: '400' })
})

test('if a success caused no call, the parameters of the call cannot be judged', async () => {
  const region = everyCall('the region', /^AssumeRole$/, () => undefined)
  for (const one of [parameter('AssumeRole', 'ExternalId', 'x'), noMoreThan('AssumeRole', 900), region])
    await expect(judged(one, nothing)).rejects.toThrow(StepFailed)
  expect(await judged(region, nothing, 403)).toBeDefined()
})

test('if a call requests no lifetime, the default of the provider is judged', async () => {
  expect(await judged(lifetime('AssumeRole', 3600), () => assume())).toBeUndefined()
  expect(await judged(lifetime('AssumeRole', 3600), () => assume(3600))).toBeUndefined()
  expect(await judged(noMoreThan('AssumeRole', 1800), () => assume())).toMatchObject({
    saw: 'no DurationSeconds, which is 3600 seconds at the provider',
  })
  const federated = () => sts().send(new GetFederationTokenCommand({ Name: 'someone' }))
  expect(await judged(lifetime('GetFederationToken', 3600), federated)).toMatchObject({
    saw: expect.stringContaining('43200'),
  })
})

test('a managed policy that was created from a document counts as that document', async () => {
  const [reads, writes] = [allowing('s3:GetObject'), allowing('s3:PutObject')]
  const PolicyArn = `arn:aws:iam::${opened.account}:policy/assay/made`
  const Name = 'someone'
  await iam().send(new CreatePolicyCommand({ PolicyName: 'made', Path: '/assay/', PolicyDocument: reads }))
  const federated = async () => {
    await sts().send(new GetFederationTokenCommand({ Name, Policy: writes, PolicyArns: [{ arn: PolicyArn }] }))
    await iam().send(new DeletePolicyCommand({ PolicyArn }))
  }
  expect(await judged(policies('GetFederationToken', [writes, reads]), federated)).toBeUndefined()
  const plain = () => sts().send(new GetFederationTokenCommand({ Name, Policy: writes }))
  expect(await judged(policies('GetFederationToken', [writes, reads]), plain)).toMatchObject({ saw: writes })

  const made = async () => {
    await iam().send(new CreateUserCommand({ UserName: 'worker' }))
    await iam().send(new CreatePolicyCommand({ PolicyName: 'made', Path: '/assay/', PolicyDocument: reads }))
    await iam().send(new AttachUserPolicyCommand({ UserName: 'worker', PolicyArn }))
  }
  expect(await judged(hasDocument(reads), made)).toBeUndefined()
  expect(await judged(hasDocument(writes), nothing)).toMatchObject({ saw: expect.stringContaining('s3:GetObject') })
})

test('calls of other kinds are not judged', async () => {
  const region = everyCall('every call of the session', /^AssumeRole$/, ({ action }) =>
    action.replace('AssumeRole', ''),
  )
  const both = async () => {
    await iam().send(new CreateAccessKeyCommand({}))
    await assume()
  }
  expect(await judged(region, both)).toMatchObject({ saw: '' })
})

test('every finding records the log, and a call that the provider does not know is not a finding', async () => {
  const [then] = check('one', {
    requirement: 'x',
    when: { kind: 'exchange', method: 'GET', path: 'x' },
    then: [succeeds],
    mutants: ['cloud/x'],
  }).then
  expect(await judged(then, nothing, 500)).toBeDefined()
  expect(noted).toEqual(['what the provider was asked'])
  const unknown = () =>
    iam()
      .send(new GetAccountSummaryCommand({}))
      .catch(() => {})
  await expect(judged(then, unknown, 500)).rejects.toThrow('does not know GetAccountSummary')
  expect(await judged(then, nothing, 200)).toBeUndefined()
})
