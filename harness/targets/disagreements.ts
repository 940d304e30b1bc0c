/** Declared facts against observed ones. What is declared wins; that they differ is a finding. */
import type { Facts, Finding } from '../vocabulary/index.ts'

/** The numbers of a version: `1.14.0+ent` → `1.14.0`. */
const numbersOf = (version: string): string => /^v?(\d+(?:\.\d+)*)/.exec(version)?.[1] ?? version

/** `1.14` declared agrees with `1.14.3` observed. */
const versionsAgree = (declared: string, observed: string): boolean =>
  `${numbersOf(observed)}.`.startsWith(`${numbersOf(declared)}.`)

export function disagreements(declared: Facts, observed: Facts, evidence: Readonly<Record<string, string>>): Finding[] {
  const differ = (fact: 'version' | 'edition' | 'product', agree: (a: string, b: string) => boolean): Finding[] => {
    const [said, saw] = [declared[fact], observed[fact]]
    if (said === undefined || saw === undefined || agree(said, saw)) return []
    const text = `the profile declares ${fact} ${said}, the probe saw ${saw} (${evidence[fact] ?? 'no evidence'}): the declared one was used`
    return [{ severity: 'warning', code: 'fact-disagrees', text }]
  }
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  return [...differ('version', versionsAgree), ...differ('edition', same), ...differ('product', same)]
}
