import { expect, test } from 'vitest'
import type { Exchange, Reply, Scope } from '../../harness/vocabulary/index.ts'
import { activated, secondaryDisable, turned, unused, updated } from './given.ts'
import { dr } from './kind.ts'
import { reply } from './reply.test-bed.ts'
import { updatePrimary } from './roles.ts'
import { waits } from './timing.ts'

/** Plays two clusters, and records what is asked of them. Unless `isAtOnce` is true, `second` accepts the operator only
 * after a while. */
function scopeOf({ isAtOnce = true, mode = (): string => 'disabled' } = {}, known?: Map<string, Reply>) {
  const asked: string[] = []
  const keyOf = ({ path, cluster = 'main' }: Exchange): string => `${path} on ${cluster}`
  const scope = {
    endedRoles: {
      shown: (end: Exchange) => known?.get(keyOf(end)),
      note: (end: Exchange, seen: Reply) => void known?.set(keyOf(end), seen),
    },
    async admit(cluster: string) {
      asked.push(`admission on ${cluster}`)
      return cluster === 'main' || isAtOnce
    },
    async send({ path, cluster = 'main' }: Exchange) {
      asked.push(`${path} on ${cluster}`)
      return reply({ data: { mode: mode() } })
    },
  } as unknown as Scope
  return { scope, asked }
}

const looks = ['main', 'second'].map((cluster) => [
  `sys/replication/dr/status on ${cluster}`,
  `sys/replication/performance/status on ${cluster}`,
  `admission on ${cluster}`,
])

test('the status of each cluster is read before the operator gets access', async () => {
  const { scope, asked } = scopeOf()
  await unused('main', 'second').run(scope)
  expect(asked).toEqual(looks.flat())
})

test('the status of every cluster is read again if getting access to one took a while', async () => {
  const { scope, asked } = scopeOf({ isAtOnce: false })
  await unused('main', 'second').run(scope)
  expect(asked).toEqual([...looks.flat(), ...looks.flatMap((one) => one.slice(0, 2))])
})

test('a cluster that is known to have no role is not looked at again', async () => {
  const known = new Map<string, Reply>()
  await unused('main').run(scopeOf({}, known).scope)
  const { scope, asked } = scopeOf({}, known)
  await unused('main', 'second').run(scope)
  expect(asked).toEqual(['admission on main', ...looks.flat().slice(3)])
})

test('a known reply that shows no end of a role does not count', async () => {
  const known = new Map([['sys/replication/dr/primary/disable on main', reply({ data: { mode: 'secondary' } })]])
  const { scope, asked } = scopeOf({}, known)
  await unused('main').run(scope)
  expect(asked).toEqual(looks[0])
})

test('a cluster that has been given a role in the meantime is left alone', async () => {
  let looked = 0
  const { scope } = scopeOf({ isAtOnce: false, mode: () => (++looked > 4 ? 'primary' : 'disabled') })
  await expect(unused('main', 'second').run(scope)).rejects.toMatchObject({ code: 'cluster-in-use' })
})

test.each([
  ['as an operator', [[204]], 204],
  ['by an operation token', [[403], [204]], 204],
  ['by an operation token, after the first request had to be sent twice', [[403, 'twice'], [204]], 204],
  ['by the first attempt of a request that was sent twice', [[403, 'twice'], [400]], 403],
  ['not at all', [[403], [400]], 400],
] as const)('a DR secondary is disabled %s', async (_how, replies, wanted) => {
  const left = [...replies]
  const scope = {
    async send() {
      const [status = 500, twice] = left.shift() ?? []
      return { ...reply({}, status), ...(twice ? { isRepeated: true } : {}) }
    },
  } as unknown as Scope
  expect(await secondaryDisable(dr).run(scope)).toMatchObject({ status: wanted })
  expect(left).toEqual([])
})

test('an update of the primary gets time to take effect, because the mode does not show it', async () => {
  const polled: number[] = []
  const scope = {
    ...scopeOf().scope,
    patience: 10,
    send: async () => reply({}, 204),
    async poll(_: Exchange, isMet: (seen: Reply) => boolean, seconds: number) {
      const seen = reply({ data: { mode: 'secondary' } })
      if (!isMet(seen)) polled.push(seconds)
      return seen
    },
  } as unknown as Scope
  await updated(dr).run(scope)
  expect(polled).toEqual([waits.late.seconds(scope)])
  // @ts-expect-error `turned` would wait for the mode alone.
  turned(dr, updatePrimary(dr), 'second', 'secondary')
})

test.each([
  ['its lifetime', { ttl: '40m' }, [400, 204], 'dr-replication.secondary-token.ttl'],
  ['something else', { ttl: '40m' }, [400, 400], undefined],
  ['something else, where it has no lifetime', {}, [400], undefined],
  ['the caller', { ttl: '40m' }, [403, 204], undefined],
] as const)(
  'an activation token that is refused for %s contradicts a row or none',
  async (_why, fields, statuses, row) => {
    const left: number[] = [...statuses]
    const scope = { send: async () => reply({}, left.shift()) } as unknown as Scope
    const failure = await activated(dr, 'second', 'main', fields)
      .run(scope)
      .then(
        () => undefined,
        (error) => error,
      )
    expect([failure?.code, failure?.contradicts?.requirement]).toEqual(['step-refused', row])
    expect(left).toEqual([])
  },
)
