import type { Action, Expectation, Json, Reply } from '../../harness/vocabulary/index.ts'
import {
  check,
  DoesNotApply,
  del,
  fieldOf,
  get,
  isRefusal,
  isSuccess,
  keyed,
  keysOf,
  list,
  mismatch,
  next,
  notAsPrepared,
  notKeyed,
  notRefusal,
  notSuccess,
  refused,
  shown,
  topic,
} from '../../harness/vocabulary/index.ts'
import { action, issue, leafName, mounted, noneIssued, role, rooted, rootedWith, successOf } from './given.ts'
import { issuedFor, subjectIs } from './then.ts'

const read = get('{mount}/roles/leaf')
const deleted = del('{mount}/roles/leaf')
const listed = list('{mount}/roles')

/** Deleting one role leaves the other unchanged. */
const listsOnly = (there: string, gone: string): Expectation => ({
  words: `the list names \`${there}\` and not \`${gone}\``,
  judge(seen, before) {
    const found = notKeyed(gone).judge(seen, before)
    if (found || keysOf(seen.reply)?.includes(there)) return found
    return mismatch(
      seen.reply,
      'keys',
      `\`${there}\`, which was not deleted`,
      keysOf(seen.reply)?.join(', ') || 'no keys',
    )
  },
})

const [mine, others, known] = ['Org Of This Role', 'Org Of Another', 'Org By Which It Is Known']
/** The documents leave open which fields a read shows (reading 25), so a role is recognized by a value that only it
 * has. */
const showsOwn: Expectation = {
  words: `what is shown is of this role, not of another`,
  judge({ reply }) {
    if (!isSuccess(reply)) return notSuccess(reply)
    const field = fieldOf(reply, 'organization')
    if (reply.text.includes(others)) return mismatch(reply, 'body', mine, others)
    if (field !== undefined && !JSON.stringify(field).includes(mine))
      return mismatch(reply, 'organization', mine, shown(field))
    if (reply.text.includes(mine)) return undefined
    throw new DoesNotApply(`${reply.asked} shows nothing by which roles could be told apart`)
  },
}

/** The fields of the role table by which a role is recognized; other fields of a reply do not matter. */
const ofRoles = [
  'ttl',
  'max_ttl',
  'allow_localhost',
  'allowed_domains',
  'allow_any_name',
  'enforce_hostnames',
  'key_type',
  'key_bits',
  'organization',
] as const
const isNothing = (value: Json | undefined): boolean => !value || (Array.isArray(value) && value.length === 0)
const showsRole = (reply: Reply): boolean =>
  reply.text.includes(known) || ofRoles.some((name) => !isNothing(fieldOf(reply, name)))

/** `shown` says whether a read of `leaf` shows something; if it does not, an empty read proves nothing. */
const seenBefore: Action = action('the role `leaf` is read', ['shown'], [read], async (scope) => {
  scope.save('shown', showsRole(successOf(await scope.send(read))) ? 'something' : 'nothing')
})
/** A refusal, or a success that shows nothing (reading 55). */
const showsNoRole: Expectation = {
  words: 'the request is refused, or shows no role',
  judge({ reply, scope }) {
    if (isRefusal(reply)) return undefined
    if (!isSuccess(reply) || showsRole(reply)) return notRefusal(reply)
    if (scope.value('shown') === 'something') return undefined
    throw new DoesNotApply('reading a role succeeds and shows nothing, whether the role is there or not')
  },
}

/** Another check judges that each of them is listed; this one, that nothing else is. */
const listsNothingBut = (names: readonly string[]): Expectation => ({
  words: `the list names nothing but ${names.join(', ')}`,
  judge({ reply }) {
    const keys = keysOf(reply) ?? []
    const others = keys.filter((key) => !names.includes(key))
    if (others.length > 0) return mismatch(reply, 'keys', `nothing but ${names.join(', ')}`, keys.join(', '))
    if (keys.length > 0) return undefined
    throw notAsPrepared(mismatch(reply, 'keys', names.join(', '), 'none'), reply)
  },
})

export default topic('pki/transitions-roles', {
  about: 'Writing, reading, listing and deleting roles.',
  names: ['mount'],
  checks: [
    check('role-is-created-under-its-name', {
      requirement: 'pki.roles.created',
      given: rooted(),
      when: role({}, 'web-server'),
      then: [next(issue({}, 'web-server'), issuedFor(leafName))],
      mutants: ['pki/role-name-is-cut-at-a-hyphen'],
    }),
    check('role-update-takes-effect', {
      requirement: 'pki.roles.updated',
      given: rootedWith({ organization: 'Before' }),
      when: role({ organization: 'After' }),
      then: [next(issue(), subjectIs('organization', ['After']))],
      mutants: ['pki/role-update-ignored', 'pki/role-organization-ignored'],
    }),
    check('role-that-does-not-exist-is-not-read', {
      requirement: 'pki.roles.read',
      given: [mounted(), role({ organization: known }), seenBefore],
      when: get('{mount}/roles/lea'),
      then: [showsNoRole],
      control: read,
      mutants: ['pki/role-read-takes-a-longer-name'],
    }),
    check('role-is-read-as-itself', {
      requirement: 'pki.roles.read.own-fields',
      given: [
        mounted(),
        role({ organization: others }, 'other'),
        role({ organization: others }),
        role({ organization: mine }),
      ],
      when: read,
      then: [showsOwn],
      mutants: ['pki/role-read-gives-another', 'pki/role-update-ignored'],
    }),
    check('writing-a-role-leaves-another', {
      requirement: 'pki.roles.write.spares-others',
      given: [...rooted(), role({ organization: others }, 'other')],
      when: role({ organization: mine }),
      then: [next(issue({}, 'other'), subjectIs('organization', [others]))],
      mutants: ['pki/role-write-changes-others', 'pki/role-organization-ignored'],
    }),
    check('deleting-a-role-leaves-another', {
      requirement: 'pki.roles.deleted.spares-others',
      given: [...rootedWith(), role({ organization: others }, 'other')],
      when: deleted,
      then: [next(issue({}, 'other'), subjectIs('organization', [others]))],
      mutants: ['pki/role-delete-removes-others', 'pki/role-organization-ignored'],
    }),
    check('role-is-listed', {
      requirement: 'pki.roles.listed',
      given: [mounted(), role()],
      when: listed,
      then: [keyed('leaf')],
      mutants: ['pki/role-list-omits'],
    }),
    check('list-of-roles-names-roles-only', {
      requirement: 'pki.roles.names-only',
      given: [mounted(), role({}, 'other'), role()],
      when: listed,
      then: [listsNothingBut(['leaf', 'other'])],
      mutants: ['pki/role-list-names-more'],
    }),
    check('deleted-role-is-not-listed', {
      requirement: 'pki.roles.listed',
      given: [mounted(), role({}, 'other'), role()],
      when: deleted,
      then: [next(listed, listsOnly('other', 'leaf'))],
      mutants: ['pki/role-list-keeps-deleted', 'pki/role-delete-removes-others'],
    }),
    check('deleted-role-is-not-read', {
      requirement: 'pki.roles.deleted.unread',
      given: [mounted(), role({ organization: known }), seenBefore],
      when: deleted,
      then: [next(read, showsNoRole)],
      mutants: ['pki/role-delete-keeps-reading'],
    }),
    check('deleted-role-issues-nothing', {
      requirement: 'pki.roles.deleted.unused',
      given: [...rootedWith(), issue()],
      when: deleted,
      then: [next(issue(), refused(noneIssued))],
      mutants: ['pki/role-delete-keeps-issuing', 'pki/refusals-act'],
    }),
    check('role-that-does-not-exist-issues-nothing', {
      requirement: 'pki.issue.named-role',
      given: rootedWith(),
      when: issue({}, 'absent'),
      then: [refused(noneIssued)],
      control: issue(),
      mutants: ['pki/issue-under-any-role', 'pki/refusals-act'],
    }),
  ],
})
