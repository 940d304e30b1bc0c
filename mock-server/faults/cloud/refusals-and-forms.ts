/** Faults of refused requests in general, and of the two forms of the API. */
import { type Context, providerOf, rootOf } from '../../engines/cloud/context.ts'
import { leaseOf } from '../../engines/cloud/handlers/lease.ts'
import { fieldsOf } from '../../engines/cloud/handlers/roles.ts'
import { rootIn } from '../../engines/cloud/handlers/root.ts'
import { keysOf } from '../../engines/cloud/provider/users.ts'
import type { Form } from '../../engines/cloud/rules/types.ts'
import { readTemplate } from '../../engines/cloud/template/template.ts'
import type { Call } from '../../kernel/contracts.ts'
import { parseDuration } from '../../kernel/http/duration.ts'
import {
  bodyOf,
  type CloudFault,
  fault,
  type Here,
  inRow,
  inTable,
  issuing,
  nameIn,
  sending,
  whenRefused,
} from './cloud-operations.ts'
import { asSent } from './role-fields.ts'

const both: readonly Form[] = ['newer', 'older']
const none: readonly Form[] = []
const noKey = { id: '', secret: '' }

const storesSent = (operation: string, store: (call: Call, here: Here) => void) =>
  whenRefused(
    [operation],
    () => true,
    (call, here) => {
      try {
        store(call, here)
      } catch {}
    },
  )

type SideEffect = (call: Call, context: Context) => Promise<unknown>
const makesUser: SideEffect = (_call, context) => providerOf(context).iam('CreateUser', { UserName: 'refused' })
const makesKey: SideEffect = (call, context) => {
  const UserName = String(call.body.username || 'adopted')
  return providerOf(context)
    .iam('CreateAccessKey', { UserName })
    .catch(() => makesUser(call, context))
}
const deletesOtherKeys: SideEffect = async (_call, context) => {
  const provider = providerOf(context)
  const UserName = (await provider.iam('GetUser', {})).User?.UserName ?? ''
  for (const { id: AccessKeyId } of await keysOf(provider, UserName))
    if (AccessKeyId !== rootOf(context).access_key) await provider.iam('DeleteAccessKey', { UserName, AccessKeyId })
}
const callingAllTheSame = (act: SideEffect, ...operations: readonly string[]) =>
  whenRefused(
    operations,
    () => true,
    async (call, { context }) => {
      // The provider may refuse the request, too, or not be configured.
      await Promise.resolve(call)
        .then(() => act(call, context))
        .catch(() => {})
    },
  )

const isRead = (read: () => unknown): boolean => {
  try {
    read()
    return true
  } catch {
    return false
  }
}
/** Leaves out fields that cannot be read. */
const legible = (operations: readonly string[], isLegible: (name: string, call: Call, here: Here) => boolean) =>
  sending(operations, (body, call, here) =>
    Object.fromEntries(
      Object.keys(body).flatMap((name) =>
        isLegible(name, call, here) ? [] : [[name, name === 'policy' ? '{}' : undefined]],
      ),
    ),
  )

export const ofRefusalsAndForms: readonly CloudFault[] = [
  fault(
    'refused-write-is-kept',
    'The values of a refused write are stored.',
    storesSent('POST roles/:name', (call, here) => here.context.store.roles.set(nameIn(call), asSent(call, here))),
    storesSent('POST config/root', (call, { context }) => {
      context.store.root = rootIn(call, context)
    }),
    storesSent('POST config/lease', ({ body }, { context }) => {
      const { lease, lease_max } = leaseOf({ ...context, store: { ...context.store, lease: undefined } })
      context.store.lease = {
        lease: parseDuration(body.lease) ?? lease,
        lease_max: parseDuration(body.lease_max) ?? lease_max,
      }
    }),
    storesSent('POST static-roles/:name', (call, { context: { store, clock } }) => {
      const known = store.staticRoles.get(nameIn(call))
      const made = { username: String(call.body.username ?? ''), userId: '', period: 3600, key: noKey }
      const at = { rotatedAt: clock.now(), rotatesAt: Number.MAX_SAFE_INTEGER }
      store.staticRoles.set(nameIn(call), { ...made, ...known, ...at })
    }),
  ),
  fault(
    'refusals-call',
    'A refused request for credentials, a static role or a rotation still makes or changes things at the provider.',
    callingAllTheSame(makesUser, 'GET creds/:name', 'POST creds/:name', 'GET static-creds/:name'),
    callingAllTheSame(
      (_call, context) => providerOf(context).sts('GetSessionToken', {}),
      ...['GET sts/:name', 'POST sts/:name'],
    ),
    callingAllTheSame(makesKey, 'POST static-roles/:name', 'GET static-roles/:name', 'DELETE static-roles/:name'),
    callingAllTheSame(deletesOtherKeys, 'POST config/rotate-root'),
  ),
  fault(
    'invalid-values-taken',
    'A field with an invalid value is treated as missing instead of being refused.',
    legible(['POST roles/:name'], (name, { body }, { context }) =>
      isRead(() =>
        fieldsOf(context)
          .find(([one]) => one === (name === 'policy' ? 'policy_document' : name))?.[1]
          .read({ ...body, policy_document: body[name] }, name === 'policy' ? 'policy_document' : name),
      ),
    ),
    legible(['POST config/root'], (name, { body }, { context }) =>
      isRead(() =>
        name === 'username_template'
          ? readTemplate(String(body[name] ?? ''))
          : rootIn({ body: { [name]: body[name] } }, context),
      ),
    ),
    legible(issuing, (name, call) => name !== 'ttl' || (parseDuration(bodyOf(call).ttl) ?? -1) >= 0),
  ),
  fault(
    'older-takes-session-token',
    'The older form accepts the credential_type session_token.',
    inTable('knownTypes', ({ newer }) => ({ older: newer })),
  ),
  fault(
    'older-key-optional',
    'In the older form access_key may be missing.',
    inRow('rootRules', 'keyRequired', { forms: none }),
  ),
  fault(
    'older-secret-optional',
    'In the older form secret_key may be missing.',
    inRow('rootRules', 'secretRequired', { forms: none }),
  ),
  fault('older-has-static-roles', 'The older form has static roles.', inTable('staticRoles', { forms: both })),
  fault(
    'older-sends-session-tags',
    'The older form stores session_tags and sends them to the provider.',
    inRow('roleFields', 'session_tags', { forms: both }),
  ),
  fault(
    'older-sends-external-id',
    'The older form stores external_id and sends it to the provider.',
    inRow('roleFields', 'external_id', { forms: both }),
  ),
  fault(
    'older-keeps-audience',
    'The older form stores and shows identity_token_audience.',
    inRow('rootFields', 'identity_token_audience', { forms: both }),
  ),
  fault(
    'newer-keys-required',
    'In the newer form access_key is required.',
    inRow('rootRules', 'keyRequired', { forms: both }),
  ),
]
