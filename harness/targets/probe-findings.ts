/** Makes the findings of the probe, which are about the target as a whole. */
import { type Blocker, type Facts, type Finding, newestVersion } from '../vocabulary/index.ts'
import { isLoopback } from './health.ts'
import type { ResolvedTarget } from './target.ts'

export function warnings(target: ResolvedTarget): Finding[] {
  const url = new URL(target.url)
  const isLocal = isLoopback(target.url)
  const insecure: Finding = {
    severity: 'warning',
    code: 'insecure',
    text: "the target's certificate was not verified (--insecure): anyone on the network path could have read the token",
  }
  const plain: Finding = {
    severity: 'warning',
    code: 'plain-text',
    text: `the token was sent to ${url.host} without TLS: use https outside of tests`,
  }
  return [
    ...(target.tls.insecure && url.protocol === 'https:' ? [insecure] : []),
    ...(url.protocol === 'http:' && !isLocal && target.token !== undefined ? [plain] : []),
  ]
}

export function unknowns(
  facts: Facts,
  edition: string,
  evidence: Readonly<Record<string, string>>,
  declared: Pick<Facts, 'product'>,
): Finding[] {
  const product = declared.product === undefined ? '"declared.product", or ' : ''
  const mends = [
    ['version', facts.version, 'the target does not report its version'],
    ['edition', facts.edition, `the edition is ${facts.editions?.join(' or ') ?? 'unknown'} (${edition})`],
  ] as const
  const newest: Finding = {
    severity: 'warning',
    code: 'judged-as-newest',
    text: `judged as the newest version (${evidence.judgedAs}): if that is wrong, declare ${product}"declared.compatibleWith" with a version of the documents' service`,
  }
  const isNewest = facts.judgedAs === newestVersion
  const unknown: readonly Finding[] = mends
    .filter(([fact]) => fact !== 'version' || !isNewest)
    .filter(([, value]) => value === undefined)
    .map(([fact, , reason]) => ({
      severity: 'warning',
      code: `${fact}-unknown`,
      text: `${reason}: declare "declared.${fact}" in a profile, else checks that depend on it are not verified`,
    }))
  return [...unknown, ...(isNewest ? [newest] : [])]
}

/** Makes the finding about an obstacle to all checks. A missing token is only a warning, because some checks need
 * none. */
export const blockerFinding = (
  { kind, reason, mend }: Blocker,
  { token }: ResolvedTarget,
  sealed?: boolean,
): Finding => ({
  severity: token === undefined && !sealed ? 'warning' : 'error',
  code: kind,
  text: `${reason}: ${mend}`,
})

/** Returns the numbers of a version: `1.14.0+ent` → `1.14.0`. */
const numbersOf = (version: string): string => /^v?(\d+(?:\.\d+)*)/.exec(version)?.[1] ?? version

/** A declared `1.14` agrees with an observed `1.14.3`. */
const versionsAgree = (declared: string, observed: string): boolean =>
  `${numbersOf(observed)}.`.startsWith(`${numbersOf(declared)}.`)

const disagreement = (
  fact: string,
  given: string,
  seen: string,
  evidence: Readonly<Record<string, string>>,
): Finding => ({
  severity: 'warning',
  code: 'fact-disagrees',
  text: `the profile declares ${fact} ${given}, but the probe saw ${seen} (${evidence[fact] ?? 'no evidence'}): the declared one was used`,
})

/** Returns a finding for each declared fact that differs from the observed one. The declared fact takes precedence. */
export function disagreements(declared: Facts, observed: Facts, evidence: Readonly<Record<string, string>>): Finding[] {
  const differ = (fact: 'version' | 'edition' | 'product', agree: (a: string, b: string) => boolean): Finding[] => {
    const [given, seen] = [declared[fact], observed[fact]]
    if (given === undefined || seen === undefined || agree(given, seen)) return []
    return [disagreement(fact, given, seen, evidence)]
  }
  const left = observed.editions
  const ruledOut: Finding[] =
    declared.edition === undefined || !left || left.includes(declared.edition)
      ? []
      : [disagreement('edition', declared.edition, left.join(' or '), evidence)]
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  return [...differ('version', versionsAgree), ...differ('edition', same), ...ruledOut, ...differ('product', same)]
}
