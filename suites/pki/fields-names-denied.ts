/** Checks of the denial table: each sends the cells of one option, under one role. */
import { about, type Check, check, type Expectation, type JsonObject } from '../../harness/vocabulary/index.ts'
import { type CheckRow, mutantsIn, requirementsIn } from '../rows.ts'
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

function deniesOthers({ id, option, mutants }: DenialRow): Check {
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
    mutants: mutantsIn('pki/', mutants),
  })
}

const checks = [
  deniesOthers({
    id: 'bare-domains-cover-no-other-name',
    option: 'bare',
    mutants: [
      'drops-dns-names',
      'drops-emails',
      'names-bare-matches-prefix',
      'names-bare-matches-subdomains',
      'names-bare-matches-suffix',
      'alt-names-not-matched',
      'alt-names-drop-what-does-not-match',
      'names-bare-matches-wildcards',
      'names-bare-matches-emails-below',
      'names-alt-names-match-below-any-domain',
      'role-allowed-uri-sans-default-any',
      'drops-uri-sans',
      'refusals-act',
    ],
  }),
  deniesOthers({
    id: 'subdomains-cover-no-other-name',
    option: 'subdomains',
    mutants: [
      'drops-emails',
      'names-subdomains-without-dot',
      'names-subdomains-never-match',
      'names-subdomains-one-level-only',
      'names-subdomains-match-anywhere',
      'alt-names-not-matched',
      'alt-names-drop-what-does-not-match',
      'names-alt-names-exclude-subdomains',
      'role-allowed-uri-sans-default-any',
      'drops-dns-names',
      'drops-uri-sans',
      'refusals-act',
    ],
  }),
  deniesOthers({
    id: 'globs-cover-no-other-name',
    option: 'globs',
    mutants: [
      'drops-emails',
      'names-glob-unanchored-start',
      'names-glob-never-matches',
      'names-glob-one-label-only',
      'names-glob-dots-match-any-letter',
      'names-glob-unanchored-end',
      'alt-names-not-matched',
      'alt-names-drop-what-does-not-match',
      'names-alt-names-exclude-globs',
      'role-allowed-uri-sans-default-any',
      'drops-dns-names',
      'drops-uri-sans',
      'refusals-act',
    ],
  }),
  deniesOthers({
    id: 'any-name-covers-host-names-only',
    option: 'anyName',
    mutants: [
      'hostnames-are-any-letters',
      'names-any-name-bound-by-allowed-domains',
      'names-any-name-skips-hostname-check',
      'hostnames-not-enforced-in-cn',
      'hostnames-hold-stars-anywhere',
      'wildcards-hold-several-stars',
      'hostnames-hold-long-labels',
      'hostnames-hold-no-hyphens',
      'role-allowed-uri-sans-default-any',
      'drops-uri-sans',
      'refusals-act',
    ],
  }),
  deniesOthers({
    id: 'localhost-covers-no-other-name',
    option: 'localhost',
    mutants: [
      'drops-dns-names',
      'drops-emails',
      'localhost-includes-look-alikes',
      'alt-names-not-matched',
      'alt-names-drop-what-does-not-match',
      'localhost-includes-subdomains',
      'localhost-includes-names-around-it',
      'role-allowed-uri-sans-default-any',
      'drops-uri-sans',
      'refusals-act',
    ],
  }),
  deniesOthers({
    id: 'allowed-uris-cover-no-other-name',
    option: 'uris',
    mutants: [
      'drops-dns-names',
      'drops-emails',
      'uri-sans-not-matched',
      'alt-names-not-matched',
      'alt-names-drop-what-does-not-match',
      'drops-uri-sans',
      'uri-sans-dots-match-any-letter',
      'uri-sans-matched-by-beginning',
      'refusals-act',
    ],
  }),
  deniesOthers({
    id: 'allowed-custom-sans-cover-no-other',
    option: 'others',
    mutants: [
      'other-sans-values-not-matched',
      'other-sans-oids-not-matched',
      'other-sans-any-type',
      'drops-other-sans',
      'other-sans-values-matched-by-beginning',
      'other-sans-oids-matched-by-beginning',
      'refusals-act',
    ],
  }),
  deniesOthers({
    id: 'ip-sans-cover-addresses-only',
    option: 'addresses',
    mutants: [
      'ip-sans-not-validated',
      'ip-sans-of-version-6-not-validated',
      'ip-sans-may-be-networks',
      'drops-ip-sans',
      'drops-ipv6-sans',
      'refusals-act',
    ],
  }),
]

export default topic('pki/fields-names-denied', {
  about: 'Names that resemble those which an option of a role allows, by kind of name and way to miss.',
  names: ['mount'],
  checks,
})
