import { mfaLegacy } from '../../fixtures/api/mfa.ts'
import { areaOf } from '../area.ts'
import { legacyTopics as shared } from '../mfa/topics.ts'

/** The suite of this area, with its topics in reading order. */
export default areaOf(mfaLegacy, [shared.transitions, shared.fields, shared.limits, shared.errors, shared.access], {
  shared: { folder: 'mfa', topics: Object.values(shared) },
  frames: [
    {
      written: /^POST sys\/mfa\/method\/totp\/[^/]+$/,
      gone: 'mfa-legacy.method.reads',
      changed: () => 'mfa-legacy.method.reads',
    },
  ],
})
