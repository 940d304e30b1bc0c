// This file is long because it lists for each mutant which probes notice it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Asking, openCore } from '../../../test-beds/policies.test-bed.ts'
import { mutants } from './index.ts'

/** A probe returns what a caller can observe of one aspect of the engine. */
type Probe = (server: Asking) => Promise<unknown>

const own = 'sys/policies/acl/anchor'
const readOwn = `path "${own}" { capabilities = ["read"] }`
const [passes, fails] = ['main = rule { true }', 'main = rule { false }']
const override = { 'x-vault-policy-override': 'true' }
const levels = ['advisory', 'soft-mandatory', 'hard-mandatory']

const texts = { acl: [readOwn, '# nothing'], rgp: [fails, passes], egp: [fails, passes] } as const
type Kind = keyof typeof texts
const extraFields = {
  acl: {},
  rgp: { enforcement_level: 'hard-mandatory' },
  egp: { enforcement_level: 'hard-mandatory', paths: [own] },
}

/** Reads the policy `anchor` before and after a change, with a token that has the policies `anchor` and `p`, and
 * returns the two statuses. */
async function around(server: Asking, kind: Kind, change: () => Promise<unknown>, headers = {}): Promise<unknown> {
  if (kind !== 'acl') await server.ask(`POST ${own}`, { policy: readOwn })
  const token = await server.token('anchor', 'p')
  const read = async () => (await server.ask(`GET ${own}`, undefined, token, headers)).status
  const before = await read()
  await change()
  return [before, await read()]
}

const ofKind = (kind: Kind): Record<string, Probe> => {
  const path = `sys/policies/${kind}`
  const body = { policy: texts[kind][0], ...extraFields[kind] }
  const update = { ...body, policy: texts[kind][1] }
  const create = (server: Asking, name = 'p') => server.ask(`POST ${path}/${name}`, body)
  const read = async (server: Asking, name = 'p') => {
    const { status, data } = await server.ask(`GET ${path}/${name}`)
    return { status, data }
  }
  const keys = async (server: Asking) => (await server.ask(`LIST ${path}`)).data.keys
  const without = (field: string) => Object.fromEntries(Object.entries(body).filter(([name]) => name !== field))
  return {
    [`${kind}: read`]: async (server) => [await create(server), await read(server)],
    [`${kind}: read by a part of the name`]: async (server) => [
      await create(server, 'p-long'),
      (await read(server)).status,
      await create(server),
      (await read(server)).data.name,
    ],
    [`${kind}: a name with a capital and a dot`]: async (server) => [
      await create(server, 'P.q'),
      (await read(server, 'P.q')).data.name,
      await server.ask(`DELETE ${path}/P.q`),
      (await read(server, 'P.q')).status,
      String(await keys(server)).includes('p.q'),
    ],
    [`${kind}: list`]: async (server) => [await create(server), await create(server, 'q'), await keys(server)],
    [`${kind}: list after a deletion`]: async (server) => [
      await create(server),
      await create(server, 'q'),
      await server.ask(`DELETE ${path}/p`),
      String(await keys(server)).includes('p'),
    ],
    [`${kind}: read after a deletion`]: async (server) => [
      await create(server),
      await server.ask(`DELETE ${path}/p`),
      (await read(server)).status,
    ],
    [`${kind}: a longer name after a deletion`]: async (server) => [
      await create(server),
      await create(server, 'p-long'),
      await server.ask(`DELETE ${path}/p`),
      (await read(server, 'p-long')).status,
    ],
    [`${kind}: effect of a second creation`]: async (server) => {
      await create(server)
      await server.ask(`DELETE ${path}/p`)
      return around(server, kind, () => create(server))
    },
    [`${kind}: effect of a second creation with another text`]: async (server) => {
      await create(server)
      await server.ask(`DELETE ${path}/p`)
      return around(server, kind, () => server.ask(`POST ${path}/p`, update))
    },
    [`${kind}: read after a second creation`]: async (server) => [
      await create(server),
      await server.ask(`DELETE ${path}/p`),
      await server.ask(`POST ${path}/p`, update),
      (await read(server)).data.policy,
    ],
    [`${kind}: a name in the body`]: async (server) => [
      await server.ask(`POST ${path}/p`, { ...body, name: 'z' }),
      (await read(server)).status,
      (await read(server, 'z')).status,
    ],
    [`${kind}: in base64`]: async (server) => [
      (await server.ask(`POST ${path}/p`, { ...body, policy: Buffer.from(body.policy).toString('base64') })).status,
      (await read(server)).data.policy,
    ],
    [`${kind}: in base64 after an update`]: async (server) => [
      await create(server),
      (await server.ask(`POST ${path}/p`, { ...body, policy: Buffer.from(update.policy).toString('base64') })).status,
      (await read(server)).data.policy,
    ],
    [`${kind}: an object as the document`]: async (server) =>
      (await server.ask(`POST ${path}/p`, { ...body, policy: { is: body.policy } })).status,
    [`${kind}: update`]: async (server) => [
      await create(server),
      await server.ask(`POST ${path}/p`, update),
      (await read(server)).data.policy,
    ],
    ...Object.fromEntries(
      Object.keys(body).flatMap((field): [string, Probe][] => [
        [
          `${kind}: create without ${field}`,
          async (server) => (await server.ask(`POST ${path}/p`, without(field))).status,
        ],
        [
          `${kind}: update without ${field}`,
          async (server) => [await create(server), (await server.ask(`POST ${path}/p`, without(field))).status],
        ],
      ]),
    ),
    [`${kind}: effect of a creation`]: (server) => around(server, kind, () => create(server)),
    [`${kind}: effect of an update`]: async (server) => {
      await create(server)
      return around(server, kind, () => server.ask(`POST ${path}/p`, update))
    },
    [`${kind}: effect of a second update`]: async (server) => {
      await create(server)
      await server.ask(`POST ${path}/p`, update)
      return around(server, kind, () => server.ask(`POST ${path}/p`, body))
    },
    [`${kind}: effect of a deletion`]: async (server) => {
      await create(server)
      return around(server, kind, () => server.ask(`DELETE ${path}/p`))
    },
    [`${kind}: a deleted name on a token`]: async (server) => {
      await create(server)
      await server.ask(`DELETE ${path}/p`)
      const token = await server.token('p')
      const ask = async (line: string) => (await server.ask(line, undefined, token)).status
      return [await ask('GET auth/token/lookup-self'), await ask('GET sys/policies/acl/default')]
    },
    [`${kind}: refused, and then read`]: async (server) => [
      (await server.ask(`POST ${path}/p`, { ...body, policy: '[' })).status,
      (await read(server)).status,
    ],
  }
}

const ofLevels = (kind: 'rgp' | 'egp'): Record<string, Probe> => {
  const path = `sys/policies/${kind}`
  const body = (level: string) => ({ policy: fails, ...extraFields[kind], enforcement_level: level })
  const written = (server: Asking, level: string) => server.ask(`POST ${path}/p`, body(level))
  const shown = async (server: Asking) => (await server.ask(`GET ${path}/p`)).data.enforcement_level
  return {
    [`${kind}: an unknown level`]: async (server) => [(await written(server, 'odd')).status, await shown(server)],
    [`${kind}: update of the level`]: async (server) => [
      await written(server, 'advisory'),
      await written(server, 'hard-mandatory'),
      await shown(server),
    ],
    ...Object.fromEntries(
      levels.flatMap((level): [string, Probe][] => [
        [`${kind}: ${level} shown`, async (server) => [await written(server, level), await shown(server)]],
        [`${kind}: ${level} in effect`, (server) => around(server, kind, () => written(server, level))],
        [`${kind}: ${level} overridden`, (server) => around(server, kind, () => written(server, level), override)],
      ]),
    ),
  }
}

/** Returns which of these ACL policies an EGP governs. */
async function governed(server: Asking, names: readonly string[]): Promise<unknown> {
  await server.ask('POST sys/policies/acl/all', { policy: 'path "sys/policies/acl/*" { capabilities = ["read"] }' })
  const token = await server.token('all')
  const statuses = names.map(async (name) => {
    await server.ask(`POST sys/policies/acl/${name}`, { policy: '# nothing' })
    return (await server.ask(`GET sys/policies/acl/${name}`, undefined, token)).status === 403 ? [name] : []
  })
  return (await Promise.all(statuses)).flat()
}

const at = (...names: readonly string[]) => names.map((name) => `sys/policies/acl/${name}`)
const gate = (server: Asking, paths: string | readonly string[]) =>
  server.ask('POST sys/policies/egp/g', { policy: fails, enforcement_level: 'hard-mandatory', paths })
const egpNow = async (server: Asking) => [
  (await server.ask('GET sys/policies/egp/g')).data.paths,
  (await server.ask('LIST sys/policies/egp')).data.name_path_map,
]

const ofPaths: Record<string, Probe> = {
  'paths: a list': async (server) => [
    (await gate(server, at('a', 'b', 'c'))).status,
    (await egpNow(server))[0],
    await governed(server, ['a', 'b', 'c', 'd']),
  ],
  'paths: a text': async (server) => [
    (await gate(server, at('a', 'b', 'c').join())).status,
    (await egpNow(server))[0],
    await governed(server, ['a', 'b', 'c', 'd']),
  ],
  'paths: in the map': async (server) => [await gate(server, at('a', 'b')), (await egpNow(server))[1]],
  'paths: globs in the map': async (server) => [await gate(server, at('a*')), (await egpNow(server))[1]],
  'paths: in the map after a deletion': async (server) => [
    await gate(server, at('a')),
    await server.ask('DELETE sys/policies/egp/g'),
    (await egpNow(server))[1],
  ],
  'paths: shown after an update': async (server) => [
    await gate(server, at('a', 'b')),
    await gate(server, at('b', 'c')),
    await egpNow(server),
  ],
  'paths: governed after an update': async (server) => [
    await gate(server, at('a', 'b')),
    await gate(server, at('b', 'c')),
    await governed(server, ['a', 'b', 'c']),
  ],
  'paths: governed after a deletion': async (server) => [
    await gate(server, at('a', 'b', 'c')),
    await server.ask('DELETE sys/policies/egp/g'),
    await governed(server, ['a', 'b', 'c']),
  ],
  'paths: a glob behind another path': async (server) => [
    await gate(server, at('a', 'b*')),
    await governed(server, ['a', 'bc']),
  ],
  'paths: a glob after a deletion': async (server) => [
    await gate(server, at('ab*')),
    await server.ask('DELETE sys/policies/egp/g'),
    await governed(server, ['ab']),
  ],
  'paths: a glob after an update': async (server) => [
    await gate(server, at('ab*')),
    await gate(server, at('c')),
    await governed(server, ['ab', 'c']),
  ],
  'paths: several EGPs of one': async (server) => [
    await gate(server, at('a')),
    await server.ask('POST sys/policies/egp/h', { ...extraFields.egp, policy: passes, paths: at('a', 'b') }),
    await server.ask('POST sys/policies/egp/i', { ...extraFields.egp, policy: fails, paths: at('b') }),
    await governed(server, ['a', 'b', 'c']),
  ],
  'paths: of another EGP after a deletion': async (server) => [
    await gate(server, at('a')),
    await server.ask('POST sys/policies/egp/h', { ...extraFields.egp, policy: fails, paths: at('a') }),
    await server.ask('DELETE sys/policies/egp/h'),
    await governed(server, ['a']),
  ],
  'paths: beside an RGP that passes': async (server) => {
    await server.ask('POST sys/policies/rgp/p', { ...extraFields.rgp, policy: passes })
    return around(server, 'egp', () => server.ask('POST sys/policies/egp/g', { ...extraFields.egp, policy: fails }))
  },
  'paths: beside an RGP that fails': async (server) => {
    await server.ask('POST sys/policies/egp/g', { ...extraFields.egp, policy: passes })
    return around(server, 'rgp', () => server.ask('POST sys/policies/rgp/p', { ...extraFields.rgp, policy: fails }))
  },
  'paths: an object': async (server) =>
    (await server.ask('POST sys/policies/egp/g', { ...extraFields.egp, policy: fails, paths: { is: own } })).status,
  'paths: exact': async (server) => [await gate(server, at('a')), await governed(server, ['a', 'ab', 'b'])],
  'paths: a glob': async (server) => [await gate(server, at('ab*')), await governed(server, ['a', 'ab', 'abc', 'b'])],
  'paths: a glob from below': async (server) => [await gate(server, 'a*'), await governed(server, ['ba'])],
  'paths: a glob across a slash': async (server) => {
    await gate(server, 'sys/policies/*')
    return governed(server, ['a'])
  },
  'paths: a write': async (server) => {
    await gate(server, at('a'))
    await server.ask('POST sys/policies/acl/all', { policy: 'path "sys/policies/acl/*" { capabilities = ["update"] }' })
    return (await server.ask('POST sys/policies/acl/a', { policy: '# nothing' }, await server.token('all'))).status
  },
  'paths: listing': async (server) => {
    await gate(server, 'sys/policies/acl*')
    await server.ask('POST sys/policies/acl/all', { policy: 'path "sys/policies/acl" { capabilities = ["list"] }' })
    return (await server.ask('LIST sys/policies/acl', undefined, await server.token('all'))).status
  },
  'paths: a star and tokens': async (server) => [await gate(server, '*'), await governed(server, ['a'])],
  'paths: a star and logins': async (server) => {
    await server.ask('POST sys/auth/people', { type: 'userpass' })
    await server.ask('POST auth/people/users/ann', { password: 'secret-word' })
    await gate(server, '*')
    return (await server.ask('POST auth/people/login/ann', { password: 'secret-word' }, '')).status
  },
}

const ofTokens: Record<string, Probe> = {
  'rgp: several on a token': async (server) => {
    await server.ask(`POST ${own}`, { policy: readOwn })
    for (const [name, policy] of [
      ['p', fails],
      ['q', passes],
      ['r', fails],
    ])
      await server.ask(`POST sys/policies/rgp/${name}`, { ...extraFields.rgp, policy })
    const read = async (...names: string[]) =>
      (await server.ask(`GET ${own}`, undefined, await server.token('anchor', ...names))).status
    return [await read('p', 'q'), await read('q', 'r')]
  },
}

/** Writes an RGP and an EGP of one name. */
const pair = async (server: Asking) => {
  await server.ask('POST sys/policies/rgp/p', { policy: fails, ...extraFields.rgp })
  await server.ask('POST sys/policies/egp/p', { policy: fails, ...extraFields.egp })
}
const ofNamesakes: Record<string, Probe> = {
  'kinds: the other after an update': async (server) => {
    await pair(server)
    await server.ask('POST sys/policies/rgp/p', { policy: passes, ...extraFields.rgp })
    return (await server.ask('GET sys/policies/egp/p')).data.policy
  },
  'kinds: the other after a deletion': async (server) => {
    await pair(server)
    await server.ask('DELETE sys/policies/rgp/p')
    return (await server.ask('GET sys/policies/egp/p')).status
  },
}

const settings = {
  newest: {},
  community: { edition: 'community' },
  enterprise: { edition: 'enterprise' },
  '0.8.3': { version: '0.8.3' },
  '0.9.0': { version: '0.9.0' },
} as const
const served: Probe = async (server) =>
  Promise.all(['acl', 'rgp', 'egp'].map(async (kind) => (await server.ask(`GET sys/policies/${kind}/p`)).errors))

const probes: Record<string, Probe> = {
  ...{ ...ofKind('acl'), ...ofKind('rgp'), ...ofKind('egp') },
  ...{ ...ofLevels('rgp'), ...ofLevels('egp') },
  ...{ ...ofPaths, ...ofTokens },
  ...ofNamesakes,
}
type Core = Awaited<ReturnType<typeof openCore>>
const cores = new Map<string, Core>()
beforeAll(async () => {
  for (const [setting, facts] of Object.entries(settings)) cores.set(setting, await openCore(facts))
})
afterAll(() => {
  for (const core of cores.values()) core.stop()
})

async function observe(loaded: readonly string[]): Promise<Map<string, string>> {
  const observed = new Map<string, string>()
  for (const [setting, core] of cores) {
    core.loadMutants(loaded)
    const here = setting === 'newest' ? probes : { [`${setting}: served`]: served }
    for (const [name, probe] of Object.entries(here)) {
      core.reset()
      observed.set(
        name,
        JSON.stringify(await probe(core), (key, value) => (key === 'auth' ? undefined : value)),
      )
    }
  }
  return observed
}

test('each mutant is noticed by exactly the listed probes', async () => {
  const right = await observe([])
  const changes: Record<string, string> = {}
  for (const { id } of mutants) {
    const wrong = await observe([id])
    const changed = [...right.keys()].filter((probe) => wrong.get(probe) !== right.get(probe))
    changes[id.replace('policies/', '')] = changed.join(' · ')
  }
  expect(changes).toMatchInlineSnapshot(`
    {
      "absent-at-0-9-0": "0.9.0: served",
      "acl-absent-on-community": "community: served",
      "acl-absent-on-enterprise": "enterprise: served",
      "acl-base64-is-not-decoded": "acl: in base64 · acl: in base64 after an update",
      "acl-base64-is-read-as-latin1": "",
      "acl-base64-of-an-update-is-not-decoded": "acl: in base64 after an update",
      "acl-body-name-wins": "acl: a name in the body",
      "acl-create-lags": "acl: effect of a creation",
      "acl-create-reaches-one-set-alone": "",
      "acl-created-again-acts-as-before": "acl: effect of a second creation with another text",
      "acl-created-again-adds-rules": "acl: effect of a second creation with another text",
      "acl-delete-keeps-reading": "acl: a name with a capital and a dot · acl: read after a deletion",
      "acl-delete-lags": "acl: effect of a deletion",
      "acl-delete-reaches-one-set-alone": "",
      "acl-delete-spares-logged-in": "",
      "acl-delete-takes-back-an-update": "",
      "acl-delete-takes-longer-names": "acl: a longer name after a deletion",
      "acl-deleted-acts-as-before-its-update": "",
      "acl-deleted-denies-all": "acl: a deleted name on a token",
      "acl-deleted-ends-tokens-without-another": "",
      "acl-deleted-grants-all": "acl: effect of a second creation · acl: effect of a second creation with another text · acl: effect of a deletion · acl: a deleted name on a token",
      "acl-deleted-text-comes-back": "acl: read after a second creation",
      "acl-deletion-outlives-creation": "acl: effect of a second creation",
      "acl-list-keeps-deleted": "acl: a name with a capital and a dot · acl: list after a deletion",
      "acl-list-keeps-what-was-deleted-twice": "",
      "acl-list-names-25-at-most": "",
      "acl-list-names-another-kind": "",
      "acl-list-omits": "acl: list",
      "acl-list-omits-created-again": "",
      "acl-list-omits-updated": "",
      "acl-name-in-the-body-stores-nothing": "acl: a name in the body",
      "acl-policy-in-an-object-is-taken": "acl: an object as the document",
      "acl-policy-optional": "acl: create without policy",
      "acl-read-cuts-long-texts": "",
      "acl-read-falls-to-another-kind": "",
      "acl-read-omits-policy": "acl: read · acl: read after a second creation · acl: in base64 · acl: in base64 after an update · acl: update",
      "acl-read-takes-a-longer-name": "acl: read by a part of the name",
      "acl-second-deletion-ignored": "",
      "acl-second-update-ignored": "acl: effect of a second update",
      "acl-text-ends-after-64-kib": "",
      "acl-text-ends-at-a-wide-character": "",
      "acl-text-is-cut": "",
      "acl-text-is-escaped-for-html": "",
      "acl-text-loses-wide-characters": "",
      "acl-update-adds-rules": "acl: effect of an update · acl: effect of a second update",
      "acl-update-keeps-missing-policy": "acl: update without policy",
      "acl-update-keeps-policy": "acl: in base64 after an update · acl: update · acl: effect of an update · acl: effect of a second update",
      "acl-update-lags": "acl: effect of an update · acl: effect of a second update",
      "acl-update-reaches-one-set-alone": "",
      "acl-updated-outlives-its-deletion": "",
      "acl-written-twice-is-removed": "",
      "delete-minds-capitals": "acl: a name with a capital and a dot · rgp: a name with a capital and a dot · egp: a name with a capital and a dot",
      "delete-of-a-missing-name-reaches-other-kinds": "",
      "delete-reaches-every-kind": "kinds: the other after a deletion",
      "denied-deletions-are-carried-out": "",
      "denied-requests-are-carried-out": "",
      "egp-advisory-denies": "egp: advisory in effect · egp: advisory overridden",
      "egp-array-keeps-first": "paths: a list · paths: in the map · paths: shown after an update · paths: governed after an update · paths: a glob behind another path",
      "egp-array-keeps-last": "paths: a list · paths: in the map · paths: shown after an update · paths: governed after an update · paths: a glob behind another path",
      "egp-array-keeps-ten": "",
      "egp-array-keeps-two": "paths: a list",
      "egp-base64-is-not-decoded": "egp: in base64 · egp: in base64 after an update",
      "egp-base64-is-read-as-latin1": "",
      "egp-base64-of-an-update-is-not-decoded": "egp: in base64 after an update",
      "egp-body-name-wins": "egp: a name in the body",
      "egp-comma-list-drops-stars": "",
      "egp-comma-list-is-one-path": "paths: a text",
      "egp-comma-list-keeps-first": "paths: a text",
      "egp-comma-list-keeps-last": "paths: a text",
      "egp-comma-list-keeps-ten": "",
      "egp-comma-list-keeps-two": "paths: a text",
      "egp-create-lags": "egp: effect of a creation · egp: effect of an update · egp: effect of a deletion · egp: soft-mandatory in effect · egp: hard-mandatory in effect · egp: hard-mandatory overridden · paths: a list · paths: a text · paths: a glob behind another path · paths: several EGPs of one · paths: of another EGP after a deletion · paths: beside an RGP that passes · paths: exact · paths: a glob · paths: a glob across a slash · paths: a write · paths: listing · paths: a star and tokens · paths: a star and logins",
      "egp-created-again-acts-as-before": "egp: effect of a second creation with another text",
      "egp-created-again-governs-old-paths": "",
      "egp-created-again-keeps-level": "",
      "egp-created-again-keeps-paths": "",
      "egp-delete-frees-others": "paths: of another EGP after a deletion",
      "egp-delete-keeps-first-path": "paths: governed after a deletion",
      "egp-delete-keeps-globs": "paths: a glob after a deletion",
      "egp-delete-keeps-last-path": "paths: governed after a deletion",
      "egp-delete-keeps-reading": "egp: a name with a capital and a dot · egp: read after a deletion",
      "egp-delete-keeps-several-with-a-glob": "",
      "egp-delete-keeps-the-star": "",
      "egp-delete-lags": "egp: effect of a second creation · egp: effect of a second creation with another text · egp: effect of a deletion · paths: governed after a deletion · paths: a glob after a deletion",
      "egp-delete-takes-back-an-update": "",
      "egp-delete-takes-longer-names": "egp: a longer name after a deletion",
      "egp-delete-unmaps-others": "",
      "egp-deleted-acts-as-before-its-update": "",
      "egp-deleted-text-comes-back": "egp: read after a second creation",
      "egp-deletion-outlives-creation": "egp: effect of a second creation",
      "egp-exact-path-as-prefix": "paths: exact",
      "egp-exact-path-governs-below": "",
      "egp-first-of-a-path-alone": "paths: several EGPs of one",
      "egp-first-of-several-globs-alone": "",
      "egp-first-of-star-alone": "",
      "egp-glob-as-the-first-path-alone": "paths: a glob behind another path",
      "egp-glob-as-the-last-path-alone": "",
      "egp-glob-governs-its-parent": "",
      "egp-glob-is-a-suffix": "paths: a glob behind another path · paths: a glob · paths: a glob from below · paths: a glob across a slash",
      "egp-glob-is-literal": "paths: a glob behind another path · paths: a glob · paths: a glob across a slash · paths: listing",
      "egp-glob-is-too-wide": "paths: a glob · paths: a glob from below",
      "egp-glob-needs-a-slash": "",
      "egp-glob-stops-at-a-slash": "paths: a glob across a slash",
      "egp-globs-spare-logins": "",
      "egp-governs-reads-only": "paths: a write · paths: a star and logins",
      "egp-hard-mandatory-yields-to-override": "egp: hard-mandatory overridden",
      "egp-keeps-any-level": "egp: an unknown level",
      "egp-keeps-longer-levels": "",
      "egp-last-of-a-path-alone": "paths: several EGPs of one",
      "egp-last-of-several-globs-alone": "",
      "egp-level-optional": "egp: create without enforcement_level",
      "egp-list-has-no-keys": "egp: list · paths: in the map after a deletion",
      "egp-list-keeps-deleted": "egp: a name with a capital and a dot · egp: list after a deletion · paths: in the map after a deletion",
      "egp-list-keeps-what-was-deleted-twice": "",
      "egp-list-names-25-at-most": "",
      "egp-list-names-another-kind": "",
      "egp-list-omits": "egp: list",
      "egp-list-omits-created-again": "",
      "egp-list-omits-updated": "paths: shown after an update",
      "egp-long-base64-is-not-decoded": "",
      "egp-long-text-allows-everything": "",
      "egp-longest-glob-alone": "",
      "egp-map-has-25-names-at-most": "",
      "egp-map-hides-glob": "paths: globs in the map",
      "egp-map-keeps-deleted": "paths: in the map after a deletion",
      "egp-map-keeps-glob-marks": "",
      "egp-map-marks-all-as-the-first": "",
      "egp-map-omits-names": "paths: in the map · paths: globs in the map · paths: shown after an update",
      "egp-map-omits-the-star": "",
      "egp-map-shows-earlier-paths": "paths: shown after an update",
      "egp-map-shows-first-path-only": "paths: in the map · paths: shown after an update",
      "egp-map-shows-two-paths": "",
      "egp-name-in-the-body-stores-nothing": "egp: a name in the body",
      "egp-of-a-path-alone-beside-the-star": "",
      "egp-of-the-star-alone-beside-a-path": "",
      "egp-on-community": "community: served",
      "egp-on-enterprise": "enterprise: served",
      "egp-override-lasts": "",
      "egp-paths-are-compared-as-sent": "",
      "egp-paths-are-compared-in-lower-case": "",
      "egp-paths-in-an-object-is-taken": "paths: an object",
      "egp-paths-lose-capitals": "",
      "egp-paths-optional": "egp: create without paths",
      "egp-policy-in-an-object-is-taken": "egp: an object as the document",
      "egp-policy-optional": "egp: create without policy",
      "egp-raised-level-lags": "",
      "egp-read-falls-to-another-kind": "",
      "egp-read-omits-level": "egp: read · egp: update of the level · egp: advisory shown · egp: soft-mandatory shown · egp: hard-mandatory shown",
      "egp-read-omits-paths": "egp: read · paths: a list · paths: a text · paths: shown after an update",
      "egp-read-omits-policy": "egp: read · egp: read after a second creation · egp: in base64 · egp: in base64 after an update · egp: update · kinds: the other after an update",
      "egp-read-takes-a-longer-name": "egp: read by a part of the name",
      "egp-second-deletion-ignored": "",
      "egp-second-update-ignored": "egp: effect of a second update",
      "egp-shows-advisory-as-soft-mandatory": "egp: advisory shown",
      "egp-shows-hard-mandatory-as-soft-mandatory": "egp: read · egp: update of the level · egp: hard-mandatory shown",
      "egp-shows-soft-mandatory-as-hard-mandatory": "egp: soft-mandatory shown",
      "egp-soft-mandatory-ignores-override": "egp: soft-mandatory overridden",
      "egp-soft-mandatory-lets-pass": "egp: soft-mandatory in effect",
      "egp-spares-changes-below-sys": "paths: a write",
      "egp-spares-lists": "paths: listing",
      "egp-spares-lists-by-get": "",
      "egp-spares-logged-in": "",
      "egp-spares-logins-at-its-path": "",
      "egp-spares-paths-of-tokens": "",
      "egp-spares-puts": "",
      "egp-spares-queries": "",
      "egp-star-in-an-array-is-literal": "",
      "egp-star-spares-authenticated": "paths: a star and tokens",
      "egp-star-spares-deletions": "",
      "egp-star-spares-lists": "",
      "egp-star-spares-logins": "paths: a star and logins",
      "egp-star-spares-paths-of-tokens": "",
      "egp-star-spares-puts": "",
      "egp-star-spares-queries": "",
      "egp-star-spares-writes": "",
      "egp-unknown-level-becomes-advisory": "egp: an unknown level",
      "egp-update-adds-paths": "paths: shown after an update · paths: governed after an update · paths: a glob after an update",
      "egp-update-changes-others-of-its-paths": "",
      "egp-update-governs-old-paths": "paths: governed after an update · paths: a glob after an update",
      "egp-update-keeps-globs": "paths: a glob after an update",
      "egp-update-keeps-level": "egp: update of the level",
      "egp-update-keeps-missing-level": "egp: update without enforcement_level",
      "egp-update-keeps-missing-paths": "egp: update without paths",
      "egp-update-keeps-missing-policy": "egp: update without policy",
      "egp-update-keeps-paths": "paths: shown after an update · paths: governed after an update · paths: a glob after an update",
      "egp-update-keeps-policy": "egp: in base64 after an update · egp: update · egp: effect of an update · egp: effect of a second update",
      "egp-update-keeps-the-star": "",
      "egp-update-lags": "egp: effect of an update · egp: effect of a second update · paths: governed after an update · paths: a glob after an update",
      "egp-update-misses-new-paths": "paths: governed after an update · paths: a glob after an update",
      "egp-update-misses-the-star": "",
      "egp-update-reaches-its-first-path-alone": "",
      "egp-update-reaches-its-last-path-alone": "",
      "egp-update-with-unknown-level-keeps-level": "",
      "egp-updated-outlives-its-deletion": "",
      "egp-written-twice-is-removed": "",
      "egps-alone-beside-rgps": "paths: beside an RGP that fails",
      "failing-advisory-ends-evaluation": "",
      "governing-spares-creations": "",
      "long-names-are-cut": "",
      "names-are-cut": "",
      "names-end-at-a-dot": "acl: a name with a capital and a dot · rgp: a name with a capital and a dot · egp: a name with a capital and a dot",
      "names-lose-underscores": "",
      "one-of-two-simultaneous-writes-is-dropped": "",
      "read-minds-capitals": "acl: a name with a capital and a dot · rgp: a name with a capital and a dot · egp: a name with a capital and a dot",
      "refused-create-takes-effect": "",
      "refused-update-ends-the-effect": "",
      "refused-update-keeps-its-level": "",
      "refused-update-takes-effect": "",
      "refused-write-is-kept": "acl: refused, and then read · rgp: refused, and then read · egp: refused, and then read · rgp: an unknown level · egp: an unknown level",
      "rgp-advisory-denies": "rgp: advisory in effect · rgp: advisory overridden",
      "rgp-base64-is-not-decoded": "rgp: in base64 · rgp: in base64 after an update",
      "rgp-base64-is-read-as-latin1": "",
      "rgp-base64-of-an-update-is-not-decoded": "rgp: in base64 after an update",
      "rgp-body-name-wins": "rgp: a name in the body",
      "rgp-create-lags": "rgp: effect of a creation · rgp: effect of an update · rgp: effect of a deletion · rgp: soft-mandatory in effect · rgp: hard-mandatory in effect · rgp: hard-mandatory overridden · paths: beside an RGP that fails · rgp: several on a token",
      "rgp-created-again-acts-as-before": "rgp: effect of a second creation with another text",
      "rgp-created-again-keeps-level": "",
      "rgp-delete-keeps-reading": "rgp: a name with a capital and a dot · rgp: read after a deletion",
      "rgp-delete-lags": "rgp: effect of a second creation · rgp: effect of a second creation with another text · rgp: effect of a deletion · rgp: a deleted name on a token",
      "rgp-delete-spares-logged-in": "",
      "rgp-delete-takes-back-an-update": "",
      "rgp-delete-takes-longer-names": "rgp: a longer name after a deletion",
      "rgp-deleted-acts-as-before-its-update": "",
      "rgp-deleted-denies-all": "rgp: effect of a second creation · rgp: effect of a second creation with another text · rgp: effect of a deletion · rgp: a deleted name on a token",
      "rgp-deleted-text-comes-back": "rgp: read after a second creation",
      "rgp-deletion-outlives-creation": "rgp: effect of a second creation",
      "rgp-first-of-a-token-alone": "rgp: several on a token",
      "rgp-first-two-of-a-token-alone": "",
      "rgp-hard-mandatory-yields-to-override": "rgp: hard-mandatory overridden",
      "rgp-keeps-any-level": "rgp: an unknown level",
      "rgp-keeps-longer-levels": "",
      "rgp-last-of-a-token-alone": "rgp: several on a token",
      "rgp-level-optional": "rgp: create without enforcement_level",
      "rgp-list-keeps-deleted": "rgp: a name with a capital and a dot · rgp: list after a deletion",
      "rgp-list-keeps-what-was-deleted-twice": "",
      "rgp-list-names-25-at-most": "",
      "rgp-list-names-another-kind": "",
      "rgp-list-omits": "rgp: list",
      "rgp-list-omits-created-again": "",
      "rgp-list-omits-updated": "",
      "rgp-long-base64-is-not-decoded": "",
      "rgp-long-text-allows-everything": "",
      "rgp-name-in-the-body-stores-nothing": "rgp: a name in the body",
      "rgp-on-community": "community: served",
      "rgp-on-enterprise": "enterprise: served",
      "rgp-override-lasts": "",
      "rgp-policy-in-an-object-is-taken": "rgp: an object as the document",
      "rgp-policy-optional": "rgp: create without policy",
      "rgp-raised-level-lags": "",
      "rgp-read-falls-to-another-kind": "",
      "rgp-read-omits-level": "rgp: read · rgp: update of the level · rgp: advisory shown · rgp: soft-mandatory shown · rgp: hard-mandatory shown",
      "rgp-read-omits-policy": "rgp: read · rgp: read after a second creation · rgp: in base64 · rgp: in base64 after an update · rgp: update",
      "rgp-read-takes-a-longer-name": "rgp: read by a part of the name",
      "rgp-second-deletion-ignored": "",
      "rgp-second-update-ignored": "rgp: effect of a second update",
      "rgp-shows-advisory-as-soft-mandatory": "rgp: advisory shown",
      "rgp-shows-hard-mandatory-as-soft-mandatory": "rgp: read · rgp: update of the level · rgp: hard-mandatory shown",
      "rgp-shows-soft-mandatory-as-hard-mandatory": "rgp: soft-mandatory shown",
      "rgp-soft-mandatory-ignores-override": "rgp: soft-mandatory overridden",
      "rgp-soft-mandatory-lets-pass": "rgp: soft-mandatory in effect",
      "rgp-spares-changes-below-sys": "",
      "rgp-spares-deletions": "",
      "rgp-spares-lists": "",
      "rgp-spares-lists-by-get": "",
      "rgp-spares-logged-in": "",
      "rgp-spares-puts": "",
      "rgp-spares-queries": "",
      "rgp-spares-writes": "",
      "rgp-unknown-level-becomes-advisory": "rgp: an unknown level",
      "rgp-update-keeps-level": "rgp: update of the level",
      "rgp-update-keeps-missing-level": "rgp: update without enforcement_level",
      "rgp-update-keeps-missing-policy": "rgp: update without policy",
      "rgp-update-keeps-policy": "rgp: in base64 after an update · rgp: update · rgp: effect of an update · rgp: effect of a second update",
      "rgp-update-lags": "rgp: effect of an update · rgp: effect of a second update",
      "rgp-update-with-unknown-level-keeps-level": "",
      "rgp-updated-outlives-its-deletion": "",
      "rgp-written-twice-is-removed": "",
      "rgps-alone-beside-egps": "paths: beside an RGP that passes",
      "served-before-0-9": "0.8.3: served",
      "tokens-alone-lose-capitals": "acl: a name with a capital and a dot · rgp: a name with a capital and a dot · egp: a name with a capital and a dot",
      "update-reaches-every-kind": "kinds: the other after an update",
    }
  `)
}, 120_000)
