import { mismatch, post, refused, succeeds, topic } from '../../harness/vocabulary/index.ts'
import { needs } from './provider.ts'
import {
  adoptedUser,
  configured,
  keyIn,
  periods,
  readStatic,
  staticBody,
  staticCreds,
  staticPath,
  withUser,
  writeStatic,
} from './static-roles.ts'
import { check } from './witnessed.ts'
import { accountStays, staticRoleStays } from './witnesses.ts'

const kept = 'cloud/refused-write-is-kept'
const without = (name: string) => Object.fromEntries(Object.entries(staticBody()).filter(([field]) => field !== name))

const refusals = (
  [
    ['username-is-required', 'username.required', without('username'), 'username-optional'],
    ['rotation-period-is-required', 'period.required', without('rotation_period'), 'period-optional'],
    ['rotation-period-of-59-seconds-is-refused', 'period.minimum', staticBody({ rotation_period: 59 }), 'period-59'],
  ] as const
).map(([id, requirement, body, mutant]) =>
  check(id, {
    requirement: `cloud.static-role.${requirement}`,
    needs,
    given: withUser(),
    when: post(staticPath, body),
    then: [refused(staticRoleStays, accountStays)],
    control: writeStatic(),
    mutants: [`cloud/static-${mutant}`, kept, 'cloud/refusals-call'],
  }),
)

const taken = (
  [
    ['rotation-period-of-60-seconds', 'period.minute', 60, 'period-60-refused'],
    ...periods.map(([id, value]) => [`rotation-period-as-${id}`, `period.${id}`, value, `period-no-${id}s`] as const),
  ] as const
).map(([id, requirement, value, mutant]) =>
  check(`${id}-is-accepted`, {
    requirement: `cloud.static-role.${requirement}`,
    needs,
    given: withUser(),
    when: writeStatic({ rotation_period: value }),
    then: [succeeds],
    mutants: [
      `cloud/static-${mutant.replace('durations', 'strings')}`,
      ...(value === 60 ? ['cloud/static-period-no-numbers'] : []),
    ],
  }),
)

export default topic('cloud/fields-static-roles', {
  about: 'What a static role must have, and what is read of it.',
  names: ['mount'],
  checks: [
    ...refusals,
    ...taken,
    check('static-role-is-read', {
      requirement: 'cloud.static-role.reads',
      needs,
      given: configured({ rotation_period: 3600 }),
      when: readStatic,
      then: [succeeds],
      mutants: ['cloud/static-read-fails'],
    }),
    check('static-creds-hold-the-key-of-the-user', {
      requirement: 'cloud.static-role.creds',
      needs,
      given: [...withUser(), writeStatic({ rotation_period: 3600 })],
      when: staticCreds,
      then: [
        {
          words: 'the reply holds a key of the user',
          async judge({ reply, scope }) {
            if (keyIn(reply, await adoptedUser(scope)) !== undefined) return undefined
            return mismatch(reply, 'body', 'a key of the user', `none of them; status ${reply.status}`)
          },
        },
      ],
      mutants: ['cloud/static-other-creds', 'cloud/static-no-key-at-first'],
    }),
    check('static-creds-of-a-missing-role-are-refused', {
      requirement: 'cloud.static-creds.role-needed',
      needs,
      given: configured({ rotation_period: 3600 }),
      when: { ...staticCreds, path: '{mount}/static-creds/nobody' },
      then: [refused(accountStays)],
      control: staticCreds,
      mutants: ['cloud/static-missing-creds', 'cloud/refusals-call'],
    }),
    check('user-that-does-not-exist-is-not-adopted', {
      requirement: 'cloud.static-role.user-exists',
      needs,
      given: withUser(),
      when: writeStatic({ username: 'nobody' }),
      then: [refused(staticRoleStays, accountStays)],
      control: writeStatic(),
      mutants: ['cloud/static-creates-user', 'cloud/refusals-call', kept],
    }),
  ],
})
