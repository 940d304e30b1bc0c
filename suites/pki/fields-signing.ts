/** Document 2 names the signing of CSRs under a role without a path, so the dialect provides the path. */
import type { SigningRequest } from '../../fixtures/pki/signing-requests.ts'
import { check, type Expectation, type JsonObject, refused, type Step } from '../../harness/vocabulary/index.ts'
import { csr, noneIssued, role, rooted } from './given/given.ts'
import { either } from './given/in-turn.ts'
import { sign as signFor, signingIsServed, signPath } from './given/signing.ts'
import { strict } from './names.ts'
import { hasDnsSan, lacksDnsSan } from './then/extensions.ts'
import { keyIs, subjectIs } from './then/then.ts'
import { topic } from './topic.ts'

const [csrName, csrSan, asked] = ['csr.example.com', 'csr-san.example.com', 'asked.example.com']
const request = csr({ key: 'ecLeaf', commonName: csrName, dnsNames: [csrSan] })
const sign = (fields: JsonObject = {}, name = 'leaf') => signFor({ common_name: asked, ...fields }, name)

/** Shows that the target signs CSRs at all, under a role that sets every field that matters. */
const available: readonly Step[] = [
  role({ use_csr_common_name: true, use_csr_sans: true, allowed_uri_sans: ['*'] }, 'plain'),
  ...signingIsServed('plain'),
]

const signed = (id: string, requirement: string, fields: Parameters<typeof role>[0], then: Expectation) =>
  check(id, {
    requirement: `pki.role.${requirement}`,
    given: [...rooted(), request, ...available, signPath('leaf'), role(fields)],
    when: sign({ exclude_cn_from_sans: true }),
    then: [then],
  })

const ofValues = [
  signed(
    'common-name-is-that-of-the-csr-by-default',
    'use-csr-common-name.default',
    { use_csr_sans: false },
    subjectIs('common_name', [csrName]),
  ),
  signed(
    'common-name-can-be-that-of-the-request',
    'use-csr-common-name.off',
    { use_csr_common_name: false, use_csr_sans: false },
    subjectIs('common_name', [asked]),
  ),
  signed(
    'common-name-of-the-csr-brings-no-sans',
    'use-csr-common-name.not-sans',
    { use_csr_common_name: true, use_csr_sans: false },
    lacksDnsSan(csrSan),
  ),
  signed(
    'sans-are-those-of-the-csr-by-default',
    'use-csr-sans.default',
    { use_csr_common_name: true },
    hasDnsSan(csrSan),
  ),
  signed(
    'sans-of-the-csr-can-be-ignored',
    'use-csr-sans.off',
    { use_csr_common_name: false, use_csr_sans: false },
    lacksDnsSan(csrSan),
  ),
  signed(
    'sans-of-the-csr-bring-no-common-name',
    'use-csr-sans.not-common-name',
    { use_csr_common_name: false, use_csr_sans: true },
    subjectIs('common_name', [asked]),
  ),
]

/** The role allows the common name, but a SAN of only one of two CSRs. */
const mustBeAllowed = (what: string, names: Partial<SigningRequest>, fields: JsonObject) =>
  check(`${what}-of-a-csr-must-be-allowed`, {
    requirement: 'pki.errors.csr-sans-denied',
    given: [
      ...rooted(),
      csr({ key: 'ecLeaf', commonName: asked, ...names }),
      ...available,
      csr({ key: 'ecLeaf', commonName: asked, dnsNames: [asked] }, 'fitting'),
      signPath('leaf'),
      role({ ...fields, use_csr_common_name: false, use_csr_sans: true }),
    ],
    when: sign(),
    then: [refused(noneIssued)],
    control: sign({ csr: '{fitting}' }),
  })

const ofNames = [
  mustBeAllowed('sans', { dnsNames: [csrSan] }, { ...strict, allowed_domains: [asked], allow_bare_domains: true }),
  mustBeAllowed('ip-sans', { furtherNames: [{ type: 'ip', value: '192.0.2.7' }] }, { allow_ip_sans: false }),
  mustBeAllowed('uri-sans', { furtherNames: [{ type: 'url', value: 'https://csr.example/a' }] }, {}),
]

/** A role for keys of any type; its key size does not apply to CSRs. */
const any = { key_type: 'any', key_bits: undefined } as const
const anyKey = [
  { id: 'an-ec', key: 'ecLeaf', requirement: 'any-either', then: keyIs('ec', 256) },
  { id: 'an-rsa', key: 'rsa2048', requirement: 'any-either', then: keyIs('rsa', 2048) },
  { id: 'a-larger-ec', key: 'ec384', requirement: 'any-size', then: keyIs('ec', 384) },
  { id: 'a-larger-rsa', key: 'rsa3072', requirement: 'any-size', then: keyIs('rsa', 3072) },
] as const

/** A role for keys of one type, a CSR with a key of the other type, and one that fits. */
const ofOneType = [
  { type: 'rsa', fields: { key_type: 'rsa', key_bits: 2048 }, csr: '{csr}', fitting: '{rsaCsr}' },
  { type: 'ec', fields: {}, csr: '{rsaCsr}', fitting: '{csr}' },
] as const

const ofKeys = [
  ...ofOneType.map(({ type, fields, csr: other, fitting }) =>
    check(`role-of-${type}-keys-refuses-a-csr-with-another-key`, {
      requirement: 'pki.role.key-type.csr-of-that-type',
      given: [
        ...rooted(),
        request,
        ...available,
        csr({ key: 'rsa2048', commonName: csrName }, 'rsaCsr'),
        signPath('leaf'),
        role(fields),
      ],
      when: sign({ csr: other }),
      then: [refused(noneIssued)],
      control: sign({ csr: fitting }),
    }),
  ),
  ...anyKey.map(({ id, key, requirement, then }) =>
    check(`key-type-any-takes-${id}-csr`, {
      requirement: `pki.role.key-type.${requirement}`,
      given: [...rooted(), request, ...available, csr({ key, commonName: csrName }), signPath('leaf')],
      // The role is part of what is judged: it must be accepted, too.
      when: either(role(any), sign()),
      then: [then],
    }),
  ),
  check('key-type-any-takes-a-csr-with-an-rsa-key-above-1024-bits', {
    requirement: 'pki.role.key-type.any-rsa-above-1024-taken',
    given: [...rooted(), request, ...available, csr({ key: 'rsa1536', commonName: csrName }), signPath('leaf')],
    when: either(role(any), sign()),
    then: [keyIs('rsa', 1536)],
  }),
  check('key-type-any-refuses-a-csr-with-a-weak-rsa-key', {
    requirement: 'pki.role.key-type.any-rsa-above-1024',
    given: [
      ...rooted(),
      request,
      ...available,
      csr({ key: 'rsa1024', commonName: csrName }),
      csr({ key: 'rsa2048', commonName: csrName }, 'strong'),
      signPath('leaf'),
      role(any),
    ],
    when: sign(),
    then: [refused(noneIssued)],
    control: sign({ csr: '{strong}' }),
  }),
]

export default topic('pki/fields-signing', {
  about: 'The fields of a role that apply to certificates for CSRs, on the path that the dialect provides.',
  checks: [...ofValues, ...ofNames, ...ofKeys],
})
