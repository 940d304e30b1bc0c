/** Checks of lifetimes. */
import { check, type Expectation, post, refused, type Step } from '../../harness/vocabulary/index.ts'
import { action } from '../records.ts'
import {
  caPem,
  csr,
  generateRoot,
  issue,
  longRoot,
  mounted,
  noneIssued,
  noRole,
  role,
  rootBody,
  rooted,
  rootedWith,
  rootGeneration,
  rootShown,
  signIntermediate,
  submitted,
} from './given/given.ts'
import { either, issueUnder } from './given/in-turn.ts'
import { certificateOf } from './judge/reply.ts'
import { backdatedBy, livesFor, neverLonger } from './then/lifetimes.ts'
import { topic } from './topic.ts'

const hour = 3600
const request: Step = csr({ key: 'ecLeaf', commonName: 'csr.example' })
/** A mount with a short maximum lifetime, whose CA outlives every certificate. */
const bounded = submitted({ defaultTtl: '1h', maxTtl: '2h' })

/** More hours than fit into milliseconds of 32 bits, which are 596. */
const long = 700

/** Provides `{hours}`, as many `{minutes}`, and a `{bound}` above: 700 hours, or 2 if the root does not live longer than
 * 700. The maximum of the system may bound every lifetime, whatever that of the mount is. */
const longest = action(
  '`hours` are 700, or 2 if the root lives no longer',
  { touches: [caPem], provides: ['hours', 'minutes', 'bound'] },
  async (scope) => {
    const { notBefore = 0, notAfter = 0 } = certificateOf(await scope.send(caPem)) ?? {}
    const hours = (notAfter - notBefore) / 3_600_000 > long + 1 ? long : 2
    scope.save('hours', String(hours))
    scope.save('minutes', String(hours * 60))
    scope.save('bound', String(hours + 1))
  },
)
const livesLong: Expectation = {
  words: 'lifetime is `hours`',
  judge: (seen, before) => livesFor(Number(seen.scope.value('hours')) * hour).judge(seen, before),
}
/** Nothing bounds the lifetime by a default of the role. */
const unbounded = { max_ttl: '{bound}h' }

const suffixes = [
  { unit: 'seconds', suffix: 's', ttl: '5400s' },
  { unit: 'minutes', suffix: 'm', ttl: '90m' },
] as const

const ofRoles = [
  check('role-ttl-is-the-lifetime', {
    requirement: ['pki.role.ttl.used', 'pki.role.ttl.suffix-h'],
    given: [mounted(), longRoot, longest],
    when: issueUnder({ ttl: '{hours}h', ...unbounded }),
    then: [livesLong],
  }),
  ...suffixes.map(({ unit, suffix, ttl }) =>
    check(`role-ttl-may-be-in-${unit}`, {
      requirement: `pki.role.ttl.suffix-${suffix}`,
      given: rooted(),
      when: issueUnder({ ttl }),
      then: [livesFor(1.5 * hour)],
    }),
  ),
  check('role-ttl-may-be-below-a-minute', {
    requirement: ['pki.role.ttl.used', 'pki.role.ttl.suffix-s'],
    given: rooted(),
    when: issueUnder({ ttl: '45s' }),
    then: [livesFor(45)],
  }),
  check('system-default-is-used-without-ttl-and-max-ttl', {
    requirement: 'pki.role.ttl.default-system',
    given: [...rooted({}, { defaultTtl: '3h' }), role({ ttl: undefined })],
    when: issue(),
    then: [livesFor(3 * hour)],
  }),
  ...(
    [
      ['shorter-max-ttl-is-used-without-ttl', 'default-max-ttl', '120m', 2],
      ['shorter-system-default-is-used-without-ttl', 'default-shorter-system', '5h', 3],
    ] as const
  ).map(([id, row, max_ttl, hours]) =>
    check(id, {
      requirement: `pki.role.ttl.${row}`,
      given: [...rooted({}, { defaultTtl: '3h' }), role({ ttl: undefined, max_ttl })],
      when: issue(),
      then: [livesFor(hours * hour)],
    }),
  ),
  ...(
    [
      // The maximum holds whatever becomes of the certificate.
      ['no-certificate-outlives-max-ttl', '3h', {}],
      ['no-certificate-outlives-max-ttl-by-a-ttl-in-seconds', '10800s', { no_store: true }],
      ['no-certificate-outlives-max-ttl-by-a-ttl-in-minutes', '180m', { generate_lease: true }],
    ] as const
  ).map(([id, ttl, beside]) =>
    check(id, {
      requirement: 'pki.role.max-ttl.bounds',
      given: rootedWith({ ttl: '1h', max_ttl: '2h', ...beside }),
      when: issue({ ttl }),
      then: [neverLonger(2 * hour)],
      control: issue({ ttl: '2h' }),
    }),
  ),
  check('no-certificate-outlives-max-ttl-by-a-longer-role-ttl', {
    requirement: 'pki.role.max-ttl.bounds',
    // A server may refuse a role whose fields contradict each other.
    given: [...rooted(), role({ ttl: '1h', max_ttl: '2h' }, 'twin')],
    when: issueUnder({ ttl: '3h', max_ttl: '2h' }),
    then: [neverLonger(2 * hour)],
    control: issue({}, 'twin'),
  }),
  check('no-certificate-outlives-the-system-maximum', {
    requirement: 'pki.role.max-ttl.default',
    given: [...bounded, role()],
    when: issue({ ttl: '3h' }),
    then: [neverLonger(2 * hour)],
    control: issue({ ttl: '2h' }),
  }),
  check('role-ttl-must-be-a-duration', {
    requirement: 'pki.role.ttl.duration-only',
    // The root also outlives a certificate with the default lifetime, which a server may give where it ignores the ttl.
    given: [mounted(), longRoot],
    when: either(role({ ttl: 'soon' }), issue()),
    then: [refused(noneIssued, noRole)],
    control: role({ ttl: '1h' }),
  }),
  check('not-before-is-30-seconds-back-by-default', {
    requirement: 'pki.role.not-before-duration.default',
    given: rootedWith(),
    when: issue(),
    then: [backdatedBy(30, hour)],
  }),
  check('lifetime-counts-from-the-time-of-issue', {
    requirement: 'pki.role.not-before-duration.start',
    given: rootedWith({ not_before_duration: '10m' }),
    when: issue({ ttl: '1h' }),
    then: [livesFor(hour)],
  }),
  ...(
    [
      ['not-before-may-lie-back-less-than-by-default', 'used', 12],
      ['not-before-need-not-lie-back', 'zero', 0],
      ['not-before-lies-back-as-told', 'used', 3617],
    ] as const
  ).map(([id, row, seconds]) =>
    check(id, {
      requirement: `pki.role.not-before-duration.${row}`,
      given: rooted(),
      when: issueUnder({ not_before_duration: `${seconds}s` }),
      then: [backdatedBy(seconds, hour)],
    }),
  ),
]

// The requested lifetime equals the longest allowed one, which is still within the bound.
const ofIssue = [
  check('issue-ttl-is-the-lifetime', {
    requirement: 'pki.issue.ttl.used',
    given: rootedWith({ ttl: '1h', max_ttl: '2h' }),
    when: issue({ ttl: '2h' }),
    then: [livesFor(2 * hour)],
  }),
  check('issue-ttl-may-be-in-minutes', {
    requirement: 'pki.issue.ttl.used',
    given: [mounted(), longRoot, longest, role(unbounded)],
    when: issue({ ttl: '{minutes}m' }),
    then: [livesLong],
  }),
  check('issue-ttl-may-be-below-a-minute', {
    requirement: 'pki.issue.ttl.used',
    given: rootedWith(),
    when: issue({ ttl: '45s' }),
    then: [livesFor(45)],
  }),
  check('role-ttl-is-used-without-issue-ttl', {
    requirement: 'pki.issue.ttl.default-role',
    given: rootedWith({ ttl: '2h', max_ttl: '5h' }),
    when: issue(),
    then: [livesFor(2 * hour)],
  }),
  check('issue-ttl-must-be-a-duration', {
    requirement: 'pki.issue.ttl.duration-only',
    given: rootedWith(),
    when: issue({ ttl: 'soon' }),
    then: [refused(noneIssued)],
    control: issue({ ttl: '1h' }),
  }),
]

const { ttl: _, ...withoutTtl } = rootBody()
const untimed = (mount: string) => post(`${mount}/root/generate/internal`, withoutTtl)

const ofAuthorities = [
  check('root-ttl-is-the-lifetime', {
    requirement: 'pki.root.ttl.used',
    given: [mounted({ defaultTtl: '1h', maxTtl: '330m' })],
    when: rootGeneration({ ttl: '330m' }),
    then: [livesFor(5.5 * hour)],
  }),
  check('no-root-outlives-the-maximum', {
    requirement: 'pki.root.ttl.bounded',
    given: [mounted({ defaultTtl: '1h', maxTtl: '2h' }), mounted({ as: 'twin', defaultTtl: '1h', maxTtl: '5h' })],
    when: rootGeneration({ ttl: '3h' }),
    then: [neverLonger(2 * hour)],
    control: generateRoot({ ttl: '3h' }, 'internal', '{twin}'),
  }),
  check('no-root-outlives-the-maximum-by-default', {
    requirement: 'pki.root.ttl.default-bounded',
    given: [mounted({ defaultTtl: '1h', maxTtl: '2h' }), mounted({ as: 'twin' })],
    when: rootShown(untimed('{mount}')),
    then: [neverLonger(2 * hour)],
    control: untimed('{twin}'),
  }),
  check('sign-intermediate-ttl-is-the-lifetime', {
    requirement: 'pki.sign-intermediate.ttl.used',
    given: [...submitted({ defaultTtl: '1h', maxTtl: '330m' }), request],
    when: signIntermediate({ ttl: '330m' }),
    then: [livesFor(5.5 * hour)],
  }),
  check('signed-intermediate-may-outlive-its-ca', {
    requirement: 'pki.sign-intermediate.ttl.beyond-ca',
    given: [...rooted({ ttl: '3h', max_path_length: 5 }), request],
    when: signIntermediate({ ttl: '5h' }),
    then: [livesFor(5 * hour)],
  }),
  check('no-signed-intermediate-outlives-the-maximum', {
    requirement: 'pki.sign-intermediate.ttl.bounded',
    given: [...bounded, request],
    when: signIntermediate({ ttl: '3h' }),
    then: [neverLonger(2 * hour)],
    control: signIntermediate({ ttl: '2h' }),
  }),
  check('no-signed-intermediate-outlives-the-maximum-by-default', {
    requirement: 'pki.sign-intermediate.ttl.bounded',
    given: [...bounded, request],
    when: post('{mount}/root/sign-intermediate', { csr: '{csr}', common_name: 'intermediate.example' }),
    then: [neverLonger(2 * hour)],
    control: signIntermediate({ ttl: '2h' }),
  }),
]

export default topic('pki/fields-lifetimes', {
  about: 'How long certificates are valid, by role, request and system, and when their validity begins.',
  names: ['mount', 'twin'],
  checks: [...ofRoles, ...ofIssue, ...ofAuthorities],
})
