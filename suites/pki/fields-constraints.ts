import { bundleOf, certified } from '../../fixtures/pki/authorities.ts'
import { basicConstraints } from '../../fixtures/pki/signing-requests.ts'
import type { Check, Exchange, JsonObject, Step } from '../../harness/vocabulary/index.ts'
import { check, next, refused } from '../../harness/vocabulary/index.ts'
import { type CheckRow, rowsOf } from '../rows.ts'
import {
  configCa,
  csr,
  generateRoot,
  issue,
  made,
  mounted,
  noneIssued,
  role,
  rooted,
  rootedWithin,
  rootGeneration,
  signer,
  signIntermediate,
} from './given/given.ts'
import { hasDnsSan, pathLengthIs, permitsSubdomainsAlone, permittedDnsAre } from './then/extensions.ts'
import { signedBy } from './then/then.ts'
import { topic } from './topic.ts'

const request = csr({ key: 'ecLeaf', commonName: 'csr.example' })
const ofCa = csr({ key: 'ecLeaf', commonName: 'csr.example', extension: basicConstraints.ofCa })

interface PathLengthRow extends CheckRow {
  /** The requested path length; if absent, the request leaves out the field. */
  readonly asks?: number
  readonly gives: number | undefined
}

const ofRoots: readonly Check[] = rowsOf<PathLengthRow>({
  'has-no-limit-by-default': { requirement: 'default', gives: undefined },
  'has-no-limit-for-minus-one': { requirement: 'unlimited', asks: -1, gives: undefined },
  'can-be-literally-zero': { requirement: 'zero', asks: 0, gives: 0 },
  'is-as-asked': { requirement: 'used', asks: 2, gives: 2 },
}).map(({ id, requirement, gives, ...row }) =>
  check(`root-path-length-${id}`, {
    requirement: `pki.root.max-path-length.${requirement}`,
    given: [mounted(), ...(gives === 0 ? [role()] : [])],
    when: rootGeneration(row.asks === undefined ? {} : { max_path_length: row.asks }),
    // A limit is for the intermediates below a CA. With none of them, it can still issue certificates.
    then: [pathLengthIs(gives), ...(gives === 0 ? [next(issue(), signedBy('ca'))] : [])],
  }),
)

/** Where the values of the certificate come from, which does not change what the path length means (readings, 84). The CSR
 * has no path length, not even where it asks for a CA, so the requested one does not contradict it. */
const modes = [
  { suffix: '', mode: {} },
  { suffix: '-beside-csr-values', mode: { use_csr_values: true } },
]

/** The signing CA has the path length `under`. */
const ofIntermediates: readonly Check[] = rowsOf<PathLengthRow & { readonly under?: number }>({
  'has-no-limit-by-default': { requirement: 'default', gives: undefined },
  'has-no-limit-for-minus-one': { requirement: 'unlimited', asks: -1, gives: undefined },
  'can-be-literally-zero': { requirement: 'zero', asks: 0, gives: 0 },
  'is-as-asked': { requirement: 'used', asks: 2, gives: 2 },
  'under-2-is-1-by-default': { requirement: 'one-less', under: 2, gives: 1 },
  'under-2-is-1-for-minus-one': { requirement: 'one-less', under: 2, asks: -1, gives: 1 },
  'under-1-is-0-for-minus-one': { requirement: 'one-less', under: 1, asks: -1, gives: 0 },
  'under-2-can-be-literally-zero': { requirement: 'zero', under: 2, asks: 0, gives: 0 },
  'under-3-is-1-as-asked': { requirement: 'used', under: 3, asks: 1, gives: 1 },
}).flatMap(({ id, requirement, gives, ...row }) =>
  modes.map(({ suffix, mode }) =>
    check(`intermediate-path-length-${id}${suffix}`, {
      requirement: `pki.sign-intermediate.max-path-length.${requirement}`,
      given: [...rootedWithin(row.under), row.under === undefined && suffix !== '' ? ofCa : request],
      when: signIntermediate({ ...(row.asks === undefined ? {} : { max_path_length: row.asks }), ...mode }),
      then: [pathLengthIs(gives)],
    }),
  ),
)

const bundleWithin = made('bundle', 'a bundle of a root with path length 2 and its key', async () =>
  bundleOf(await certified({ name: 'submitted.example', key: 'ecAuthority', pathLength: 2 })),
)
const underSubmitted = check('intermediate-path-length-under-a-submitted-2-is-1', {
  requirement: 'pki.sign-intermediate.max-path-length.one-less',
  given: [mounted(), bundleWithin, configCa('bundle'), request],
  when: signIntermediate(),
  then: [pathLengthIs(1)],
})

/** The CSR has no name constraints, so the requested ones do not contradict it. */
const besideCsrValues = check('intermediate-permitted-domains-hold-beside-csr-values', {
  requirement: 'pki.sign-intermediate.permitted-dns-domains.names',
  given: [...signer, request],
  when: signIntermediate({ permitted_dns_domains: 'one.example.com', use_csr_values: true }),
  then: [permittedDnsAre(['one.example.com'])],
})

const noneLeft = check('no-intermediate-below-path-length-zero', {
  requirement: 'pki.sign-intermediate.max-path-length.none-left',
  given: [
    ...rootedWithin(0),
    mounted({ as: 'twin' }),
    generateRoot({ max_path_length: 1 }, 'internal', '{twin}'),
    request,
  ],
  when: signIntermediate({ max_path_length: -1 }),
  then: [refused(noneIssued)],
  control: signIntermediate({ max_path_length: -1 }, '{twin}'),
})

const domains = ['One.example.com', 'two.example.com', 'three.example.com', 'Four.example.com']
const makers = {
  root: { given: [mounted()] as readonly Step[], ask: (fields: JsonObject) => rootGeneration(fields) },
  'sign-intermediate': { given: [...signer, request], ask: (fields: JsonObject): Exchange => signIntermediate(fields) },
} as const

const constrained = (maker: keyof typeof makers, id: string, requirement: string, asks: JsonObject[string]): Check =>
  check(`${maker}-permitted-domains-${id}`, {
    requirement: `pki.${maker}.permitted-dns-domains.${requirement}`,
    given: makers[maker].given,
    when: makers[maker].ask({ permitted_dns_domains: asks }),
    then: [permittedDnsAre(Array.isArray(asks) ? asks : String(asks).split(','))],
  })

const unconstrained = (maker: keyof typeof makers): Check =>
  check(`${maker}-permitted-domains-are-empty-by-default`, {
    requirement: `pki.${maker}.permitted-dns-domains.default`,
    given: makers[maker].given,
    when: makers[maker].ask({}),
    then: [permittedDnsAre([])],
  })

const ofDomains: readonly Check[] = [
  constrained('root', 'may-be-a-comma-list', 'comma-list', domains.join(',')),
  constrained('root', 'may-be-an-array', 'array', domains),
  unconstrained('root'),
  constrained('sign-intermediate', 'are-permitted', 'names', 'One.example.com'),
  constrained('sign-intermediate', 'may-begin-with-a-dot', 'leading-dot', '.example.com'),
  check('sign-intermediate-permitted-domains-with-a-dot-are-subdomains', {
    requirement: 'pki.sign-intermediate.permitted-dns-domains.subdomains-alone',
    given: makers['sign-intermediate'].given,
    when: makers['sign-intermediate'].ask({ permitted_dns_domains: '.example.com' }),
    then: [permitsSubdomainsAlone('example.com')],
  }),
  unconstrained('sign-intermediate'),
  check('root-permitted-domains-allow-their-subdomains', {
    requirement: 'pki.root.permitted-dns-domains.subdomains',
    given: [...rooted({ permitted_dns_domains: 'example.com' }), role()],
    when: issue({ common_name: 'a.example.com' }),
    then: [hasDnsSan('a.example.com')],
  }),
]

export default topic('pki/fields-constraints', {
  about: 'Path length and permitted names of roots and signed intermediates.',
  names: ['mount', 'twin'],
  checks: [...ofRoots, ...ofIntermediates, underSubmitted, besideCsrValues, noneLeft, ...ofDomains],
})
