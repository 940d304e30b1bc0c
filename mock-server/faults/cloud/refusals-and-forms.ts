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
  faults,
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

export const ofRefusalsAndForms: readonly CloudFault[] = faults({
  'refused-write-is-kept': 'The values of a refused write are stored.',
  'refusals-call':
    'A refused request for credentials, a static role or a rotation still makes or changes things at the provider.',
  'invalid-values-taken': 'A field with an invalid value is treated as missing instead of being refused.',
  'older-takes-session-token': 'The older form accepts the credential_type session_token.',
  'older-key-optional': 'In the older form access_key may be missing.',
  'older-secret-optional': 'In the older form secret_key may be missing.',
  'older-has-static-roles': 'The older form has static roles.',
  'older-sends-session-tags': 'The older form stores session_tags and sends them to the provider.',
  'older-sends-external-id': 'The older form stores external_id and sends it to the provider.',
  'older-keeps-audience': 'The older form stores and shows identity_token_audience.',
  'newer-keys-required': 'In the newer form access_key is required.',
}).by({
  'refused-write-is-kept': [
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
  ],
  'refusals-call': [
    callingAllTheSame(makesUser, 'GET creds/:name', 'POST creds/:name', 'GET static-creds/:name'),
    callingAllTheSame(
      (_call, context) => providerOf(context).sts('GetSessionToken', {}),
      ...['GET sts/:name', 'POST sts/:name'],
    ),
    callingAllTheSame(makesKey, 'POST static-roles/:name', 'GET static-roles/:name', 'DELETE static-roles/:name'),
    callingAllTheSame(deletesOtherKeys, 'POST config/rotate-root'),
  ],
  'invalid-values-taken': [
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
  ],
  'older-takes-session-token': inTable('knownTypes', ({ newer }) => ({ older: newer })),
  'older-key-optional': inRow('rootRules', 'keyRequired', { forms: none }),
  'older-secret-optional': inRow('rootRules', 'secretRequired', { forms: none }),
  'older-has-static-roles': inTable('staticRoles', { forms: both }),
  'older-sends-session-tags': inRow('roleFields', 'session_tags', { forms: both }),
  'older-sends-external-id': inRow('roleFields', 'external_id', { forms: both }),
  'older-keeps-audience': inRow('rootFields', 'identity_token_audience', { forms: both }),
  'newer-keys-required': inRow('rootRules', 'keyRequired', { forms: both }),
})
