import { expect, test } from 'vitest'
import { type Manner, mannerOf } from '../../kernel/variation.ts'
import { at, hasMode, join, openBed, until } from './replication.test-bed.ts'

const bed = await openBed()
const [one, two] = bed.parties

function vary<Axis extends keyof Manner>(axis: Axis, choice: Manner[Axis]): void {
  const seed = Array.from({ length: 100 }, (_, index) => index + 1).find((one) => mannerOf(one)[axis] === choice)
  if (seed === undefined) throw new Error(`no seed up to 100 has ${axis} ${choice}`)
  bed.cluster.vary(seed)
}

const enable = at('dr', 'primary/enable')
const status = at('dr', 'status')

test('a change of role that is late is announced, shows as under way, and comes', async () => {
  vary('roleChanges', 'late')
  const { status: code, body } = await one.ask('POST', enable, {})
  expect(code).toBe(200)
  expect(body.warnings).toHaveLength(1)
  expect((await one.ask('GET', status)).body.data.mode).toBe('bootstrapping')
  expect((await one.ask('GET', at('performance', 'status'))).body.data.mode).not.toBe('bootstrapping')
  expect((await one.ask('POST', enable, {})).status).toBe(500)
  await hasMode(one, 'dr', 'primary')
})

test('what is refused is refused at once, however late changes come', async () => {
  vary('roleChanges', 'late-and-unready')
  expect((await one.ask('POST', at('dr', 'primary/demote'), {})).status).toBe(400)
  expect((await one.ask('GET', status)).body.data.mode).not.toBe('bootstrapping')
})

test.each(['unready-after', 'late-and-unready'] as const)(
  'a cluster that is %s serves its health alone',
  async (choice) => {
    vary('roleChanges', choice)
    await one.ask('POST', enable, {})
    await until(async () => (await one.ask('GET', status)).status === 500, 'unready')
    expect((await one.ask('GET', 'sys/health')).status).toBe(200)
    expect((await one.ask('GET', 'sys/mounts')).status).toBe(500)
    await hasMode(one, 'dr', 'primary')
  },
)

test('a reset gives up what is pending', async () => {
  vary('roleChanges', 'late')
  await one.ask('POST', enable, {})
  await bed.cluster.reset()
  expect((await one.ask('GET', status)).body.data.mode).not.toBe('bootstrapping')
  bed.cluster.vary(0)
  expect((await one.ask('POST', enable, {})).status).toBeLessThan(300)
})

test('what a status tells of progress may be old', async () => {
  vary('progressAge', 60)
  await join(one, two, 'dr')
  const { last_wal: before } = await one.status('dr')
  await one.do('POST', 'secret/a', { v: 1 })
  await until(async () => (await one.status('dr')).last_wal > before, 'shown')
})
