import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { wireFaults } from '../../suites/faults.ts'
import { requirements, spellings } from '../../suites/index.ts'
import { isSpelled } from '../faults/spelled.ts'
import { hasNeighbours, shareOf } from '../ground/shares.ts'
import { NeighboursFirst } from '../run/sending/neighbours-first.ts'
import { loadDialect } from '../targets/dialects/index.ts'
import { exchangesOf, sentBy } from '../targets/sent-by.ts'
import { isWhole } from '../tools/prove/sampled.test-bed.ts'
import {
  addressOf,
  askedBy,
  type CheckResult,
  type Circumstance,
  type Exchange,
  post,
  requirementsOf,
  type SpellingSite,
  type Varied,
} from '../vocabulary/index.ts'
import { isCircumstance } from '../vocabulary/is-circumstance.ts'
import { type Answer, all, judgedBehind } from './behind.test-bed.ts'
import { respelled, type Spread } from './spellings.ts'
import { spreadOver } from './spread.ts'

const dialect = loadDialect('vault')
const spreadAnew = (seed: number, checks = all): Spread =>
  spreadOver(checks, { sites: spellings, dialect: loadDialect('vault'), requirements }, seed)

const seeds = isWhole ? [1, 2, 3, 4, 5] : [1, 2]

const rowOf = new Map(requirements.map((row) => [row.id, row]))

const spreads = new Map<number, Spread>()
/** Returns the spread over all checks, which takes half a second to compute. */
function spreadBy(seed: number): Spread {
  const spread = spreads.get(seed) ?? spreadAnew(seed)
  spreads.set(seed, spread)
  return spread
}

const sitesOf = (varied: readonly Varied[]) => varied.filter((one) => !isCircumstance(one)) as readonly SpellingSite[]

const siteOf = (id: string) => spellings.find((one) => one.id === id) ?? expect.fail(id)

/** Only checks that decide in which form a list may be sent send lists to the first of these endpoints. The others are
 * asked without a token by all checks. */
const unused = [
  ...['pki.intermediate.other-form', 'pki.sign-intermediate.other-form'],
  ...['dr-replication.status.no-token', 'performance-replication.status.no-token'],
]

describe('a spread', () => {
  test('has each spelling of each endpoint, for each seed', () => {
    for (const seed of seeds) {
      const used = new Set(Object.values(spreadBy(seed)).flatMap((varied) => sitesOf(varied).map(({ id }) => id)))
      expect(spellings.map(({ id }) => id).filter((id) => !used.has(id))).toEqual(unused)
    }
  })

  test('has each spelling of each field in a check that decides what the field does', () => {
    const decidersOf = ({ method, path }: SpellingSite, field: string) =>
      all
        .filter(({ check }) =>
          requirementsOf(check).some((id) => {
            const about = rowOf.get(id)
            return about?.field === field && about.requests?.includes(`${method} ${path}`)
          }),
        )
        .map(({ topic, check }) => ({ topic, check, address: addressOf(topic, check) }))
    const fields = spellings
      .filter(({ spelling }) => spelling !== 'written-default')
      .flatMap((site) => (site.fields ?? []).map((field) => ({ site, field, deciders: decidersOf(site, field) })))
    for (const seed of seeds)
      expect(
        fields
          .filter(({ site, deciders }) => {
            const isUsed = (spread: Spread) =>
              deciders.some(({ address }) => sitesOf(spread[address] ?? []).some(({ id }) => id === site.id))
            return !isUsed(spreadBy(seed)) && deciders.some((one) => isUsed(spreadAnew(seed, [one])))
          })
          .map(({ site, field }) => `${site.id} ${field}`),
      ).toEqual([])
  })

  test('of an area is the same whatever other areas there are', () => {
    const spread = Object.entries(spreadBy(1))
    for (const [area, checks] of Map.groupBy(all, ({ topic }) => topic.area))
      expect(spreadAnew(1, checks)).toEqual(
        Object.fromEntries(spread.filter(([check]) => check.startsWith(`${area}/`))),
      )
  })

  test('is the same for the same seed, and another for another seed', () => {
    expect(spreadAnew(1)).toEqual(spreadBy(1))
    expect(spreadBy(1)).not.toEqual(spreadBy(2))
  })

  test('writes out no default that a check decides', () => {
    const fieldsOf = new Map(requirements.map(({ id, field }) => [id, field]))
    const spread = spreadBy(1)
    const written = all.flatMap(({ topic, check }) => {
      const sites = sitesOf(spread[addressOf(topic, check)] ?? []).filter(
        ({ spelling }) => spelling === 'written-default',
      )
      return sites.flatMap(({ fields = [] }) => fields.map((field) => ({ field, check })))
    })
    expect(written.length).toBeGreaterThan(1000)
    expect(
      written.filter(({ field, check }) => requirementsOf(check).some((id) => fieldsOf.get(id) === field)),
    ).toEqual([])
  })

  test('writes out each default beside others that are left out', () => {
    const site = siteOf('pki.role.write.written-default')
    const written = Object.values(spreadBy(1)).flatMap((varied) =>
      sitesOf(varied).flatMap(({ id, fields = [] }) => (id === site.id ? [fields] : [])),
    )
    const [one = '', ...others] = site.fields ?? []
    expect(others.length).toBeGreaterThan(20)
    for (const other of others) {
      expect(written.some((fields) => fields.includes(one) && !fields.includes(other))).toBe(true)
      expect(written.some((fields) => !fields.includes(one) && fields.includes(other))).toBe(true)
    }
  })

  test('asks without a token at each open endpoint in many states, but not where that is decided', () => {
    const withoutToken = Object.entries(spreadBy(1)).filter(([, varied]) =>
      sitesOf(varied).some(({ id }) => id === 'pki.ca-pem.no-token'),
    )
    expect(withoutToken.length).toBeGreaterThan(50)
    expect(withoutToken.map(([check]) => check)).not.toContain('pki/access/ca-pem-is-bare-and-needs-no-token')
  })

  test('lets a check that decides a spelling use it for each seed', () => {
    for (const seed of [1, 2])
      expect(
        sitesOf(spreadBy(seed)['policies/fields/acl-name-comes-from-the-url'] ?? []).map(({ spelling }) => spelling),
      ).toEqual(['escaped-name'])
  })
})

describe('a request', () => {
  const write = {
    method: 'POST',
    path: '/v1/sys/policies/egp/assay-1-2-x',
    body: '{"paths":["a/*","b/*"],"policy":""}',
  }

  test('has its lists as text, with blanks', () =>
    expect(respelled(write, siteOf('policies.egp.write.blanks'))?.request.body).toBe(
      '{"paths":"a/*, b/*","policy":""}',
    ))

  test('has an escaped letter in its name', () =>
    expect(respelled(write, siteOf('policies.egp.write.escaped-name'))?.request.path).toBe(
      '/v1/sys/policies/egp/assay-1-2-%78',
    ))

  test('is left as it is where an entry has a blank of its own', () =>
    expect(
      respelled({ ...write, body: '{"paths":["a/*"," b/*"]}' }, siteOf('policies.egp.write.blanks')),
    ).toBeUndefined())

  const changed = (id: string, method: string, path: string, body: object) => {
    const sent = respelled({ method, path: `/v1/${path}`, body: JSON.stringify(body) }, siteOf(id))?.request.body
    return sent === undefined ? undefined : JSON.parse(sent)
  }

  test('has another unit, other separators, base64, and PEM with empty lines, CR LF, other keys or text', () => {
    const to = (path: string) => `assay-1-2-pki/${path}`
    expect(changed('pki.issue.duration', 'POST', to('issue/web'), { ttl: '2h' })).toEqual({ ttl: '120m' })
    expect(changed('pki.issue.duration', 'POST', to('issue/web'), { ttl: '90s' })).toBeUndefined()
    expect(changed('pki.revoke.serial', 'POST', to('revoke'), { serial_number: '17:2a' })).toEqual({
      serial_number: '17-2a',
    })
    expect(changed('policies.acl.write.base64', 'POST', 'sys/policies/acl/x', { policy: 'path "a" {}' })).toEqual({
      policy: 'cGF0aCAiYSIge30=',
    })
    const block = '-----BEGIN X-----\nAA==\n-----END X-----\n'
    expect(changed('pki.config-ca.pem-space', 'POST', to('config/ca'), { pem_bundle: block + block })).toEqual({
      pem_bundle: `\n${block}\n${block}  \n\n`,
    })
    expect(changed('pki.config-ca.pem-crlf', 'POST', to('config/ca'), { pem_bundle: block })).toEqual({
      pem_bundle: block.replaceAll('\n', '\r\n'),
    })
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const key = String(privateKey.export({ type: 'sec1', format: 'pem' }))
    const pkcs8 = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const bundle = (spelling: string, text: string) =>
      changed(`pki.config-ca.${spelling}`, 'POST', to('config/ca'), { pem_bundle: text })
    expect(bundle('pem-pkcs8', key + block)).toEqual({ pem_bundle: pkcs8 + block })
    expect(bundle('pem-pkcs8', block)).toBeUndefined()
    expect(bundle('pem-text', block)).toEqual({ pem_bundle: `# written by a program\n${block}` })
    expect(bundle('pem-text', key).pem_bundle).toMatch(/^#.*\n-----BEGIN EC PARAMETERS-----\n/)
  })

  test.each([
    ['2h', true],
    ['40m', true],
    ['90m', true],
    ['7201s', false],
    ['1d', false],
  ])('with a duration of %s is no fault of the spelling before it is spelled otherwise', (ttl, canBeSpelled) => {
    const usual = { method: 'POST', path: '/v1/assay-1-2-cloud/sts/x', body: JSON.stringify({ ttl }) }
    const fault = wireFaults().find(({ id }) => id === 'cloud/sts.ttl.duration/spelling-refused') ?? expect.fail()
    const sent = respelled(usual, siteOf('cloud.sts.duration'))?.request
    expect([isSpelled(usual, fault), sent !== undefined && isSpelled(sent, fault)]).toEqual([false, canBeSpelled])
  })

  test('has its defaults written out, or left out where they were written, unless it updates', () => {
    const site = siteOf('cloud.root.write.written-default')
    const sent = { method: 'POST', path: '/v1/assay-1-2-cloud/config/root', body: '{"region":"x"}' }
    expect(respelled(sent, site)?.request.body).toBe('{"region":"x","max_retries":-1}')
    expect(respelled(sent, site, false)).toBeUndefined()
    expect(respelled({ ...sent, body: '{"region":"x","max_retries":-1}' }, site)?.request.body).toBe('{"region":"x"}')
  })

  test('has no body instead of an empty object, and the other way round', () => {
    const site = siteOf('dr-replication.primary-demote.no-body')
    const demote = { method: 'POST', path: '/v1/sys/replication/dr/primary/demote', body: undefined }
    expect(respelled({ ...demote, body: '{}' }, site)?.request.body).toBeUndefined()
    expect(respelled(demote, site)?.request.body).toBe('{}')
  })
})

/** Returns a spread with nothing but circumstances of one kind. */
const only = (kind: Circumstance['id'], spread = spreadBy(1)): Spread =>
  Object.fromEntries(Object.entries(spread).map(([check, all]) => [check, all.filter(({ id }) => id === kind)]))

/** Returns the requirements of the checks that are judged in a circumstance. */
const decidedIn = (kind: Circumstance['id'], seed: number): ReadonlySet<string> => {
  const spread = only(kind, spreadBy(seed))
  const judged = all.filter(({ topic, check }) => spread[addressOf(topic, check)]?.length)
  return new Set(judged.flatMap(({ check }) => requirementsOf(check)))
}

describe('circumstances', () => {
  test.each(['other-caller', 'capitals'] as const)(
    '%s: each seed has every requirement that can be judged so',
    (kind) => {
      const [one, other] = [decidedIn(kind, 1), decidedIn(kind, 2)]
      expect(one.size).toBeGreaterThan(100)
      expect([...other].filter((id) => !one.has(id))).toEqual([])
    },
  )

  test('name objects in capital letters only where clients choose the name, and no list shows it', () => {
    const names = Object.fromEntries(
      Object.entries(only('capitals')).map(([check, varied]) => [
        check,
        varied.flatMap((one) => (isCircumstance(one) && one.id === 'capitals' ? one.names : [])),
      ]),
    )
    const isOther = (name: string) => /mount|user|domain/.test(name)
    expect(Object.values(names).filter((some) => some.some(isOther))).toEqual([])
    expect(names['policies/transitions/egp-list-names-what-exists']).toEqual([])
    expect(names['policies/access-egp-paths/egp-governs-writes']).toEqual(['policy'])
  })
})

describe('companions', () => {
  const companionsIn = (seed: number) =>
    all.flatMap(({ topic, check }) => {
      const varied = spreadBy(seed)[addressOf(topic, check)] ?? []
      const companions = varied.flatMap((one) => ('companions' in one ? one.companions : []))
      return companions.length > 0 ? [{ topic, check, companions }] : []
    })

  test('are other ones for each check and seed, and none where a check decides what they change', () => {
    const [one, other] = [companionsIn(1), companionsIn(2)]
    const fieldsOf = (some: typeof one) => some.map(({ companions }) => companions.map(({ field }) => field).join())
    expect(one.length).toBeGreaterThan(200)
    expect(new Set(fieldsOf(one)).size).toBeGreaterThan(50)
    expect(fieldsOf(other)).not.toEqual(fieldsOf(one))
    const isOfSubject = (id: string): boolean => id.includes('subject')
    const ofSubject = one.filter(({ check }) => requirementsOf(check).some(isOfSubject))
    expect(ofSubject.flatMap(({ companions }) => companions.filter(({ row }) => isOfSubject(row)))).toEqual([])
  })

  test('are not beside a request that is sent without a body', () => {
    for (const seed of seeds) {
      const spread = spreadBy(seed)
      const found = companionsIn(seed).flatMap(({ topic, check, companions }) =>
        sitesOf(spread[addressOf(topic, check)] ?? [])
          .filter(({ spelling, path }) => spelling === 'no-body' && !path.includes(':'))
          .map(({ method, path }) => companions.filter(({ to }) => to.test(`${method} ${path}`))),
      )
      expect(found.length).toBeGreaterThan(0)
      expect(found.flat()).toEqual([])
    }
  })
})

describe('neighbours', () => {
  const neighboursIn = (seed: number) =>
    all.flatMap(({ topic, check }) => {
      const varied = spreadBy(seed)[addressOf(topic, check)] ?? []
      const neighbours = varied.flatMap((one) => ('neighbours' in one ? one.neighbours : []))
      const isSharing = hasNeighbours(shareOf(topic, check, dialect)?.ground)
      return neighbours.length > 0 ? [{ topic, check, neighbours, isSharing }] : []
    })

  test('come before checks that share ground, and cost the others one request in 12 at most', () => {
    for (const seed of [1, 2]) {
      const found = neighboursIn(seed)
      const alone = found.filter(({ isSharing }) => !isSharing)
      for (const area of ['pki', 'cloud']) {
        const cost = alone
          .filter(({ topic }) => topic.area === area)
          .flatMap(({ neighbours }) => neighbours)
          .reduce((sum, { sends, repeats = 0, ahead = 0 }) => sum + sends.length + repeats + ahead, 0)
        const requests = all
          .filter(({ topic }) => topic.area === area)
          .reduce((sum, { check }) => sum + sentBy(check, dialect).length, 0)
        expect(cost).toBeGreaterThan(100)
        expect(cost).toBeLessThanOrEqual(requests / 12)
      }
      expect(found.length - alone.length).toBeGreaterThan(400)
    }
  })

  test('are of several kinds for a statement that several checks decide', () => {
    const kinds = new Map<string, Set<unknown>>()
    for (const { check, neighbours } of neighboursIn(1).filter(({ isSharing }) => !isSharing))
      for (const id of requirementsOf(check)) kinds.set(id, new Set([...(kinds.get(id) ?? []), ...neighbours]))
    expect([...kinds.values()].filter(({ size }) => size > 1).length).toBeGreaterThan(5)
  })

  test('have at hand only what their checks need', () => {
    const needing = neighboursIn(1).filter(({ neighbours }) => neighbours.some(({ needs }) => needs === 'provider'))
    expect(needing.length).toBeGreaterThan(30)
    expect(needing.filter(({ check }) => check.needs?.includes('provider') !== true)).toEqual([])
  })

  test('send the control ahead of a request that should be refused, if it has the same path', async () => {
    const exchange = post('{mount}/config/lease', { lease: 'soon' })
    const control = { ...exchange, body: { lease: '2h' } }
    const circumstance = { id: 'neighbours', neighbours: [{ before: /lease$/, sends: [], ahead: 2 }] } as const
    const first = new NeighboursFirst([circumstance], async (served) => ({ served, areDenied: false }))
    const ahead = (refuses: boolean, twin: Exchange | undefined) =>
      first.sendAhead(exchange, { refuses, control: twin })
    expect(await ahead(true, control)).toEqual([control, control])
    expect(await ahead(true, { ...control, path: '{twin}/config/lease' })).toEqual([])
    expect(await ahead(true, undefined)).toEqual([])
    expect(await ahead(false, undefined)).toEqual([exchange, exchange])
  })

  test('do not do before what a check compares with the state before it, unless it should be refused', () => {
    const done = [1, 2, 3, 4, 5].flatMap(neighboursIn).filter(({ check: { when, then }, neighbours }) => {
      const sent = neighbours.flatMap(({ sends }) => sends.map(askedBy))
      const compares = then.some(({ before }) => before) && !then.some(({ refuses }) => refuses)
      return compares && when.kind === 'exchange' && sent.includes(askedBy(when))
    })
    expect(done.map(({ topic, check }) => addressOf(topic, check))).toEqual([])
  })

  test('make no certificate where a check lists certificates or reads a CRL, unless it compares them with those before', () => {
    const looking = neighboursIn(1).filter(({ check: { given = [], when, then } }) =>
      [
        ...given.flatMap((step) => exchangesOf(step, dialect)),
        ...exchangesOf(when, dialect),
        ...then.flatMap(({ before, touches = [] }) => (before ? [] : touches)),
      ].some(({ path }) => /\/(certs|(?<!config\/)crl)/.test(path)),
    )
    expect(looking.length).toBeGreaterThan(10)
    const sent = looking.flatMap(({ neighbours }) => neighbours.flatMap(({ sends }) => sends))
    expect(sent.filter(({ path }) => /issue|generate|sign/.test(path))).toEqual([])
  })

  test('need nothing that the chosen checks do not do on their mounts', () => {
    const reading = all.filter(
      ({ topic, check }) =>
        topic.area === 'pki' && sentBy(check, dialect).every(({ method }) => method === 'POST' || method === 'GET'),
    )
    const spread = spreadAnew(1, reading)
    const sent = Object.values(spread).flatMap((varied) =>
      varied.flatMap((one) => ('neighbours' in one ? one.neighbours.flatMap(({ sends }) => sends) : [])),
    )
    expect(reading.length).toBeGreaterThan(100)
    expect(sent.filter(({ method }) => method !== 'POST' && method !== 'GET')).toEqual([])
  })
})

/** Returns a pattern of the checks of which some find what a server does wrong; with all others if everything is wanted. */
const someOf = (finding: RegExp, others: RegExp): RegExp =>
  isWhole ? new RegExp(`${finding.source}|${others.source}`) : finding

const sharing = all.filter(({ topic, check }) => shareOf(topic, check, dialect) !== undefined)
const fields = /^policies\/fields\//
const contradicted = (results: readonly CheckResult[]) =>
  results.flatMap(({ id, verdict, mismatches }) =>
    mismatches.map(({ requirement, saw }) => [id, verdict, requirement, /saw (\S+)/.exec(saw)?.[1]]),
  )

describe('a server', () => {
  test('that knows all spellings passes, with as many requests as without them', async () => {
    const spelled = await judgedBehind(fields, () => undefined, spreadBy(1))
    const plain = await judgedBehind(fields, () => undefined, {})
    expect(contradicted(spelled.results)).toEqual([])
    expect(spelled.requests.filter((asked) => asked.includes('%')).length).toBeGreaterThan(20)
    // The run makes a token for another caller.
    expect(spelled.requests.length).toBe(plain.requests.length + 3)
  })

  test('that refuses a spelling is told so once, by the check that decides it', async () => {
    const refuse: Answer = (asked) => (/^\w+ \S*%/.test(asked) ? [400, 'bad path'] : undefined)
    const { results } = await judgedBehind(fields, refuse, spreadBy(1))
    expect(contradicted(results)).toEqual([
      ['policies/fields/acl-name-comes-from-the-url', 'fail', 'policies.spelling.escaped-name', '400'],
    ])
    expect(results.filter(({ verdict }) => !['pass', 'fail', 'not-applicable'].includes(verdict))).toEqual([])
  })

  test('that asks for a token where none is needed, in one state only, is told so', async () => {
    const spread = Object.fromEntries(
      Object.entries(spreadBy(1)).map(([check, varied]) => [
        check,
        sitesOf(varied).filter(({ spelling }) => spelling === 'no-token'),
      ]),
    )
    const deleted = new Set<string>()
    const refuse: Answer = (asked, _, isOperator) => {
      const [, method, mount = '', path] = /^(\w+) \/v1\/(assay-[^/]+)\/(\S+)/.exec(asked) ?? []
      if (method === 'DELETE' && path === 'root') deleted.add(mount)
      return path === 'ca/pem' && deleted.has(mount) && !isOperator ? [403, 'permission denied'] : undefined
    }
    const { results } = await judgedBehind(
      someOf(/^pki\/transitions\//, /^pki\/transitions-authorities\//),
      refuse,
      spread,
    )
    expect(contradicted(results)).toEqual([
      [expect.any(String), 'fail', 'pki.ca-pem.unauthenticated', expect.anything()],
    ])
  })

  test('that fails in each spelling is told so by the sentence that it contradicts', async () => {
    const refuse: Answer = (asked) => (/^POST \S*policies\/acl/.test(asked) ? [400, 'no policies today'] : undefined)
    const { results } = await judgedBehind(fields, refuse, spreadBy(1))
    expect(contradicted(results).filter(([, , requirement]) => String(requirement).includes('spelling'))).toEqual([])
  })

  test('that knows no capital letters is told so once, by the sentence that it contradicts', async () => {
    const refuse: Answer = (asked) => (/^POST \S*-[A-Z]\w*$/.test(asked) ? [400, 'bad name'] : undefined)
    const { results } = await judgedBehind(fields, refuse, only('capitals'))
    const found = results.flatMap(({ verdict, mismatches }) => mismatches.map(({ saw }) => [verdict, saw]))
    expect(found).toEqual([['fail', expect.stringContaining('but only if names have a capital letter')]])
    expect(results.filter(({ verdict }) => !['pass', 'fail', 'not-applicable'].includes(verdict))).toEqual([])
  })

  test('that is wrong for other callers is told so, and one that denies them is not', async () => {
    const answers = async (status: number) => {
      const refuse: Answer = (asked, _, isOperator) =>
        /^POST \S*policies\/acl/.test(asked) && !isOperator ? [status, 'no'] : undefined
      const { results } = await judgedBehind(fields, refuse, only('other-caller'))
      return results.flatMap(({ verdict, mismatches }) => mismatches.map(({ saw }) => [verdict, saw]))
    }
    expect(await answers(400)).toContainEqual(['fail', expect.stringContaining('but only if a token other than')])
    expect(await answers(403)).toEqual([])
  })

  test('that lets no other caller make tokens for policies is not told so', async () => {
    const refuse: Answer = (asked, _, isOperator) =>
      /^POST \S*auth\/token\/create/.test(asked) && !isOperator ? [400, 'no subset of its own policies'] : undefined
    const { results } = await judgedBehind(/^policies\/access\/acl-update/, refuse, only('other-caller'))
    expect(results.flatMap(({ mismatches }) => mismatches)).toEqual([])
    expect(new Set(results.map(({ verdict }) => verdict))).toEqual(new Set(['pass']))
  })

  test('that is wrong for other callers who change the role of a cluster is told so, and one that denies them is not', async () => {
    const answers = async (status: number, refused = /^POST \S*\/primary\/enable/) => {
      const refuse: Answer = (asked, _, isOperator) => (refused.test(asked) && !isOperator ? [status, 'no'] : undefined)
      const pattern = /\/primary-enabled-anew-has-another-cluster-id$/
      const { results } = await judgedBehind(pattern, refuse, only('other-caller'))
      return results.map(({ verdict, mismatches: [first] }) => [verdict, first?.saw])
    }
    expect(await answers(400)).toContainEqual(['fail', expect.stringContaining('but only if a token other than')])
    const unsaid = Array(2).fill(['pass', undefined])
    expect(await answers(403)).toEqual(unsaid)
    // A server that knows the token no more may deny it with any status.
    expect(await answers(400, /\/primary\/enable|lookup-self/)).toEqual(unsaid)
  })

  test('that joined another one is asked by another caller as well', async () => {
    const address = 'performance-replication/transitions-secondary/secondary-disable-makes-it-disabled'
    const pattern = new RegExp(`^${address}$`)
    const { results } = await judgedBehind(pattern, () => undefined, { [address]: [{ id: 'other-caller' }] })
    const sent = results.flatMap(({ exchanges }) => exchanges).filter(({ url }) => url.endsWith('/secondary/disable'))
    expect(sent.map(({ words }) => words)).toEqual([expect.stringContaining('with a token of the planned policy')])
  })

  test('that is wrong after a deletion on the same mount is told so once, also if checks share the mount', async () => {
    const deleted = new Set<string>()
    const refuse: Answer = (asked) => {
      const [, method, mount = '', name] = /^(\w+) \/v1\/(assay-[^/]+)\/roles\/(\S+)/.exec(asked) ?? []
      if (method === 'DELETE') deleted.add(mount)
      return method === 'POST' && !String(name).includes('neighbour') && deleted.has(mount)
        ? [400, 'no more roles here']
        : undefined
    }
    const { results } = await judgedBehind(/^pki\/fields-lifetimes\//, refuse, only('neighbours'), sharing)
    const found = results.flatMap(({ verdict, onShared, mismatches }) =>
      mismatches.map(({ saw }) => [verdict, onShared, saw]),
    )
    const told = expect.stringContaining('but only if requests for other objects come first')
    expect(found).toEqual([['fail', expect.any(String), told]])
    expect(results.filter(({ verdict }) => !['pass', 'fail', 'not-applicable'].includes(verdict))).toEqual([])
  })

  test('that lets the token delete no root before a check is not told so', async () => {
    const deny: Answer = (asked) => (/^DELETE \S*\/root$/.test(asked) ? [403, 'permission denied'] : undefined)
    const some = someOf(/^pki\/fields-subject\//, /^pki\/fields-(lifetimes|keys)\//)
    const { results } = await judgedBehind(some, deny, only('neighbours'))
    expect(results.flatMap(({ mismatches }) => mismatches)).toEqual([])
    expect(new Set(results.map(({ verdict }) => verdict))).toEqual(new Set(['pass']))
  })

  test('that shows of a root only what another one had before is not told so, because none comes before', async () => {
    const rooted = new Set<string>()
    const shown = {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ data: { max_retries: 0 } })),
    }
    const hide: Answer = (asked) => {
      const [, method, mount = ''] = /^(\w+) \/v1\/(assay-[^/]+)\/config\/root$/.exec(asked) ?? []
      if (method === 'POST') rooted.add(mount)
      return method === 'GET' && rooted.has(mount) ? shown : undefined
    }
    const { results, requests } = await judgedBehind(
      /^cloud\/transitions\/root-is-not-validated$/,
      hide,
      only('neighbours'),
    )
    expect(requests.filter((asked) => /^POST \S*\/config\/root$/.test(asked))).toHaveLength(1)
    expect(results.map(({ verdict }) => verdict)).toEqual(['pass'])
  })

  test('that takes what it should refuse, but for the first object, is told so', async () => {
    const first = new Map<string, string>()
    const take: Answer = (asked, body) => {
      const [, mount = '', role = ''] = /^POST \/v1\/(assay-[^/]+)\/issue\/(\S+)/.exec(asked) ?? []
      if (!first.has(mount)) first.set(mount, role)
      return body.includes('soon') && first.get(mount) !== role ? [200, 'taken'] : undefined
    }
    const pattern = /^pki\/fields-lifetimes\/issue-ttl-must-be-a-duration/
    const { results } = await judgedBehind(pattern, take, only('neighbours'))
    expect(results.map(({ verdict }) => verdict)).toEqual(['warn'])
  })

  test('that is wrong beside a field that no check of it sends is told so once', async () => {
    const refuse: Answer = (asked, body) => {
      const { ou, country } = (body === '' ? {} : JSON.parse(body)) as {
        readonly ou?: unknown
        readonly country?: unknown
      }
      const isBoth = /^POST \S*\/roles\//.test(asked) && ou !== undefined && country !== undefined
      return isBoth ? [400, 'no country in a unit'] : undefined
    }
    const { results } = await judgedBehind(
      someOf(/^pki\/fields-lifetimes\//, /^pki\/fields-usages\//),
      refuse,
      only('companions'),
    )
    const found = results.flatMap(({ verdict, mismatches }) => mismatches.map(({ saw }) => [verdict, saw]))
    expect(found).toEqual([['fail', expect.stringContaining('but only if its requests have further fields')]])
  })

  test('that refuses a field is told so by the statement that requests may have it', async () => {
    const refuse: Answer = (asked, body) =>
      /^POST \S*\/root\/sign-intermediate/.test(asked) && body.includes('other_sans')
        ? [400, 'no other names here']
        : undefined
    const { results } = await judgedBehind(
      someOf(/^pki\/fields-lifetimes\//, /^pki\/fields-constraints\//),
      refuse,
      only('companions'),
    )
    expect(contradicted(results)).toEqual([
      [expect.any(String), 'fail', 'pki.sign-intermediate.other-sans.comma-list', expect.anything()],
    ])
    expect(results.filter(({ verdict }) => !['pass', 'fail', 'not-applicable'].includes(verdict))).toEqual([])
  })

  test('that refuses a spelling of a field that no check of it sends is told so by the statement of the spelling', async () => {
    const refuse: Answer = (asked, body) =>
      /^POST \S*\/roles\//.test(asked) && /"street_address":"[^"]*,\S/.test(body) ? [400, 'no text here'] : undefined
    const some = someOf(/^pki\/fields-sans\//, /^pki\/fields-signing\//)
    const { results } = await judgedBehind(some, refuse, spreadBy(1))
    expect(contradicted(results).map(([, , requirement]) => requirement)).toEqual(['pki.spelling.other-form'])
    expect(results.filter(({ verdict }) => !['pass', 'fail', 'not-applicable'].includes(verdict))).toEqual([])
  })

  test('whose root is written by the judged request is not asked to write it before', async () => {
    const address = 'cloud/transitions/root-is-not-validated'
    const repeats = { id: 'neighbours', neighbours: [{ before: /root$/, sends: [], repeats: 2 }] } as const
    const { results } = await judgedBehind(new RegExp(`^${address}$`), () => undefined, { [address]: [repeats] })
    expect(results.map(({ verdict }) => verdict)).toEqual(['pass'])
  })

  test('that takes the control of a refusal ahead is held to what that wrote', async () => {
    const address = 'cloud/fields-lease/lease-max-that-is-no-duration-is-refused'
    const ahead = { id: 'neighbours', neighbours: [{ before: /lease$/, sends: [], ahead: 2 }] } as const
    const pattern = new RegExp(`^${address}$`)
    const { results, requests } = await judgedBehind(pattern, () => undefined, { [address]: [ahead] })
    expect(results.map(({ verdict }) => verdict)).toEqual(['pass'])
    // One is given, one is judged, and the control follows.
    expect(requests.filter((asked) => /^POST .*\/config\/lease$/.test(asked))).toHaveLength(5)
  })

  test.each([
    ['without an authority', /^intermediate\/generate\/internal$/, /^pki\/fields-subject\//],
    ['with an authority', /^roles\/(?!\S*neighbour)/, /^pki\/fields-lifetimes\//],
  ])('that is wrong after what comes first on a shared mount %s is told so once', async (_, wrong, pattern) => {
    const deleted = new Set<string>()
    const refuse: Answer = (asked) => {
      const [, method, mount = '', path = ''] = /^(\w+) \/v1\/(assay-[^/]+)\/(\S+)/.exec(asked) ?? []
      if (method === 'DELETE' && path === 'root') deleted.add(mount)
      return method === 'POST' && wrong.test(path) && deleted.has(mount) ? [400, 'no more'] : undefined
    }
    const { results } = await judgedBehind(pattern, refuse, only('neighbours'), sharing)
    const found = results.flatMap(({ verdict, onShared, mismatches }) =>
      mismatches.map(({ saw }) => [verdict, onShared, saw]),
    )
    const told = expect.stringContaining('but only if requests for other objects come first')
    expect(found).toEqual([['fail', expect.any(String), told]])
  })
})
