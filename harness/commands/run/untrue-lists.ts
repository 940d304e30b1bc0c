/** Holds it against a list that it names objects of the run that no longer exist: they were taken back, and reads of them
 * show that they are gone, so nothing was left behind. */
import type { CheckResult, Finding, Requirement } from '../../vocabulary/index.ts'
import { counted } from '../output/wording.ts'

export interface UntrueList {
  /** `LIST sys/policies/acl` */
  readonly asked: string
  readonly names: readonly string[]
}

interface Held {
  readonly results: readonly CheckResult[]
  /** What no selected check is about. */
  readonly findings: readonly Finding[]
}

/** Turns the first check of each untrue list that passed into a finding, unless another check of it has failed: that one
 * reports it already. */
export function heldAgainst(
  untrue: readonly UntrueList[],
  results: readonly CheckResult[],
  requirements: readonly Requirement[],
): Held {
  let changed = results
  const findings: Finding[] = []
  for (const { asked, names } of untrue) {
    const about = new Set(
      requirements
        .filter(({ level, requests = [] }) => level === 'must' && requests.some((request) => isMeant(request, asked)))
        .map(({ id }) => id),
    )
    const own = changed.filter(({ level, requirements: [first = ''] }) => level === 'must' && about.has(first))
    if (own.some(({ verdict }) => verdict === 'fail')) continue
    const [name = ''] = names
    const saw = `${counted(names.length, 'name')} of objects that no longer exist, such as ${name}`
    const blamed = own.find(({ verdict }) => verdict === 'pass')
    if (!blamed) {
      findings.push({ severity: 'warning', code: 'untrue-list', text: `${asked} shows ${saw}` })
      continue
    }
    const mismatch = { asked, at: '/data/keys', wanted: 'only names of objects that exist', saw, expectation: 0 }
    const failed: CheckResult = { ...blamed, verdict: 'fail', mismatches: [mismatch] }
    changed = changed.map((result) => (result === blamed ? failed : result))
  }
  return { results: changed, findings }
}

/** Returns whether a request of the documents, such as `LIST sys/plugins/catalog/:type`, is the one that was sent. */
function isMeant(request: string, asked: string): boolean {
  const [wanted, seen] = [request.split('/'), asked.split('/')]
  return wanted.length === seen.length && wanted.every((part, at) => part === seen[at] || /^:/.test(part))
}
