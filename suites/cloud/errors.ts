import { refused, status } from '../../harness/vocabulary/index.ts'
import { anyRole, creds, deleteRole, mountedAlone, readRole, rooted, sts } from './given.ts'
import { topic } from './topic.ts'
import { check, checkAtProvider } from './witnessed.ts'
import { accountStays } from './witnesses.ts'

/** Another role exists, so the refusal can only be due to the missing role. */
const other = 'other'

export default topic('cloud/errors', {
  about: 'Requests about roles that do not exist.',
  checks: [
    check('reading-a-missing-role-answers-404', {
      requirement: 'cloud.role.read-missing',
      given: [...mountedAlone(), ...anyRole('iam_user', other)],
      when: readRole(),
      then: [status(404)],
      control: readRole(other),
    }),
    check('deleting-a-missing-role-answers-404', {
      requirement: 'cloud.role.delete-missing',
      given: [...mountedAlone(), ...anyRole('iam_user', other)],
      when: deleteRole(),
      then: [status(404)],
      control: deleteRole(other),
    }),
    check('deleting-a-role-again-answers-404', {
      requirement: 'cloud.role.delete-missing',
      given: [...mountedAlone(), ...anyRole('iam_user'), ...anyRole('iam_user', other), deleteRole()],
      when: deleteRole(),
      then: [status(404)],
      control: deleteRole(other),
    }),
    checkAtProvider('missing-role-gives-no-credentials', {
      requirement: 'cloud.creds.role-needed',
      given: [...rooted(), ...anyRole('iam_user', other)],
      when: creds(),
      then: [refused(accountStays)],
      control: creds(other),
    }),
    checkAtProvider('missing-role-gives-no-session', {
      requirement: 'cloud.sts.role-needed',
      given: [...rooted(), ...anyRole('federation_token', other)],
      when: sts(),
      then: [refused(accountStays)],
      control: sts({}, other),
    }),
  ],
})
