import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { engines } from './engines/index.ts'
import type { Route, Verb } from './kernel/contracts.ts'
import { createKernel } from './kernel/create-kernel.ts'
import type { RequestContext } from './kernel/http/request-context.ts'
import type { Mount } from './kernel/mounts/mount.ts'
import { createClock } from './kernel/state/clock.ts'
import { newestVersion } from './kernel/versions.ts'
import { documented } from './literal/literal.ts'

const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8')

interface Endpoint {
  /** The first cell of its row in the table: `sys/leases`, or the prefix of the engine. */
  readonly group: string
  readonly verb: Verb
  readonly path: string
  readonly isDocumented: boolean
}

const samples: Readonly<Record<string, string>> = { serial: '01:02', type: 'secret' }
const sampleOf = (path: string): string => path.replaceAll(/:(\w+)\*?/g, (_, name) => samples[name] ?? name)

function isDocumented(verb: Verb, path: string, rest: string, engine: string | undefined): boolean {
  const request = { verb, path: sampleOf(path), rest: sampleOf(rest), incoming: { method: verb } }
  const found = documented(request as unknown as RequestContext, engine)
  return found !== undefined && found !== 'undocumented'
}

function endpointsOf(prefix: string, routes: readonly Route[], engine?: string): readonly Endpoint[] {
  return routes.flatMap(({ verb, path }) =>
    [verb].flat().map((one) => {
      const whole = `${prefix}/${path}`.replace(/\/$/, '')
      const groupLength = engine === undefined && prefix.startsWith('sys') ? 2 : prefix.split('/').length
      return {
        group: whole.split('/').slice(0, groupLength).join('/'),
        verb: one,
        path: whole.split('/').slice(groupLength).join('/'),
        isDocumented: isDocumented(one, whole, path, engine),
      }
    }),
  )
}

async function everyEndpoint(): Promise<readonly Endpoint[]> {
  const facts = { version: newestVersion, edition: 'premium', forms: {} } as const
  const kernel = await createKernel({ ...facts, seed: 1, clock: createClock(), initialized: false, variation: 0 })
  const fixed = [...engines.fixed, ...engines.rootOnly].flatMap((create) => create(kernel))
  const mountOf = (type: string, version: string) => ({ type, path: `${type}/`, config: {}, options: { version } })
  const mountable = engines.mountable
    .map((create) => create(kernel))
    .flatMap((engine) => (engine.type === 'kv' ? ['1', '2'] : ['']).map((version) => ({ engine, version })))
  return [
    ...fixed.flatMap(({ prefix, routes }) => endpointsOf(prefix, routes)),
    ...mountable.flatMap(({ engine, version }) => {
      const { type, kind } = engine
      const { routes } = engine.open(mountOf(type, version) as unknown as Mount)
      const name = version === '' ? type : `${type} version ${version}`
      return endpointsOf(kind === 'auth' ? `auth/<${name}>` : `<${name}>`, routes, type)
    }),
  ]
}

const order: readonly Verb[] = ['GET', 'LIST', 'POST', 'PATCH', 'DELETE']

/** Returns the endpoints of one row, sorted by path: `GET LIST name`. */
function cellOf(endpoints: readonly Endpoint[]): string {
  const byPath = Map.groupBy(endpoints, ({ path }) => path)
  const sorted = [...byPath].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const texts = sorted.map(([path, all]) => {
    const verbs = order.filter((verb) => all.some((one) => one.verb === verb))
    return `\`${[...verbs, path].join(' ').trim()}\``
  })
  return texts.join(', ')
}

function rowsOf(endpoints: readonly Endpoint[]): readonly string[] {
  const groups = [...Map.groupBy(endpoints, ({ group }) => group)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return groups.map(([group, all]) => {
    const [stated, further] = [true, false].map((is) => cellOf(all.filter((one) => one.isDocumented === is)))
    return `| \`${group}\` | ${stated} | ${further} |`.replaceAll('|  |', '| |')
  })
}

test('the table of endpoints in the README has exactly the routes of the engines', async () => {
  const [, section = ''] = readme.split('## Every endpoint\n')
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'))
  expect(rows).toEqual(rowsOf(await everyEndpoint()))
})
