/** Faults of writes, reads, lists and deletions of roles. */

import { isDeepStrictEqual } from 'node:util'
import { revoke } from '../../engines/pki/certificates/revocation.ts'
import type { Role } from '../../engines/pki/store.ts'
import type { Call } from '../../kernel/contracts.ts'
import { losingOthers } from '../lost-writes.ts'
import { nameIn } from '../operations.ts'
import {
  after,
  type Forms,
  fault,
  faults,
  type Here,
  naming,
  on,
  type PkiFault,
  remembering,
  remembersRoles,
  showing,
} from './pki-operations.ts'

const write = ['POST roles/:name']
const read = ['GET roles/:name']
const remove = ['DELETE roles/:name']
/** The operations that act on a role. */
const using = ['POST issue/:name', 'POST sign/:name', 'POST sign-verbatim/:name']

const roleAt = (call: Call, { context }: Here): Role | undefined => context.store.roles.get(nameIn(call))
const isKnown = (call: Call, here: Here): boolean => roleAt(call, here) !== undefined
const namesBeside = (call: Call, { context }: Here): readonly string[] =>
  [...context.store.roles.keys()].filter((name) => name !== nameIn(call))

/** Stores another role than the one that a write means. `before` is the role that it replaces. */
const storing = (
  when: (call: Call, here: Here) => boolean,
  change: (role: Role, before: Role | undefined, here: Here, call: Call) => Role,
) =>
  on(write, when, async (call, next, here) => {
    const before = roleAt(call, here)
    const reply = await next(call)
    const role = roleAt(call, here)
    if (role) here.context.store.roles.set(nameIn(call), change(role, before, here, call))
    return reply
  })
/** Lets `settle` choose what an update stores in each field, from its old and its written value. */
const updating = (settle: (old: unknown, written: unknown, field: string) => unknown) =>
  storing(isKnown, (role, before) => {
    const settled = Object.entries(before ?? {}).map(([field, old]) => [
      field,
      settle(old, role[field as keyof Role], field),
    ])
    return { ...role, ...Object.fromEntries(settled) }
  })

const locationFields = ['country', 'locality', 'province', 'street_address']
const namingOptions = [
  'allow_localhost',
  'allow_bare_domains',
  'allow_subdomains',
  'allow_glob_domains',
  'allow_any_name',
  'allow_wildcard_certificates',
]
const duties = ['enforce_hostnames', 'require_cn', 'no_store']
const durationFields = ['ttl', 'max_ttl', 'not_before_duration']

const listing = (change: (names: readonly string[], here: Here) => readonly string[]) => {
  const names = ({ context }: Here): readonly string[] => [...context.store.roles.keys()]
  return showing(
    ['LIST roles'],
    (_call, here) => !isDeepStrictEqual(change(names(here), here), names(here)),
    (fields, here) => ({ ...fields, keys: [...change(names(here), here)].sort() }),
  )
}

const remembersDeleted = on(
  remove,
  isKnown,
  async (call, next, here) => {
    const role = roleAt(call, here)
    const reply = await next(call)
    here.memory.set(nameIn(call), role)
    return reply
  },
  { remembers: true },
)
/** Handles operations as if there was a role that was deleted. The handler reads it before it first waits. */
const withDeleted = (operations: readonly string[]): readonly Forms[] => [
  remembersDeleted,
  on(
    operations,
    (call, here) => !isKnown(call, here) && here.memory.has(nameIn(call)),
    (call, next, here) => {
      const { roles } = here.context.store
      roles.set(nameIn(call), here.memory.get(nameIn(call)) as Role)
      try {
        return next(call)
      } finally {
        roles.delete(nameIn(call))
      }
    },
  ),
]
/** Returns the serial numbers of the certificates that were issued under a role. */
const serialsOf = (call: Call, { memory }: Here): readonly string[] =>
  [...memory].flatMap(([serial, role]) => (role === nameIn(call) ? [serial] : []))
const removing = (act: (call: Call, here: Here) => void, when = isKnown) => after(remove, when, act)

export const ofRoles: readonly PkiFault[] = [
  ...faults({
    'role-delete-revokes': 'Deleting a role revokes the certificates issued under it.',
    'role-list-omits': 'LIST roles leaves out the role written last.',
    'role-list-omits-the-first': 'LIST roles leaves out the role written first, if there are several.',
    'role-list-ends-after-100': 'LIST roles names the first 100 roles only.',
    'roles-written-at-once-are-lost':
      'Of roles that are written at the same time, only the one whose write ends last is stored.',
    'role-list-names-more': 'LIST roles also names `default`, which is not a role.',
    'role-list-keeps-deleted': 'LIST roles still names deleted roles.',
    'role-delete-keeps-reading': 'GET still returns deleted roles, although they cannot be used.',
    'role-delete-keeps-issuing':
      'Deleted roles can still be used to issue certificates, although GET does not return them.',
    'role-write-changes-others': 'POST on a role also writes all other roles of the mount.',
    'role-delete-removes-others': 'DELETE of a role removes every role of the mount.',
    'role-read-gives-another': 'GET of a role returns another role if there is one.',
    'role-update-ignored': 'POST on an existing role succeeds but changes nothing.',
    'role-read-takes-a-longer-name':
      'GET of a role that does not exist returns the first role whose name begins with the requested name.',
    'issue-under-any-role': 'issue under a role that does not exist uses the first role of the mount.',
    'role-name-is-cut-at-a-hyphen':
      'POST of a role whose name has a hyphen stores the role under the part before the hyphen.',
    'role-delete-takes-longer-names': 'DELETE of a role also removes roles whose names begin with its name.',
    'role-update-merges-lists':
      'POST on an existing role adds the given entries to its lists instead of replacing the lists.',
    'role-update-keeps-flags': 'POST on an existing role does not change its flags.',
    'role-update-keeps-basic-constraints':
      'POST on an existing role does not change its basic_constraints_valid_for_non_ca.',
    'role-update-never-grants-names':
      'POST on an existing role can switch an option that allows names off, but not on.',
    'role-update-never-ends-duties':
      'POST on an existing role can switch enforce_hostnames, require_cn and no_store on, but not off.',
    'role-update-never-restores-usages':
      'POST on an existing role cannot switch server_flag and client_flag on, nor the flags of other usages off.',
    'role-update-keeps-what-is-emptied':
      'POST on an existing role does not change a list if the request has an empty one.',
    'role-delete-forgets-revocations':
      'DELETE of a role undoes the revocations of the certificates that were issued under it.',
    'role-created-again-has-its-former-domains':
      'A role that is created again without allowed_domains after its deletion gets the allowed_domains from before.',
    'role-update-keeps-where-the-subject-is':
      'POST on an existing role does not change its country, locality, province and street_address.',
    'role-update-keeps-durations': 'POST on an existing role does not change its ttl, max_ttl and not_before_duration.',
  }).by({
    'role-delete-revokes': [
      remembersRoles,
      removing((call, here) => {
        for (const serial of serialsOf(call, here)) revoke(here.context, serial)
      }),
    ],
    'role-list-omits': [
      remembering(write, (call, { memory }) => {
        memory.set('last', nameIn(call))
      }),
      listing((names, { memory }) => names.filter((name) => name !== memory.get('last'))),
    ],
    'role-list-omits-the-first': listing((names) => names.slice(names.length > 1 ? 1 : 0)),
    'role-list-ends-after-100': listing((names) => names.slice(0, 100)),
    'roles-written-at-once-are-lost': on(
      write,
      () => true,
      (call, next, { context }) => losingOthers(context.store.roles, () => next(call)),
    ),
    'role-list-names-more': listing((names) => [...names, 'default']),
    'role-list-keeps-deleted': [
      remembersDeleted,
      listing((names, { memory }) => [...new Set([...names, ...memory.keys()])]),
    ],
    'role-delete-keeps-reading': withDeleted(read),
    'role-delete-keeps-issuing': withDeleted(using),
    'role-write-changes-others': after(
      write,
      (call, here) => namesBeside(call, here).length > 0,
      (call, here) => {
        for (const name of namesBeside(call, here)) here.context.store.roles.set(name, roleAt(call, here) as Role)
      },
    ),
    'role-delete-removes-others': removing(
      (_call, { context }) => context.store.roles.clear(),
      (_call, { context }) => context.store.roles.size > 0,
    ),
    'role-read-gives-another': naming(read, (name, { context: { store } }) =>
      store.roles.has(name) ? ([...store.roles.keys()].find((other) => other !== name) ?? name) : name,
    ),
    'role-update-ignored': storing(isKnown, (role, before) => before ?? role),
    'role-read-takes-a-longer-name': naming(read, (name, { context: { store } }) =>
      store.roles.has(name) ? name : ([...store.roles.keys()].find((longer) => longer.startsWith(name)) ?? name),
    ),
    'issue-under-any-role': naming(using, (name, { context: { store } }) =>
      store.roles.has(name) || name === '' ? name : ([...store.roles.keys()][0] ?? name),
    ),
    'role-name-is-cut-at-a-hyphen': naming(write, (name) => name.split('-')[0] ?? name),
    'role-delete-takes-longer-names': removing(
      (call, { context: { store } }) => {
        for (const other of [...store.roles.keys()]) if (other.startsWith(nameIn(call))) store.roles.delete(other)
      },
      (call, here) => namesBeside(call, here).some((other) => other.startsWith(nameIn(call))),
    ),
    'role-update-merges-lists': updating((old, written) =>
      Array.isArray(old) && Array.isArray(written) ? [...new Set([...old, ...written])] : written,
    ),
    'role-update-keeps-flags': updating((old, written) => (typeof old === 'boolean' ? old : written)),
    'role-update-keeps-basic-constraints': updating((old, written, field) =>
      field === 'basic_constraints_valid_for_non_ca' ? old : written,
    ),
    'role-update-never-grants-names': updating((old, written, field) =>
      namingOptions.includes(field) ? old === true && written : written,
    ),
    'role-update-never-ends-duties': updating((old, written, field) =>
      duties.includes(field) ? old === true || written : written,
    ),
    'role-update-never-restores-usages': updating((old, written, field) => {
      if (['server_flag', 'client_flag'].includes(field)) return old === true && written
      return ['code_signing_flag', 'email_protection_flag'].includes(field) ? old === true || written : written
    }),
    'role-update-keeps-what-is-emptied': updating((old, written) =>
      Array.isArray(written) && written.length === 0 ? old : written,
    ),
    'role-delete-forgets-revocations': [
      remembersRoles,
      removing((call, here) => {
        for (const serial of serialsOf(call, here)) here.context.store.revocations.delete(serial)
      }),
    ],
    'role-created-again-has-its-former-domains': [
      remembersDeleted,
      storing(
        (call, here) => !isKnown(call, here) && here.memory.has(nameIn(call)),
        (role, _before, { memory }, call) => {
          const { allowed_domains } = memory.get(nameIn(call)) as Role
          return role.allowed_domains.length === 0 ? { ...role, allowed_domains } : role
        },
      ),
    ],
    'role-update-keeps-where-the-subject-is': updating((old, written, field) =>
      locationFields.includes(field) ? old : written,
    ),
    'role-update-keeps-durations': updating((old, written, field) => (durationFields.includes(field) ? old : written)),
  }),
  ...(
    ['no_store', 'require_cn', 'server_flag', 'key_type', 'key_bits', 'ext_key_usage', 'ext_key_usage_oids'] as const
  ).map((field) =>
    fault(
      `role-update-keeps-${field.replaceAll('_', '-')}`,
      `POST on an existing role does not change its ${field}.`,
      updating((old, written, name) => (name === field ? old : written)),
    ),
  ),
]
