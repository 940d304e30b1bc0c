/** Prints, as JSON, the regular expressions that modules of the project make from texts, by file. It runs in a process of its
 * own, because a module that another test has loaded makes its expressions no more. */
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '..')
export const files = globSync('{harness,suites,reports,fixtures}/**/*.ts', { cwd: root }).filter(
  (file) => !/\.test\.|test-bed|harness\/tools\//.test(file),
)

/** An expression with its flags. */
export type Made = readonly [source: string, flags: string]

/** These modules make expressions when a function is called; all others do so when they are loaded. */
const makers: Readonly<Record<string, () => Promise<unknown>>> = {
  'fixtures/policies/book.ts': () => import('../fixtures/policies/book.ts').then((book) => book.endpointsBelow()),
  'fixtures/servers/provider/action.ts': () =>
    import('../fixtures/servers/provider/action.ts').then(({ members }) =>
      members({ 'Tags.member.1.Key': 'x' }, 'Tags'),
    ),
  'fixtures/servers/provider/bends.ts': () =>
    import('../fixtures/servers/provider/bends.ts').then(({ bendCall }) =>
      bendCall({ id: '1', bends: [{ action: 'TagUser', shorten: 'Tags' }] }, 'TagUser', { 'Tags.member.1.Key': 'x' }),
    ),
  'fixtures/replication/book.ts': () =>
    import('../fixtures/replication/book.ts').then((book) => book.replicationEndpointsBelow()),
  'harness/commands/output/one-line.ts': () =>
    import('./commands/output/one-line.ts').then(({ oneLineWith }) => oneLineWith(/\u001b\[\d*m/, 'x')),
  'harness/faults/site.ts': () =>
    import('./faults/site.ts').then(({ isAt, readerBeside }) => {
      const site = { method: 'GET', path: '{pki}/roles/:name' }
      isAt({ method: 'GET', path: '/v1/x' }, site)
      readerBeside(site, { method: 'GET', path: '/v1/x' })
    }),
  'harness/safety/names.ts': () =>
    import('./safety/names.ts').then(({ isNameOf, withoutNumbers }) => [
      isNameOf('r1', 'x'),
      withoutNumbers('r1', 'x'),
    ]),
  'harness/safety/undo-shapes.ts': () =>
    import('./safety/undo-shapes.ts').then(({ acceptFor }) =>
      acceptFor(
        [
          {
            undo: { kind: 'exchange', method: 'DELETE', path: '{pki}/roles/{role}' },
            isThrowAway: (name) => name === 'pki',
          },
        ],
        'r1',
      ),
    ),
}

/** The pattern of addresses is what the user has typed, and meets the addresses of this suite only. */
const ofTheUser = 'harness/select/glob.ts'

/** The modules that make expressions from texts. */
export const making = files.filter(
  (file) => file !== ofTheUser && readFileSync(join(root, file), 'utf8').includes('RegExp('),
)

async function madeByFile(): Promise<Readonly<Record<string, readonly Made[]>>> {
  const made: Record<string, Made[]> = {}
  const Plain = RegExp
  const record = (pattern: RegExp): RegExp => {
    const line = new Error('made here').stack?.split('\n').find((each) => files.some((file) => each.includes(file)))
    const file = files.find((each) => line?.includes(`/${each}:`))
    if (file !== undefined) made[file] = [...(made[file] ?? []), [pattern.source, pattern.flags]]
    return pattern
  }
  globalThis.RegExp = new Proxy(Plain, {
    construct: (_, [source, flags]: [string, string?]) => record(new Plain(source, flags)),
  })
  for (const file of making) await (makers[file]?.() ?? import(join(root, file)))
  return made
}

if (import.meta.main) process.stdout.write(JSON.stringify(await madeByFile()))
