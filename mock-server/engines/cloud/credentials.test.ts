import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Bed, openBed } from '../../test-beds/cloud.test-bed.ts'

const document = '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:*","Resource":"*"}]}'
const ofGroup = '{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"ec2:*","Resource":"*"}}'
const groups = [{ name: 'crew', policyArns: ['arn:aws:iam::aws:policy/G'], documents: [ofGroup] }]

let bed: Bed
beforeEach(async () => {
  bed = await openBed({ groups, roles: ['one', 'two'] })
  await bed.configure({ region: 'eu-west-1' })
})
afterEach(() => bed.close())

const arnOf = (role: string): string => `arn:aws:iam::${bed.account.account}:role/${role}`
const last = async (action: string): Promise<Readonly<Record<string, string>>> =>
  (await bed.calls()).findLast((call) => call.action === action)?.parameters ?? {}

test('a user gets everything that its role has, and is removed when its lease ends', async () => {
  await bed.post('config/lease', { lease: '1h', lease_max: '90m' })
  const role = { policy_arns: 'arn:aws:iam::aws:policy/A,arn:aws:iam::aws:policy/B', policy_document: document }
  const more = { iam_groups: 'crew', iam_tags: ['team=red'], user_path: '/made/' }
  const boundary = 'arn:aws:iam::aws:policy/Bound'
  await bed.post('roles/r', { credential_type: 'iam_user', ...role, ...more, permissions_boundary_arn: boundary })
  const made = await bed.get('creds/r')
  expect(made).toMatchObject({ status: 200, leaseSeconds: 3600 })
  expect(await bed.users()).toMatchObject([
    {
      path: '/made/',
      keys: [{ id: made.data.access_key }],
      tags: { team: 'red' },
      attached: ['arn:aws:iam::aws:policy/A', 'arn:aws:iam::aws:policy/B'],
      groups: ['crew'],
      boundary,
    },
  ])
  const renewed = await bed.system('POST', 'sys/leases/renew', { lease_id: made.leaseId, increment: '3h' })
  expect(renewed.leaseSeconds).toBeLessThanOrEqual(5400)
  await bed.system('POST', 'sys/leases/revoke', { lease_id: made.leaseId })
  expect(await bed.users()).toEqual([])
})

describe('assumed_role', () => {
  const role = (more: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> => ({
    credential_type: 'assumed_role',
    role_arns: [arnOf('one'), arnOf('two')],
    ...more,
  })

  test('all parameters are sent', async () => {
    const more = { policy_document: document, policy_arns: ['arn:aws:iam::aws:policy/A'], iam_groups: ['crew'] }
    await bed.post('roles/r', { ...role(more), session_tags: { team: 'red' }, external_id: 'x' })
    const made = await bed.post('sts/r', { role_arn: arnOf('two'), role_session_name: 'n'.repeat(70), ttl: '20m' })
    expect(made).toMatchObject({ status: 200, leaseSeconds: 1200 })
    const sent = await last('AssumeRole')
    expect(sent).toMatchObject({
      RoleArn: arnOf('two'),
      RoleSessionName: 'n'.repeat(64),
      DurationSeconds: '1200',
      ExternalId: 'x',
      'Tags.member.1.Key': 'team',
      'PolicyArns.member.1.arn': 'arn:aws:iam::aws:policy/A',
      'PolicyArns.member.2.arn': 'arn:aws:iam::aws:policy/G',
    })
    expect(JSON.parse(sent.Policy ?? '').Statement).toMatchObject([{ Action: 's3:*' }, { Action: 'ec2:*' }])
  })
  test.each([
    ['several roles are allowed and the request names none', undefined],
    ['the request names a role that is not allowed', 'arn:aws:iam::1:role/other'],
  ])('a request is refused if %s', async (_, role_arn) => {
    await bed.post('roles/r', role())
    expect((await bed.post('sts/r', role_arn ? { role_arn } : {})).status).toBe(400)
    expect(await bed.calls()).toEqual([])
  })
  test('a request need not name the only allowed role', async () => {
    await bed.post('roles/r', role({ role_arns: arnOf('one') }))
    expect((await bed.get('sts/r')).status).toBe(200)
    expect((await last('AssumeRole')).RoleSessionName).toMatch(/^cloud-\d+-\w+$/)
  })
})

test.each([
  ['the request', { ttl: '1000' }, {}, '1000'],
  ['the role', {}, { default_sts_ttl: '30m' }, '1800'],
  ['the request before the role', { ttl: '1000' }, { default_sts_ttl: '30m' }, '1000'],
  ['the default', {}, {}, '3600'],
  ['the cap', { ttl: '2h' }, { max_sts_ttl: '30m' }, '1800'],
  ['the cap on the default', {}, { max_sts_ttl: '30m' }, '1800'],
])('%s decides the lifetime of a session', async (_, request, role, seconds) => {
  await bed.post('roles/r', { credential_type: 'federation_token', policy_document: document, ...role })
  expect((await bed.post('sts/r', request)).status).toBe(200)
  expect((await last('GetFederationToken')).DurationSeconds).toBe(seconds)
})

test('a role with an MFA device requires a code', async () => {
  await bed.post('roles/r', { credential_type: 'session_token', mfa_serial_number: 'GAHT12345678' })
  expect((await bed.post('sts/r')).status).toBe(400)
  await bed.post('sts/r', { mfa_code: '123456' })
  expect(await last('GetSessionToken')).toMatchObject({ SerialNumber: 'GAHT12345678', TokenCode: '123456' })
})

test('a legacy role issues users through creds and sessions through sts', async () => {
  await bed.post('roles/r', { policy: document })
  expect((await bed.get('creds/r')).data.security_token).toBeNull()
  expect((await bed.post('sts/r')).data.security_token).toEqual(expect.any(String))
  await bed.post('roles/a', { arn: 'arn:aws:iam::aws:policy/A' })
  expect((await bed.post('sts/a')).status).toBe(400)
})

test.each([
  ['creds', 64, 200],
  ['creds', 65, 500],
  ['sts', 32, 200],
  ['sts', 33, 500],
])('through %s, a name of %i characters gets the status %i', async (way, length, status) => {
  await bed.configure({ username_template: 'n'.repeat(length) })
  const type = way === 'creds' ? 'iam_user' : 'federation_token'
  await bed.post('roles/r', { credential_type: type, policy_document: document })
  expect((await bed.get(`${way}/r`)).status).toBe(status)
})

test.each([
  [0, 1],
  [1, 2],
  [-1, 3],
])('max_retries %i leads to %i attempts', async (max_retries, attempts) => {
  await bed.configure({ max_retries })
  await bed.post('roles/r', { credential_type: 'session_token' })
  await bed.script({ kind: 'failure', times: 9 })
  expect((await bed.get('sts/r')).status).toBe(400)
  expect(await bed.calls()).toHaveLength(attempts)
})
