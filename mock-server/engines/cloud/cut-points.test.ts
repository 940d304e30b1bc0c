import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Bed, type Ground, openBed, openGround, type Script } from '../../test-beds/cloud.test-bed.ts'

let ground: Ground
let bed: Bed
beforeAll(async () => {
  ground = await openGround()
})
afterEach(() => bed.close())
afterAll(() => ground.close())
const open = async (state: Parameters<typeof openBed>[0] = {}): Promise<void> => {
  bed = await openBed(state, {}, ground)
}

const kinds: readonly Script['kind'][] = ['throttle', 'failure', 'cut', 'cut-late']
const document = '{"Version":"2012-10-17","Statement":[]}'
const role = {
  credential_type: 'iam_user',
  policy_arns: ['arn:aws:iam::aws:policy/A'],
  policy_document: document,
  iam_groups: ['crew'],
}
/** After this many seconds all pending removals have succeeded. */
const aDay = 86_400

/** Returns scripts in which each call of an operation fails, once and from then on; one of them unless all are wanted. */
const points = (calls: number): { kind: Script['kind']; skip: number; times: number }[] =>
  kinds.flatMap((kind, at) =>
    Array.from({ length: calls }, (_, skip) =>
      [1, 100]
        .filter((_, which) => process.env.ASSAY_TRIALS || which === (at + skip) % 2)
        .map((times) => ({ kind, skip, times })),
    ).flat(),
  )
const name = '$kind of $times calls after $skip calls'

/** The number of calls that each operation makes without a fault. Every one of them is made to fail. */
const lengths = {
  user: 5,
  session: 4,
  revocation: 9,
  rotateRoot: 4,
  adoption: 3,
  fullAdoption: 4,
  rotation: 3,
} as const

describe('every call is made to fail:', () => {
  const counted = async (act: () => Promise<unknown>): Promise<number> => {
    const { length } = await bed.calls()
    await act()
    return (await bed.calls()).length - length
  }
  const groups = [{ name: 'crew', policyArns: ['arn:aws:iam::aws:policy/B'], documents: [document] }]

  test('the calls for a user and its revocation', async () => {
    await open({ groups })
    await bed.configure()
    await bed.post('config/lease', { lease: '1h', lease_max: '2h' })
    await bed.post('roles/maker', role)
    expect(await counted(() => bed.get('creds/maker'))).toBe(lengths.user)
    expect(await counted(() => bed.pass(3600))).toBe(lengths.revocation)
  })
  test('the calls for a session', async () => {
    await open({ groups })
    await bed.configure()
    await bed.post('roles/fed', { ...role, credential_type: 'federation_token' })
    expect(await counted(() => bed.post('sts/fed'))).toBe(lengths.session)
  })
  test('the calls for rotate-root', async () => {
    await open()
    await bed.configure()
    expect(await counted(() => bed.post('config/rotate-root'))).toBe(lengths.rotateRoot)
  })
  test('the calls for static roles', async () => {
    await open({
      users: [
        { name: 'app', keys: 1 },
        { name: 'full', keys: 2 },
      ],
    })
    await bed.configure()
    const write = (username: string) => bed.post(`static-roles/${username}`, { username, rotation_period: '24h' })
    expect(await counted(() => write('app'))).toBe(lengths.adoption)
    expect(await counted(() => bed.pass(aDay))).toBe(lengths.rotation)
    expect(await counted(() => write('full'))).toBe(lengths.fullAdoption)
  })
})

describe('credentials of a user', () => {
  test.each(points(lengths.user))(name, async (script) => {
    await open({ groups: [{ name: 'crew' }] })
    await bed.configure()
    await bed.post('roles/maker', role)
    await bed.script(script)
    const { status } = await bed.get('creds/maker')
    expect(status).toBe(script.kind === 'throttle' ? 502 : 400)
    await bed.endScripts()
    await bed.pass(aDay)
    expect(await bed.users()).toEqual([])
    expect(bed.leases()).toEqual([])
  })

  test('a retry after a lost response leaves nothing behind', async () => {
    await open({ groups: [{ name: 'crew' }] })
    await bed.configure({ max_retries: 1 })
    await bed.post('roles/maker', role)
    await bed.script({ kind: 'cut-late', action: 'CreateUser' })
    expect((await bed.get('creds/maker')).status).toBe(400)
    await bed.pass(aDay)
    expect(await bed.users()).toEqual([])
  })

  test('a user who was not made by the mount is not changed', async () => {
    await open({ users: [{ name: 'taken', keys: 1 }] })
    await bed.configure({ username_template: 'taken', max_retries: 1 })
    await bed.post('roles/maker', { credential_type: 'iam_user', policy_document: document })
    expect((await bed.get('creds/maker')).status).toBe(400)
    await bed.script({ kind: 'failure', action: 'CreateUser', times: 100 })
    expect((await bed.get('creds/maker')).status).toBe(400)
    await bed.endScripts()
    await bed.pass(aDay)
    expect(await bed.users()).toMatchObject([{ name: 'taken', keys: [{}] }])
  })
})

describe('the end of a lease', () => {
  test.each(points(lengths.revocation))(name, async (script) => {
    await open({ groups: [{ name: 'crew' }] })
    await bed.configure()
    await bed.post('config/lease', { lease: '1h', lease_max: '2h' })
    await bed.post('roles/maker', role)
    await bed.get('creds/maker')
    await bed.script(script)
    await bed.pass(3600)
    expect(bed.leases()).toHaveLength(1)
    await bed.endScripts()
    await bed.pass(aDay)
    expect(await bed.users()).toEqual([])
    expect(bed.leases()).toEqual([])
  })
})

describe('rotate-root', () => {
  test.each(points(lengths.rotateRoot))(name, async (script) => {
    await open()
    await bed.configure()
    await bed.script(script)
    await bed.post('config/rotate-root')
    await bed.endScripts()
    await bed.pass(aDay)
    const root = await bed.get('config/root')
    const operator = await bed.user(bed.account.userName)
    expect(operator?.keys.map(({ id }) => id)).toEqual([root.data.access_key])
    expect((await bed.post('config/rotate-root')).status).toBe(200)
  })
})

describe('a session', () => {
  test.each(points(lengths.session))(name, async (script) => {
    await open({ groups: [{ name: 'crew', policyArns: ['arn:aws:iam::aws:policy/B'], documents: [document] }] })
    await bed.configure()
    await bed.post('roles/fed', { ...role, credential_type: 'federation_token' })
    await bed.script(script)
    const { status, data } = await bed.post('sts/fed')
    expect(status).toBe(script.kind === 'throttle' ? 502 : 400)
    expect(data).toBeNull()
    expect(bed.leases()).toEqual([])
    await bed.endScripts()
    expect((await bed.post('sts/fed')).status).toBe(200)
  })
})

describe('a new static role', () => {
  test.each(points(lengths.adoption))(name, async (script) => {
    await open({ users: [{ name: 'app', keys: 1 }] })
    await bed.configure()
    const before = await bed.users()
    await bed.script(script)
    expect((await bed.post('static-roles/s', { username: 'app', rotation_period: '48h' })).status).not.toBe(200)
    await bed.endScripts()
    await bed.pass(aDay)
    expect(await bed.users()).toEqual(before)
    expect((await bed.get('static-roles/s')).status).toBe(404)
  })
})

/** The provider allows two keys. The oldest one is deleted before a new one is made, so it is lost if making the new
 * one fails. */
describe('a new static role of a user with two keys', () => {
  test.each(points(lengths.fullAdoption))(name, async (script) => {
    await open({ users: [{ name: 'app', keys: 2 }] })
    await bed.configure()
    const [oldest, newer] = (await bed.user('app'))?.keys.map(({ id }) => id) ?? []
    await bed.script(script)
    expect((await bed.post('static-roles/s', { username: 'app', rotation_period: '48h' })).status).not.toBe(200)
    await bed.endScripts()
    await bed.pass(aDay)
    const keys = (await bed.user('app'))?.keys.map(({ id }) => id) ?? []
    expect(keys).toContain(newer)
    expect(keys.every((id) => id === oldest || id === newer)).toBe(true)
    expect((await bed.get('static-roles/s')).status).toBe(404)
    // A failed attempt leaves nothing behind that prevents another attempt.
    expect((await bed.post('static-roles/s', { username: 'app', rotation_period: '48h' })).status).toBe(200)
  })
})

describe('a rotation', () => {
  test.each(points(lengths.rotation))(name, async (script) => {
    await open({ users: [{ name: 'app', keys: 1 }] })
    await bed.configure()
    await bed.post('static-roles/s', { username: 'app', rotation_period: '24h' })
    await bed.script(script)
    await bed.pass(aDay)
    const during = await bed.get('static-creds/s')
    expect((await bed.user('app'))?.keys.map(({ id }) => id)).toContain(during.data.access_key)
    await bed.endScripts()
    await bed.pass(3600)
    const after = await bed.get('static-creds/s')
    expect(after.data.access_key).not.toBe(during.data.access_key)
    const keys = (await bed.user('app'))?.keys.map(({ id }) => id)
    expect(keys).toContain(after.data.access_key)
    expect(keys?.length).toBeLessThanOrEqual(2)
  })
})
