/** Expectations of whole certificates and CSRs: they have all that is wanted, and nothing else. */
import { type Expectation, type Scope, StepFailed } from '../../../harness/vocabulary/index.ts'
import { address, type Certificate } from '../judge/certificate.ts'
import { pathTo } from '../judge/path.ts'
import { certificatesOf } from '../judge/reply.ts'
import { certificate, type Document, document, isBeyond, listed, sameSet, type Wrong } from './then.ts'

export interface WholeSans {
  readonly dns?: readonly string[]
  readonly email?: readonly string[]
  readonly ip?: readonly string[]
  readonly uri?: readonly string[]
  /** `<oid>;<value>`. */
  readonly other?: readonly string[]
}

export interface Whole extends WholeSans {
  readonly subject?: Readonly<Record<string, readonly string[]>>
  readonly permittedDns?: readonly string[]
  readonly pathLength?: number
  // The parts below are compared only if they are given: the documents leave them open for some certificates.
  readonly keyUsage?: readonly string[]
  readonly extKeyUsage?: readonly string[]
  readonly policies?: readonly string[]
  readonly issuerUrls?: readonly string[]
  readonly crlUrls?: readonly string[]
  readonly ocspUrls?: readonly string[]
}

type Part = readonly [at: string, held: readonly string[], wanted: readonly string[]]

const sansParts = ({ sans }: Document, whole: WholeSans): readonly Part[] => [
  ['DNS SAN', sans.dns, whole.dns ?? []],
  ['email SAN', sans.email, whole.email ?? []],
  ['IP SAN', sans.ip, (whole.ip ?? []).map(address)],
  ['URI SAN', sans.uri, whole.uri ?? []],
  ['custom SAN', sans.other.map(({ oid, value }) => `${oid};${value}`), whole.other ?? []],
]

/** The documents leave open what `serial_number` means in a subject (reading 12). */
const subjectParts = ({ subject }: Document, wanted: Whole['subject'] = {}): readonly Part[] =>
  [...new Set([...Object.keys(subject), ...Object.keys(wanted)])]
    .filter((name) => name !== 'serial_number')
    .map((name) => [`${name} of the subject`, subject[name] ?? [], wanted[name] ?? []])

const dotless = (names: readonly string[]): readonly string[] => names.map((name) => name.replace(/^\./, ''))

const given = (
  at: string,
  held: readonly string[] | undefined,
  wanted: readonly string[] | undefined,
): readonly Part[] => (wanted === undefined ? [] : [[at, held ?? [], wanted]])

function parts(found: Document, whole: Whole): readonly Part[] {
  const limit = found.basicConstraints?.pathLength
  return [
    ...subjectParts(found, whole.subject),
    ...sansParts(found, whole),
    ...given('key usage', found.keyUsage, whole.keyUsage),
    ...given('extended key usage', found.extKeyUsage, whole.extKeyUsage),
    ...given('policy', found.policies, whole.policies),
    ['permitted DNS name', dotless(found.permittedDns), dotless(whole.permittedDns ?? [])],
    [
      'path length',
      limit === undefined ? [] : [String(limit)],
      whole.pathLength === undefined ? [] : [String(whole.pathLength)],
    ],
    ...given('URL of the issuing certificate', found.issuerUrls, whole.issuerUrls),
    ...given('CRL distribution point', found.crlUrls, whole.crlUrls),
    ...given('OCSP server', found.ocspUrls, whole.ocspUrls),
  ]
}

const differing = (all: readonly Part[]): Wrong | undefined => {
  const wrong = all.filter(([, held, wanted]) => !sameSet(held, wanted))
  if (wrong.length === 0) return undefined
  const isMore = wrong.every(([, held, wanted]) => isBeyond(held, wanted))
  const saw = wrong.map(([at, held, wanted]) => `${at}: ${listed(held)} instead of ${listed(wanted)}`).join('; ')
  return { saw, ...(isMore ? { beyond: wrong.map(([at]) => at) } : {}) }
}

const whats = (whole: Whole): string => JSON.stringify(whole)

/** The certificate or CSR has exactly these names and rights. Other extensions may inform or restrict. */
export const wholeIs = (whole: Whole): Expectation =>
  document('whole document', `with ${whats(whole)}, and nothing else`, (found) => differing(parts(found, whole)))

/** The certificate or CSR has exactly these alternative names. */
export const sansAre = (whole: WholeSans): Expectation =>
  document('set of alternative names', `exactly ${whats(whole)}`, (found) => differing(sansParts(found, whole)))

function saved(scope: Scope, name: string): readonly Certificate[] {
  const found = certificatesOf(scope.value(name))
  if (found.length === 0) throw new StepFailed('saved-invalid', { name, what: 'a certificate' })
  return found
}

/** A relying party that trusts the last of these certificates, and has the others, verifies the path. */
export const verifiesBy = (...names: readonly [string, ...string[]]): Expectation =>
  certificate('path', `verified up to \`${names.at(-1)}\``, (found, { scope }) => {
    const known = names.flatMap((name) => saved(scope, name))
    const [trusted] = saved(scope, names.at(-1) ?? '')
    const path = pathTo(found, known)
    if ('at' in path) return `${path.at}: wanted ${path.wanted}; saw ${path.saw}`
    const top = path.certificates.at(-1)
    return trusted && top?.der.equals(trusted.der) ? undefined : `a path that ends below it`
  })
