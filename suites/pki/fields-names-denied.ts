/** Checks of the denial table: each sends the cells of one option, under one role. */
import { about, type Check, check, type Expectation, type JsonObject } from '../../harness/vocabulary/index.ts'
import { type CheckRow, requirementsIn } from '../rows.ts'
import { type Cell, denialOptions } from './denials.ts'
import { issue, role, rooted } from './given/given.ts'
import { eachAllowed, eachDenied, strict } from './names.ts'
import { topic } from './topic.ts'

/** Returns the requests of the cells with a verdict, by the row that decides them. Equal requests are sent once. */
function requestsOf(cells: readonly Cell[], wanted: 'denied' | 'allowed'): ReadonlyMap<string, readonly JsonObject[]> {
  const byRow = new Map<string, Map<string, JsonObject>>()
  for (const cell of cells) {
    if (cell.is !== wanted || !cell.asks) continue
    const requests = byRow.get(cell.row) ?? new Map<string, JsonObject>()
    byRow.set(cell.row, requests.set(JSON.stringify(cell.asks), cell.asks))
  }
  return new Map([...byRow].map(([row, requests]) => [row, [...requests.values()]]))
}

interface DenialRow extends Omit<CheckRow, 'requirement'> {
  readonly option: keyof typeof denialOptions
}

function deniesOthers({ id, option }: DenialRow): Check {
  const { role: fields, allowed, cells } = denialOptions[option]
  const [denied, granted] = [requestsOf(cells, 'denied'), requestsOf(cells, 'allowed')]
  const [first = [], ...more] = [...denied]
  const [row, [asked = {}, ...others] = []] = first
  const then: readonly Expectation[] = [
    about(`pki.${row}`, eachDenied(fields, [asked, ...others])),
    ...more.map(([other, requests]) => about(`pki.${other}`, eachDenied(fields, requests, 'sent'))),
    // What is allowed comes last, because its certificates are listed.
    ...[...granted].map(([other, requests]) => about(`pki.${other}`, eachAllowed(fields, requests))),
  ]
  return check(id, {
    requirement: requirementsIn('pki.', [...denied.keys(), ...granted.keys()]),
    given: [...rooted(), role({ ...strict, ...fields })],
    when: issue(asked),
    then: [then[0] as Expectation, ...then.slice(1)],
    control: issue(allowed),
  })
}

const checks = [
  deniesOthers({ id: 'bare-domains-cover-no-other-name', option: 'bare' }),
  deniesOthers({ id: 'subdomains-cover-no-other-name', option: 'subdomains' }),
  deniesOthers({ id: 'globs-cover-no-other-name', option: 'globs' }),
  deniesOthers({ id: 'any-name-covers-host-names-only', option: 'anyName' }),
  deniesOthers({ id: 'localhost-covers-no-other-name', option: 'localhost' }),
  deniesOthers({ id: 'allowed-uris-cover-no-other-name', option: 'uris' }),
  deniesOthers({ id: 'allowed-custom-sans-cover-no-other', option: 'others' }),
  deniesOthers({ id: 'ip-sans-cover-addresses-only', option: 'addresses' }),
]

export default topic('pki/fields-names-denied', {
  about: 'Names that resemble those which an option of a role allows, by kind of name and way to miss.',
  checks,
})
