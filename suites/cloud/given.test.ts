import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../fixtures/servers/provider/index.ts'
import type { Action, Exchange, Reply, Scope, Step } from '../../harness/vocabulary/index.ts'
import { StepFailed } from '../../harness/vocabulary/index.ts'
import { anyRole, reached, writeAnyRole } from './given.ts'

let provider: Provider
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())

const fieldsOf = ({ body }: Exchange): readonly string[] => Object.keys((body ?? {}) as object)

/** Makes a target that accepts only roles with this field, and never calls the provider. */
function targetTaking(field: string | undefined) {
  const sent: string[] = []
  const scope = {
    provided: () => provider,
    async send(exchange: Exchange): Promise<Reply> {
      const { method, path } = exchange
      sent.push(`${path.split('/').at(-2)} ${fieldsOf(exchange)}`)
      const taken = !path.includes('roles/') || (field !== undefined && fieldsOf(exchange).includes(field))
      const [status, text] = taken ? [204, ''] : [500, 'no such role']
      return { ...{ status, headers: {}, json: {}, text, bytes: new Uint8Array() }, asked: `${method} ${path}`, at: 0 }
    },
  } as unknown as Scope
  return { scope, sent }
}
/** The requests that delete the role and the static role of the trials. */
const deletions = ['roles ', 'static-roles ']
const isAction = (step: Step | undefined): step is Action => step?.kind === 'action'
async function errorOf(step: Step | undefined, scope: Scope): Promise<unknown> {
  if (!isAction(step)) throw new TypeError('no action')
  return step.run(scope).catch((error: unknown) => error)
}

test('if a role with a type is refused, a legacy role is used; if that is refused too, the step fails', async () => {
  const [step] = anyRole('iam_user')
  const typed = targetTaking('credential_type')
  expect(await errorOf(step, typed.scope)).toBeUndefined()
  expect(typed.sent).toEqual(['roles credential_type,policy_document'])
  const untyped = targetTaking('policy')
  expect(await errorOf(step, untyped.scope)).toBeUndefined()
  expect(untyped.sent).toEqual(['roles credential_type,policy_document', 'roles policy'])
  expect((await writeAnyRole.run(untyped.scope)).status).toBe(204)
  const neither = targetTaking(undefined)
  expect(await errorOf(step, neither.scope)).toBeInstanceOf(StepFailed)
  expect((await writeAnyRole.run(neither.scope)).status).toBe(500)
})

test('if the target does not call the provider, the error says whether it accepted a role that needs calls', async () => {
  const refusing = targetTaking(undefined)
  expect(await errorOf(reached, refusing.scope)).toMatchObject({
    code: 'provider-not-called',
    facts: { wasAsked: false },
  })
  expect(refusing.sent).toEqual([
    'roles credential_type,policy_document',
    'roles credential_type,role_arns',
    'roles policy',
    'static-roles username,rotation_period',
    ...deletions,
  ])
  const another = await startProvider()
  try {
    const silent = targetTaking('policy')
    const scope = { ...silent.scope, provided: () => another } as Scope
    expect(await errorOf(reached, scope)).toMatchObject({ code: 'provider-not-called', facts: { wasAsked: true } })
    expect(silent.sent).toEqual(expect.arrayContaining(['sts role_session_name', ...deletions]))
  } finally {
    await another.close()
  }
})
