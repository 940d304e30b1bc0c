import { describe, expect, test } from 'vitest'
import { openServer } from '../../test-beds/policies.test-bed.ts'
import { shared } from '../../test-beds/shared.test-bed.ts'
import type { Kind } from './store.ts'

const server = shared(await openServer())

const acl = 'path "secret/*" { capabilities = ["read"] }'
const rules = 'main = rule { true }'
const bodies: Readonly<Record<Kind, Record<string, unknown>>> = {
  acl: { policy: acl },
  rgp: { policy: rules, enforcement_level: 'advisory' },
  egp: { policy: rules, enforcement_level: 'soft-mandatory', paths: ['secret/a', 'secret/b*'] },
}
const kinds = ['acl', 'rgp', 'egp'] as const

describe.each(kinds)('%s', (kind) => {
  const body = bodies[kind]
  const path = `sys/policies/${kind}`

  test('has a case-insensitive name, which may contain slashes', async () => {
    await server.ask(`POST ${path}/Team/One`, body)
    expect((await server.ask(`GET ${path}/tEAM/oNE`)).data.name).toBe('team/one')
    await server.ask(`DELETE ${path}/TEAM/ONE`)
    expect((await server.ask(`GET ${path}/team/one`)).status).toBe(404)
  })

  test('may be in base64, also with line breaks', async () => {
    const text = `${body.policy} # ünï`.repeat(kind === 'acl' ? 3 : 1)
    const encoded = Buffer.from(text).toString('base64')
    for (const policy of [encoded, encoded.replace(/.{20}/g, '$&\r\n')]) {
      expect((await server.ask(`POST ${path}/p`, { ...body, policy })).status).toBe(204)
      expect((await server.ask(`GET ${path}/p`)).data.policy).toBe(text)
      await server.ask(`DELETE ${path}/p`)
    }
  })

  test('reports the position of an error in a document', async () => {
    const reply = await server.ask(`POST ${path}/p`, {
      ...body,
      policy: `\n ${kind === 'acl' ? 'path "a" ]' : 'main ]'}`,
    })
    expect(reply).toMatchObject({ status: 400 })
    expect(reply.errors[0]).toMatch(/^failed to parse policy: line 2, column (7|11): expected/)
  })

  test('refuses other methods and unknown kinds', async () => {
    expect((await server.ask(`PATCH ${path}/p`, {})).status).toBe(405)
    expect((await server.ask(`GET ${path}`)).status).toBe(405)
    expect((await server.ask(`GET sys/policies/other/p`)).status).toBe(404)
  })
})

test('without any RGP or EGP, their lists are not found', async () => {
  for (const kind of ['rgp', 'egp']) {
    expect(await server.ask(`LIST sys/policies/${kind}`)).toMatchObject({ status: 404, errors: [] })
  }
  expect((await server.ask('LIST sys/policies/acl')).data).toEqual({ keys: ['default', 'root'] })
})

test('root cannot be changed or deleted, and default cannot be deleted', async () => {
  for (const line of ['POST sys/policies/acl/root', 'POST sys/policies/acl/ROOT', 'POST sys/policy/root']) {
    expect((await server.ask(line, bodies.acl)).errors).toEqual(['cannot update "root" policy'])
  }
  expect((await server.ask('POST sys/policies/rgp/root', bodies.rgp)).status).toBe(400)
  for (const name of ['root', 'default']) {
    expect((await server.ask(`DELETE sys/policies/acl/${name}`)).errors).toEqual([`cannot delete "${name}" policy`])
  }
  expect((await server.ask('GET sys/policies/acl/root')).data).toEqual({ name: 'root', policy: '' })
  expect((await server.ask('POST sys/policies/acl/default', bodies.acl)).status).toBe(204)
  expect((await server.ask('GET sys/policies/acl/default')).data.policy).toBe(acl)
})

test('an ACL policy and an RGP cannot have the same name; an EGP can have any', async () => {
  await server.ask('POST sys/policies/acl/p', bodies.acl)
  expect((await server.ask('POST sys/policies/rgp/p', bodies.rgp)).status).toBe(400)
  expect((await server.ask('POST sys/policies/egp/p', bodies.egp)).status).toBe(204)
  await server.ask('POST sys/policies/rgp/q', bodies.rgp)
  expect((await server.ask('POST sys/policies/acl/q', bodies.acl)).status).toBe(400)
})

test('the older endpoints serve the same ACL policies', async () => {
  expect((await server.ask('PUT sys/policy/p', { rules: acl })).status).toBe(204)
  expect((await server.ask('GET sys/policies/acl/p')).data.policy).toBe(acl)
  expect((await server.ask('GET sys/policy/p')).data).toEqual({ name: 'p', rules: acl })
  const names = ['default', 'p', 'root']
  expect((await server.ask('GET sys/policy')).data).toEqual({ keys: names, policies: names })
  expect((await server.ask('LIST sys/policy')).data.keys).toEqual(names)
  expect((await server.ask('POST sys/policy/q', { policy: acl })).status).toBe(204)
  expect((await server.ask('DELETE sys/policy/q')).status).toBe(204)
  expect((await server.ask('GET sys/policy/q')).status).toBe(404)
})

test('the inventory names the policies that callers made', async () => {
  await server.ask('POST sys/policies/acl/p', bodies.acl)
  await server.ask('POST sys/policies/egp/q', bodies.egp)
  expect(server.inventory()).toMatchObject({ acl: ['p'], rgp: [], egp: ['q'] })
})
