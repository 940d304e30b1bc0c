import { mfaIdentity } from '../../fixtures/api/mfa.ts'
import { areaOf } from '../area.ts'
import { identityTopics as shared } from '../mfa/topics.ts'
import accessLogin from '../mfa-identity/access-login.ts'
import errors from '../mfa-identity/errors.ts'
import transitions from '../mfa-identity/transitions.ts'

/** The suite of this area, with its topics in reading order. */
export default areaOf(mfaIdentity, [transitions, shared.fields, shared.limits, errors, shared.access, accessLogin], {
  shared: { folder: 'mfa', topics: Object.values(shared) },
  frames: [
    {
      written: /^POST identity\/mfa\/method\/totp\/[^/]+$/,
      gone: 'mfa-identity.method.reads',
      changed: () => 'mfa-identity.method.reads',
    },
  ],
})
