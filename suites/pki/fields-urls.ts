import type { Check, Exchange, JsonObject, Reply } from '../../harness/vocabulary/index.ts'
import { check, DoesNotApply, fieldOf, get, isSuccess, post, shortfall } from '../../harness/vocabulary/index.ts'
import { expectation } from '../records.ts'
import {
  configCa,
  csr,
  deleteRoot,
  generateRoot,
  issue,
  mounted,
  role,
  rootedWith,
  rootGeneration,
  signer,
  signIntermediate,
  submittedRoot,
} from './given/given.ts'
import { either } from './given/in-turn.ts'
import { type UrlField, urlFields, urlsAre, urlsOfAll } from './then/extensions.ts'
import { listed, sameSet } from './then/then.ts'
import { topic } from './topic.ts'

const kebab = (field: string): string => field.replaceAll('_', '-')
/** Paths keep their capital letters. */
const [one, two] = ['http://one.example/X', 'http://two.example/X']
const all = (url: string): Readonly<Record<UrlField, readonly string[]>> => ({
  issuing_certificates: [`${url}/ca`],
  crl_distribution_points: [`${url}/crl`],
  ocsp_servers: [`${url}/ocsp`],
})
const allOfOne = all(one)
/** Each field has two values. */
const allOfBoth = Object.fromEntries(
  urlFields.map((field) => [field, [...all(one)[field], ...all(two)[field]]]),
) as unknown as Readonly<Record<UrlField, readonly string[]>>
const write = (fields: JsonObject): Exchange => post('{mount}/config/urls', fields)
const read = get('{mount}/config/urls')
const writtenOnTwin = post('{twin}/config/urls', all(two))

/** Lists of revoked certificates are also kept in directories. */
const placeOf = (field: UrlField): string =>
  field === 'crl_distribution_points' ? 'ldap://one.example/cn=crl?certificateRevocationList' : one
const encoded: readonly Check[] = urlFields.map((field) =>
  check(`${kebab(field)}-are-encoded-into-certificates`, {
    requirement: `pki.config-urls.${kebab(field)}`,
    given: [...rootedWith(), ...(field === 'ocsp_servers' ? [mounted({ as: 'twin' }), writtenOnTwin] : [])],
    when: either(write({ [field]: [placeOf(field)] }), issue()),
    then: [urlsAre(field, [placeOf(field)])],
  }),
)

const several = [one, two, 'https://three.example:8443/X', 'http://four.example/X?of=four']
const forms = { array: { of: several }, 'comma-list': { of: several.join(',') } } as const
const lists: readonly Check[] = urlFields.flatMap((field) =>
  (Object.keys(forms) as (keyof typeof forms)[]).map((form) =>
    check(`${kebab(field)}-may-be-${form === 'array' ? 'an' : 'a'}-${form}`, {
      requirement: `pki.config-urls.${form}`,
      given: rootedWith(),
      when: either(write({ [field]: forms[form].of }), issue()),
      then: [urlsAre(field, several)],
    }),
  ),
)

/** A URL with a comma, as in the name of a directory entry. */
const directory = 'http://one.example/x/cn=crl,dc=example'
const withComma = check('url-in-an-array-may-hold-a-comma', {
  requirement: ['pki.config-urls.array', 'pki.config-urls.crl-distribution-points'],
  given: rootedWith(),
  when: either(write({ crl_distribution_points: [directory, one] }), issue()),
  then: [urlsAre('crl_distribution_points', [directory, one])],
})

const none: readonly string[] = []
const blanks: readonly Check[] = urlFields.map((field) =>
  check(`blank-removes-${kebab(field)}`, {
    requirement: 'pki.config-urls.blank',
    given: [...rootedWith(), write({ ...allOfOne })],
    when: either(write({ [field]: '' }), issue()),
    then: [urlsAre(field, [])],
  }),
)

const blankInRoots = check('blank-removes-a-value-from-roots', {
  requirement: 'pki.config-urls.blank',
  given: [mounted(), write({ ...allOfOne }), write({ crl_distribution_points: '' })],
  when: rootGeneration(),
  then: [urlsAre('crl_distribution_points', [])],
})

/** The configuration belongs to the mount, so it outlasts the CA at whose time it was written. */
const lasting: readonly Check[] = [
  check('urls-outlast-the-generation-of-a-root', {
    requirement: 'pki.config-urls.later',
    given: [mounted(), role(), write({ ...allOfOne }), generateRoot()],
    when: issue(),
    then: [urlsOfAll(allOfOne)],
  }),
  check('urls-outlast-a-deleted-root', {
    requirement: ['pki.config-urls.later', 'pki.spelling.other-form'],
    given: [...rootedWith(), write({ ...allOfOne }), deleteRoot, submittedRoot(), configCa('bundle')],
    when: issue(),
    then: [urlsOfAll(allOfOne)],
  }),
]

/** Returns the values, which a reply may have as an array or as one comma-separated string. */
function valuesOf(reply: Reply, field: UrlField): readonly string[] | undefined {
  const value = fieldOf(reply, field)
  if (typeof value === 'string') return value.split(',').map((url) => url.trim())
  return Array.isArray(value) ? value.map(String) : undefined
}

/** Every field, combined with every other field. */
const pairs = urlFields.flatMap((changed) =>
  urlFields.filter((field) => field !== changed).map((field) => ({ changed, field })),
)

const showsUrls = (wanted: Readonly<Record<UrlField, readonly string[]>>) =>
  expectation(`the values are ${JSON.stringify(wanted)}`, ({ reply }) => {
    const wrong = urlFields.filter((field) => !sameSet(valuesOf(reply, field) ?? [], wanted[field]))
    if (wrong.length === 0) return undefined
    if (isSuccess(reply) && urlFields.every((field) => (fieldOf(reply, field) ?? null) === null))
      throw DoesNotApply.shown(reply, `${reply.asked} shows none of the values`)
    const saw = wrong.map((field) => `${field}: ${listed(valuesOf(reply, field))}`).join('; ')
    return shortfall(reply, wrong.join(', '), JSON.stringify(wanted), saw)
  })

const others: readonly Check[] = [
  check('no-urls-are-set-by-default', {
    requirement: 'pki.config-urls.default',
    given: rootedWith(),
    when: issue(),
    then: [urlsOfAll({ issuing_certificates: none, crl_distribution_points: none, ocsp_servers: none })],
  }),
  check('urls-are-read-as-they-were-set', {
    requirement: 'pki.config-urls.reads',
    given: [mounted(), write({ ...allOfOne })],
    when: read,
    then: [showsUrls(allOfOne)],
  }),
  check('urls-are-read-as-they-were-changed', {
    requirement: 'pki.config-urls.reads',
    given: [mounted(), write({ ...allOfOne }), write({ ...all(two) })],
    when: read,
    then: [showsUrls(all(two))],
  }),
  ...pairs.map(({ changed, field }) =>
    check(`writing-${kebab(changed)}-leaves-${kebab(field)}`, {
      requirement: 'pki.config-urls.independent',
      given: [...rootedWith(), write({ [field]: [one] }), write({ [changed]: [two] })],
      when: issue(),
      then: [urlsAre(field, [one]), urlsAre(changed, [two])],
    }),
  ),
  ...pairs.map(({ changed, field }) =>
    check(`blanking-${kebab(changed)}-leaves-${kebab(field)}`, {
      requirement: 'pki.config-urls.independent',
      given: [...rootedWith(), write({ [field]: [one], [changed]: [two] }), write({ [changed]: '' })],
      when: issue(),
      then: [urlsAre(field, [one])],
    }),
  ),
  check('certificates-carry-the-urls-of-their-time', {
    requirement: 'pki.config-urls.later',
    given: [...rootedWith(), write({ ...allOfOne }), issue(), write({ ...all(two) })],
    when: issue(),
    then: [urlsOfAll(all(two))],
  }),
  ...urlFields.map((field) =>
    check(`generated-root-carries-${kebab(field)}`, {
      requirement: `pki.root.urls.${field === 'crl_distribution_points' ? 'crl' : 'others'}`,
      given: [mounted(), write({ ...allOfOne }), write({ ...allOfBoth })],
      when: rootGeneration(),
      then: [urlsAre(field, allOfBoth[field])],
    }),
  ),
  ...urlFields.map((field) =>
    check(`signed-intermediate-carries-${kebab(field)}`, {
      requirement: `pki.sign-intermediate.urls.${field === 'crl_distribution_points' ? 'crl' : 'others'}`,
      given: [
        ...signer,
        csr({ key: 'ecLeaf', commonName: 'csr.example' }),
        write({ ...allOfOne }),
        write({ ...allOfBoth }),
      ],
      when: signIntermediate(),
      then: [urlsAre(field, allOfBoth[field])],
    }),
  ),
  check('signed-intermediate-carries-crl-distribution-points-beside-csr-values', {
    requirement: 'pki.sign-intermediate.urls.crl',
    given: [...signer, csr({ key: 'ecLeaf', commonName: 'csr.example' }), write({ ...allOfBoth })],
    when: signIntermediate({ use_csr_values: true }),
    then: [urlsAre('crl_distribution_points', allOfBoth.crl_distribution_points)],
  }),
]

export default topic('pki/fields-urls', {
  about: 'The configuration of URLs, and the URLs in certificates.',
  names: ['mount', 'twin'],
  checks: [...encoded, ...lists, withComma, ...blanks, blankInRoots, ...lasting, ...others],
})
