/** Faults of what becomes of roles: writes, reads, lists and deletions. */
import { isDeepStrictEqual } from 'node:util'
import { givenIn, isSet } from '../../engines/cloud/handlers/roles.ts'
import { type CredentialType, credentialTypes } from '../../engines/cloud/rules/types.ts'
import type { Role, RoleField } from '../../engines/cloud/store.ts'
import { type Call, done } from '../../kernel/contracts.ts'
import { Refusal, type RefusalCode } from '../../kernel/http/refusal.ts'
import { losingOthers } from '../lost-writes.ts'
import {
  after,
  asRole,
  type CloudFault,
  creds,
  type Forms,
  fault,
  faults,
  type Here,
  inRow,
  issuing,
  kebab,
  nameIn,
  naming,
  on,
  refusing,
  refusingAfterwards,
  remembering,
  roleAt,
  sending,
  showing,
  sts,
  whenRefused,
  withCall,
} from './cloud-operations.ts'

const write = ['POST roles/:name']
const read = ['GET roles/:name']
const remove = ['DELETE roles/:name']
const list = ['LIST roles']

const isKnown = (call: Call, here: Here): boolean => roleAt(call, here) !== undefined
const isLegacyWrite = ({ body }: Call): boolean => Boolean(body.policy || body.arn)
const isOther = (call: Call, here: Here): boolean => {
  const known = roleAt(call, here)
  const { credential_type: asked } = call.body
  return known?.legacy === false && credentialTypes.some((type) => type === asked) && known.types[0] !== asked
}

type Store = (role: Role, before: Role | undefined, here: Here) => Role | undefined
/** Stores another role than the one that a write means. `before` is the role that it replaces. */
const storing = (when: (before: Role | undefined, call: Call, here: Here) => boolean, change: Store) =>
  on(
    write,
    (call, here) => when(roleAt(call, here), call, here),
    async (call, next, here) => {
      const before = roleAt(call, here)
      const reply = await next(call)
      const { roles } = here.context.store
      const role = roleAt(call, here)
      const changed = role && change(role, before, here)
      if (changed) roles.set(nameIn(call), changed)
      else roles.delete(nameIn(call))
      return reply
    },
  )
const keeping = (field: RoleField, when: (call: Call) => boolean = (call) => !isLegacyWrite(call)) =>
  storing(
    (before, call) => before?.given[field] !== undefined && when(call),
    (role, before) => ({ ...role, given: { ...role.given, [field]: before?.given[field] } }),
  )
const unchanged = (when: (before: Role, call: Call) => boolean) =>
  storing(
    (before, call) => before !== undefined && when(before, call),
    (_role, before) => before,
  )

/** Accepts updates that the rules of the type refuse. */
const unjudged = (isMeant: (type: CredentialType) => boolean) => {
  const typeOf = (call: Call, here: Here) => String(call.body.credential_type || roleAt(call, here)?.types[0])
  return whenRefused(
    write,
    (call, here) =>
      isKnown(call, here) &&
      !isLegacyWrite(call) &&
      credentialTypes.some((type) => type === typeOf(call, here) && isMeant(type)),
    (call, here, error) => {
      const known = roleAt(call, here)
      const type = typeOf(call, here) as CredentialType
      try {
        const given = { ...(known?.legacy ? {} : known?.given), ...givenIn(here.context, call.body) }
        here.context.store.roles.set(nameIn(call), { types: [type], legacy: false, given })
        return done
      } catch {
        throw error
      }
    },
  )
}

/** Leaves stored fields that the new type prohibits out of the judgement. */
const judgesWhatIsSent = () => {
  const hidden = (call: Call, here: Here): readonly RoleField[] => {
    const type = call.body.credential_type as CredentialType
    const { roleFields } = here.context.rules
    return (Object.keys(roleAt(call, here)?.given ?? {}) as RoleField[]).filter(
      (name) => !(name in call.body) && isOther(call, here) && roleFields[name].use[type] === 'prohibited',
    )
  }
  return on(
    write,
    (call, here) => hidden(call, here).length > 0,
    async (call, next, here) => {
      const { roles } = here.context.store
      const before = roleAt(call, here)
      if (!before) return next(call)
      const names = hidden(call, here)
      const pick = (isHidden: boolean) =>
        Object.fromEntries(
          Object.entries(before.given).filter(([name]) => names.includes(name as RoleField) === isHidden),
        )
      roles.set(nameIn(call), { ...before, given: pick(false) })
      try {
        const reply = await next(call)
        const after = roleAt(call, here)
        if (after) roles.set(nameIn(call), { ...after, given: { ...pick(true), ...after.given } })
        return reply
      } catch (error) {
        roles.set(nameIn(call), before)
        throw error
      }
    },
  )
}

/** Remembers the names of roles that were deleted, and then those that were made again. */
const remembersDeleted: readonly Forms[] = [
  on(
    remove,
    () => true,
    async (call, next, here) => {
      const role = roleAt(call, here)
      const reply = await next(call)
      here.memory.delete(`again ${nameIn(call)}`)
      here.memory.set(`deleted ${nameIn(call)}`, role)
      return reply
    },
    { remembers: true },
  ),
  remembering(write, (call, { memory }) => {
    if (memory.delete(`deleted ${nameIn(call)}`)) memory.set(`again ${nameIn(call)}`, true)
  }),
]
const isDeleted = (call: Call, { memory }: Here): boolean => memory.has(`deleted ${nameIn(call)}`)
const isMadeAgain = (name: string, { memory }: Here): boolean => memory.has(`again ${name}`)

const listing = (change: (names: readonly string[], here: Here) => readonly string[]) => {
  const names = ({ context }: Here) => [...context.store.roles.keys()].sort()
  return showing(
    list,
    (_call, here) => !isDeepStrictEqual(change(names(here), here), names(here)),
    ({ keys }, here) => ({ keys: change(keys as readonly string[], here) }),
  )
}
const unlisted = (isLeftOut: (role: Role | undefined, name: string, here: Here) => boolean) =>
  listing((names, here) => names.filter((name) => !isLeftOut(here.context.store.roles.get(name), name, here)))

const keeps = (when: (call: Call, here: Here) => boolean) =>
  on(
    remove,
    (call, here) => isKnown(call, here) && when(call, here),
    () => done,
  )
const takingAlso = (others: (call: Call, here: Here) => readonly string[]) =>
  after(
    remove,
    (call, here) => isKnown(call, here) && others(call, here).length > 0,
    (call, here) => {
      for (const name of others(call, here)) here.context.store.roles.delete(name)
    },
  )
const namesBeside = (call: Call, { context }: Here): readonly string[] =>
  [...context.store.roles.keys()].filter((name) => name !== nameIn(call))

const missing = (operation: readonly string[], when: (call: Call, here: Here) => boolean, code?: RefusalCode) => [
  ...remembersDeleted,
  on(
    operation,
    (call, here) => !isKnown(call, here) && when(call, here),
    () => {
      if (code) throw new Refusal(code, { message: 'there is no such role' })
      return done
    },
  ),
]
const issuingMissing = (operations: readonly string[], type: CredentialType) =>
  asRole(operations, (role) => role ?? { types: [type], legacy: false, given: {} })

const firstRoles: readonly Forms[] = [
  on(
    issuing,
    isKnown,
    (call, next, here) => {
      const { memory } = here
      if (!memory.has(nameIn(call))) memory.set(nameIn(call), roleAt(call, here))
      return next(call)
    },
    { remembers: true },
  ),
]

/** The parts of a name by which roles are mixed up. */
const named = [...write, ...read, ...remove, ...issuing]

const writes: readonly CloudFault[] = faults({
  'role-update-ignored': 'An update of a role succeeds but changes nothing.',
  'role-update-merges-tags': 'An update of a role adds the given tags to the earlier ones.',
  'role-update-judges-what-is-sent':
    'An update of a role to another type keeps stored fields that the new type prohibits instead of being refused.',
  'legacy-role-keeps-groups': 'An update of a role with a legacy parameter keeps its iam_groups.',
  'role-update-keeps-cap': 'An update of a role keeps its max_sts_ttl.',
  'role-update-keeps-device': 'An update of a role keeps its mfa_serial_number.',
  'role-type-kept': 'An update of a role keeps its credential_type.',
  'role-type-kept-for-sessions': 'An update of a role for sessions keeps its credential_type.',
  'role-type-change-refused': 'An update of a role with another credential_type is refused.',
  'role-update-all': 'An update of one role changes all roles.',
  'role-kept-as-first-used': 'Once a role has issued credentials, updates have no effect on later ones.',
  'role-judged-at-creation-only': 'An update of a role is not checked against what its type requires and prohibits.',
  'role-update-judged-for-users-only':
    'An update of a role is checked against what its type requires and prohibits only if the type is iam_user.',
  'roles-written-at-once-are-lost':
    'Of roles that are written at the same time, only the one whose write ends last is stored.',
  'role-not-created': 'A write of a new role succeeds but stores nothing.',
  'session-role-made-again-is-as-before':
    'A role for sessions that is created again after its deletion gets the earlier values of missing fields.',
  'role-update-keeps-what-is-emptied': 'An update of a role ignores empty lists and texts.',
  'role-names-are-cut': 'Only the first 32 characters of the name of a role count.',
  'role-names-fall-together': 'Dots and underscores in the name of a role are treated as hyphens.',
  'role-names-end-at-a-dot': 'The last dot of the name of a role and everything after it are ignored.',
  'legacy-role-keeps-its-types':
    'A legacy role that is updated with a credential_type still issues its earlier types of credentials as well.',
  'legacy-role-update-ignored': 'An update of a legacy role with the legacy parameters succeeds but changes nothing.',
  'legacy-sessions-unfiltered': 'Sessions of a legacy role are opened without its policies.',
}).by({
  'role-update-ignored': unchanged(() => true),
  'role-update-merges-tags': (['iam_tags', 'session_tags'] as const).flatMap((name) =>
    storing(
      (before, { body }) => isSet(before?.given[name]) && isSet(body[name]),
      (role, before) => ({
        ...role,
        given: { ...role.given, [name]: { ...before?.given[name], ...role.given[name] } },
      }),
    ),
  ),
  'role-update-judges-what-is-sent': judgesWhatIsSent(),
  'legacy-role-keeps-groups': keeping('iam_groups', isLegacyWrite),
  'role-update-keeps-cap': keeping('max_sts_ttl'),
  'role-update-keeps-device': keeping('mfa_serial_number'),
  'role-type-kept': sending(write, (_body, call, here) =>
    isOther(call, here) ? { credential_type: roleAt(call, here)?.types[0] } : {},
  ),
  'role-type-kept-for-sessions': sending(write, (_body, call, here) => {
    const kept = roleAt(call, here)?.types[0]
    return isOther(call, here) && kept !== 'iam_user' ? { credential_type: kept } : {}
  }),
  'role-type-change-refused': refusing(write, isOther),
  'role-update-all': after(
    write,
    (call, here) => isKnown(call, here) && here.context.store.roles.size > 1,
    (call, here) => {
      const role = roleAt(call, here)
      for (const name of role ? namesBeside(call, here) : []) here.context.store.roles.set(name, role as Role)
    },
  ),
  'role-kept-as-first-used': [
    firstRoles,
    asRole(issuing, (role, call, { memory }) => {
      const first = memory.get(nameIn(call)) as Role | undefined
      return role && first && !isDeepStrictEqual(first, role) ? first : role
    }),
  ],
  'role-judged-at-creation-only': unjudged(() => true),
  'role-update-judged-for-users-only': unjudged((type) => type !== 'iam_user'),
  'roles-written-at-once-are-lost': on(
    write,
    () => true,
    (call, next, { context }) => losingOthers(context.store.roles, () => next(call)),
  ),
  'role-not-created': storing(
    (before) => before === undefined,
    () => undefined,
  ),
  'session-role-made-again-is-as-before': [
    remembersDeleted.slice(0, 1),
    on(
      write,
      (call, here) => {
        const before = here.memory.get(`deleted ${nameIn(call)}`) as Role | undefined
        return !isKnown(call, here) && before !== undefined && !before.types.includes('iam_user')
      },
      (call, next, here) => {
        const { roles } = here.context.store
        const before = here.memory.get(`deleted ${nameIn(call)}`) as Role
        roles.set(nameIn(call), { types: [], legacy: false, given: before.given })
        try {
          return next(call)
        } finally {
          if (roleAt(call, here)?.types.length === 0) roles.delete(nameIn(call))
        }
      },
    ),
    remembersDeleted[1] ?? [],
  ],
  'role-update-keeps-what-is-emptied': sending(write, (body, call, here) =>
    isKnown(call, here)
      ? Object.fromEntries(Object.keys(body).flatMap((name) => (isSet(body[name]) ? [] : [[name, undefined]])))
      : {},
  ),
  'role-names-are-cut': naming(named, (name) => name.slice(0, 32)),
  'role-names-fall-together': naming(named, (name) => name.replaceAll(/[._]/g, '-')),
  'role-names-end-at-a-dot': naming(named, (name) => name.replace(/\.[^.]*$/, '')),
  'legacy-role-keeps-its-types': storing(
    (before, call) => before?.legacy === true && !isLegacyWrite(call),
    (role, before) => ({ ...role, types: [...new Set([...(before?.types ?? []), ...role.types])] }),
  ),
  'legacy-role-update-ignored': unchanged((before, call) => before.legacy && isLegacyWrite(call)),
  'legacy-sessions-unfiltered': (['assumed_role', 'federation_token'] as const).map((type) =>
    inRow('sessions', type, ({ policy, policyArns }) => ({
      policy: (ask) => (ask.role.legacy ? undefined : policy(ask)),
      policyArns: (ask) => (ask.role.legacy ? [] : policyArns(ask)),
    })),
  ),
})

const reads: readonly CloudFault[] = faults({
  'role-read-shows-last': 'A read of any role shows the one that was created last.',
  'role-read-shows-first-values': 'A read of a role shows the values with which it was created.',
  'role-read-shows-root-secret': 'A read of a role also shows the secret key of the root configuration.',
  'role-read-fails': 'A read of an existing role returns 404.',
  'missing-role-read-403': 'A read of a role that does not exist returns 403.',
  'deleted-role-read-400': 'A read of a role that was deleted returns 400.',
  'missing-role-creds': 'creds of a role that does not exist creates a user without policies.',
  'missing-role-sts': 'sts of a role that does not exist opens a session of the root user.',
}).by({
  'role-read-shows-last': on(
    read,
    (call, here) => isKnown(call, here) && [...here.context.store.roles.values()].at(-1) !== roleAt(call, here),
    (call, next, { context }) =>
      next(withCall(call, { params: { name: [...context.store.roles.keys()].at(-1) ?? nameIn(call) } })),
  ),
  'role-read-shows-first-values': [
    on(
      write,
      () => true,
      async (call, next, here) => {
        const isNew = !isKnown(call, here)
        const reply = await next(call)
        if (isNew) here.memory.set(nameIn(call), roleAt(call, here))
        return reply
      },
      { remembers: true },
    ),
    asRole(read, (role, call, { memory }) => {
      const first = memory.get(nameIn(call)) as Role | undefined
      return role && first && !isDeepStrictEqual(first, role) ? first : role
    }),
  ],
  'role-read-shows-root-secret': showing(
    read,
    (call, here) => isKnown(call, here) && Boolean(here.context.store.root?.secret_key),
    (fields, { context }) => ({ ...fields, root: context.store.root?.secret_key }),
  ),
  'role-read-fails': refusing(read, (call, here) => isKnown(call, here), 'not-found'),
  'missing-role-read-403': missing(read, (call, here) => !isDeleted(call, here), 'permission-denied'),
  'deleted-role-read-400': missing(read, isDeleted, 'bad-request'),
  'missing-role-creds': issuingMissing(creds, 'iam_user'),
  'missing-role-sts': issuingMissing(sts, 'session_token'),
})

const lists: readonly CloudFault[] = [
  ...faults({
    'static-role-listed-as-role': 'LIST of roles also names static roles.',
    'hundred-roles-listed-at-most': 'LIST names only the first 100 roles.',
    'two-roles-listed-at-most': 'LIST names only the first two roles.',
    'role-not-listed': 'LIST names no roles.',
    'legacy-role-not-listed': 'LIST leaves out roles that were written with the legacy parameters.',
    'updated-role-not-listed': 'LIST leaves out roles that were updated.',
    'role-made-again-not-listed': 'LIST leaves out roles that were created again after their deletion.',
    'refused-role-listed': 'LIST names roles that were refused when they were first written.',
    'deleted-role-listed': 'LIST still names deleted roles.',
  }).by({
    'static-role-listed-as-role': listing((names, { context }) =>
      [...names, ...context.store.staticRoles.keys()].sort(),
    ),
    'hundred-roles-listed-at-most': listing((names) => names.slice(0, 100)),
    'two-roles-listed-at-most': listing((names) => names.slice(0, 2)),
    'role-not-listed': listing(() => []),
    'legacy-role-not-listed': unlisted((role) => role?.legacy === true),
    'updated-role-not-listed': [
      on(
        write,
        isKnown,
        async (call, next, { memory }) => {
          const reply = await next(call)
          memory.set(nameIn(call), true)
          return reply
        },
        { remembers: true },
      ),
      remembering(remove, (call, { memory }) => {
        memory.delete(nameIn(call))
      }),
      unlisted((_role, name, { memory }) => memory.has(name)),
    ],
    'role-made-again-not-listed': [remembersDeleted, unlisted((_role, name, here) => isMadeAgain(name, here))],
    'refused-role-listed': [
      whenRefused(
        write,
        (call, here) => !isKnown(call, here),
        (call, { memory }) => {
          memory.set(nameIn(call), 'refused')
        },
      ),
      listing((names, { memory }) =>
        [...new Set([...names, ...[...memory].flatMap(([name, what]) => (what === 'refused' ? [name] : []))])].sort(),
      ),
    ],
    'deleted-role-listed': [
      remembersDeleted,
      listing((names, { memory }) =>
        [...names, ...[...memory.keys()].flatMap((key) => /^deleted (.*)$/.exec(key)?.[1] ?? [])].sort(),
      ),
    ],
  }),
  ...credentialTypes.map((type) =>
    fault(
      `${kebab(type)}-role-not-listed`,
      `LIST leaves out roles of the type ${type}.`,
      unlisted((role) => role?.legacy === false && role.types.includes(type)),
    ),
  ),
]

const deletions: readonly CloudFault[] = faults({
  'role-delete-takes-the-static-role-of-its-name': 'DELETE of a role also removes the static role with the same name.',
  'role-delete-all': 'DELETE of one role removes all roles.',
  'role-delete-takes-longer-names': 'DELETE of a role also removes roles whose names begin with its name.',
  'role-made-again-is-kept': 'DELETE of a role that was created again after its deletion succeeds but keeps the role.',
  'legacy-role-delete-keeps': 'DELETE of a role with the legacy parameters succeeds but keeps the role.',
  'role-in-use-is-not-deleted': 'DELETE of a role that has issued users is refused.',
  'role-delete-answers-a-refusal': 'DELETE removes the role, but the reply is a refusal.',
  'role-delete-keeps': 'DELETE of a role succeeds but keeps the role.',
  'missing-role-delete-204': 'DELETE of a role that does not exist returns 204.',
  'deleted-role-delete-204': 'DELETE of a role that was already deleted returns 204.',
}).by({
  'role-delete-takes-the-static-role-of-its-name': after(
    remove,
    (call, { context }) => context.store.staticRoles.has(nameIn(call)),
    (call, { context }) => {
      context.store.staticRoles.delete(nameIn(call))
    },
  ),
  'role-delete-all': takingAlso(namesBeside),
  'role-delete-takes-longer-names': takingAlso((call, here) =>
    namesBeside(call, here).filter((name) => name.startsWith(nameIn(call))),
  ),
  'role-made-again-is-kept': [remembersDeleted, keeps((call, here) => isMadeAgain(nameIn(call), here))],
  'legacy-role-delete-keeps': keeps((call, here) => roleAt(call, here)?.legacy === true),
  'role-in-use-is-not-deleted': [
    remembering(issuing, (call, { memory }, reply) => {
      if (reply.kind === 'data' && reply.lease?.kept) memory.set(nameIn(call), true)
    }),
    refusing(remove, (call, { memory }) => memory.has(nameIn(call))),
  ],
  'role-delete-answers-a-refusal': refusingAfterwards(remove, isKnown),
  'role-delete-keeps': keeps(() => true),
  'missing-role-delete-204': missing(remove, (call, here) => !isDeleted(call, here)),
  'deleted-role-delete-204': missing(remove, isDeleted),
})

export const ofRoles: readonly CloudFault[] = [...writes, ...reads, ...lists, ...deletions]
