import { without } from '../../fixtures/bodies.ts'
import { faultyBundle } from '../../fixtures/pki/authorities.ts'
import type { SigningRequestFault } from '../../fixtures/pki/signing-requests.ts'
import type { Check, Exchange, JsonObject, Step, Witness } from '../../harness/vocabulary/index.ts'
import { check, list, lists, post, refused } from '../../harness/vocabulary/index.ts'
import { cutShort } from '../given.ts'
import { type CheckRow, rowsOf } from '../rows.ts'
import { issued } from './given/certificates.ts'
import {
  caStays,
  caWorks,
  configCa,
  csr,
  generateIntermediate,
  generateRoot,
  intermediateBody,
  intermediateSigned,
  issue,
  made,
  mounted,
  noneIssued,
  noRole,
  revoke,
  role,
  rootBody,
  rooted,
  rootedWith,
  setSigned,
  signer,
  signIntermediate,
  submittedRoot,
} from './given/given.ts'
import { crlStays } from './then/revocation.ts'
import { topic } from './topic.ts'

interface RefusalRow extends CheckRow {
  readonly given: readonly Step[]
  readonly when: Exchange
  readonly control: Exchange
  readonly witness: Witness
}

const two = [mounted(), mounted({ as: 'twin' })]
/** The mount has a CA: if a refused generation is carried out nevertheless, its only visible effect is that it replaces
 * the key of the CA. */
const twoWithCa = [...rootedWith(), mounted({ as: 'twin' }), generateRoot({}, 'internal', '{twin}')]
const request = [...signer, csr({ key: 'ecLeaf', commonName: 'csr.example' })]
const signing: JsonObject = { csr: '{csr}', common_name: 'intermediate.example', ttl: '12h' }

/** Requests that lack one required field; the control is the same request with it. */
const missing: readonly RefusalRow[] = rowsOf<RefusalRow>({
  'root-without-common-name-is-refused': {
    requirement: 'root.common-name.required',
    given: two,
    when: post('{mount}/root/generate/internal', without(rootBody(), 'common_name')),
    control: generateRoot({}, 'internal', '{twin}'),
    witness: caStays,
  },
  'intermediate-without-common-name-is-refused': {
    requirement: 'intermediate.common-name.required',
    given: twoWithCa,
    when: post('{mount}/intermediate/generate/internal', without(intermediateBody(), 'common_name')),
    control: generateIntermediate({}, 'internal', '{twin}'),
    witness: caWorks,
  },
  'sign-intermediate-without-common-name-is-refused': {
    requirement: 'sign-intermediate.common-name.required',
    given: request,
    when: post('{mount}/root/sign-intermediate', without(signing, 'common_name')),
    control: signIntermediate(),
    witness: noneIssued,
  },
  'sign-intermediate-without-csr-is-refused': {
    requirement: 'sign-intermediate.csr.required',
    given: request,
    when: post('{mount}/root/sign-intermediate', without(signing, 'csr')),
    control: signIntermediate(),
    witness: noneIssued,
  },
  'config-ca-without-bundle-is-refused': {
    requirement: 'config-ca.pem-bundle.required',
    given: [mounted(), submittedRoot()],
    when: post('{mount}/config/ca', {}),
    control: configCa('bundle'),
    witness: caStays,
  },
  'set-signed-without-certificate-is-refused': {
    requirement: 'set-signed.certificate.required',
    given: intermediateSigned,
    when: post('{mount}/intermediate/set-signed', {}),
    control: setSigned('{signed}'),
    witness: caStays,
  },
})

const badRequest = (fault: SigningRequestFault, row: Pick<RefusalRow, 'id' | 'requirement'>): RefusalRow => ({
  ...row,
  given: [...request, csr({ key: 'ecLeaf', commonName: 'csr.example', fault }, 'faulty')],
  when: signIntermediate({ csr: '{faulty}' }),
  control: signIntermediate(),
  witness: noneIssued,
})
const requests: readonly RefusalRow[] = [
  {
    id: 'sign-intermediate-of-no-csr-is-refused',
    requirement: 'sign-intermediate.csr.pem',
    given: request,
    when: signIntermediate({ csr: 'this is no CSR' }),
    control: signIntermediate(),
    witness: noneIssued,
  },
  badRequest('truncated', {
    id: 'sign-intermediate-of-a-truncated-csr-is-refused',
    requirement: 'sign-intermediate.csr.pem',
  }),
  badRequest('signature-wrong', {
    id: 'sign-intermediate-of-a-wrongly-signed-csr-is-refused',
    requirement: 'sign-intermediate.csr.signed',
  }),
]

const faults = {
  'key-foreign': { id: 'bundle-with-a-foreign-key-is-refused', requirement: 'mismatch' },
  'not-a-ca': { id: 'bundle-of-a-leaf-is-refused', requirement: 'leaf' },
  truncated: { id: 'truncated-bundle-is-refused', requirement: 'garbage' },
  garbage: { id: 'garbage-as-a-bundle-is-refused', requirement: 'garbage' },
} as const
const bundles: readonly RefusalRow[] = (Object.keys(faults) as (keyof typeof faults)[]).map((fault) => {
  const { id, requirement } = faults[fault]
  return {
    id,
    requirement: `config-ca.${requirement}-refused`,
    given: [mounted(), submittedRoot(), made('faulty', `a bundle with the fault ${fault}`, () => faultyBundle(fault))],
    when: configCa('faulty'),
    control: configCa('bundle'),
    witness: caStays,
  }
})

/** The body is not JSON. A server must not act on the part that it could parse. */
const malformed: readonly Check[] = (
  [
    ['role', 'role.write', role(), rooted(), refused(noRole, lists(list('{mount}/roles'), '{use}leaf'))],
    ['issue', 'issue', issue(), rootedWith(), refused(noneIssued)],
    ['revoke', 'revoke', revoke(), [...rootedWith(), issued()], refused(crlStays)],
  ] as const
).map(([id, row, exchange, given, then]) =>
  check(`${id}-with-a-malformed-body-is-refused`, {
    requirement: `pki.${row}.malformed-refused`,
    given,
    when: cutShort(exchange),
    then: [then],
    control: exchange,
  }),
)

const checks: readonly Check[] = [...missing, ...requests, ...bundles].map(({ id, requirement, witness, ...rest }) =>
  check(id, { requirement: `pki.${requirement}`, ...rest, then: [refused(witness)] }),
)

export default topic('pki/errors', {
  about: 'Requests with a missing or invalid field are refused, and the same requests without the fault succeed.',
  names: ['mount', 'twin'],
  checks: [...checks, ...malformed],
})
