// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how profiles name variables
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { assay, assayProcess, startAssay } from './commands/child.test-bed.ts'
import { sizeBounds } from './vocabulary/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-cli-'))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 'profile.yaml'), 'url: http://127.0.0.1:1\ntokn: x\n')
writeFileSync(
  join(folder, 'accepted.yaml'),
  '- { check: "polices/*", reason: old, owner: me, until: 2999-01-01, observed: "fail:0123456789ab" }\n',
)
writeFileSync(join(folder, 'no.json'), '{}')
writeFileSync(join(folder, 'broken.yaml'), 'url: [a\n')

/** Replaces the names of the files above by their paths. */
const placed = (text: string): string =>
  text.replace(/(?<!\S)(profile\.yaml|accepted\.yaml|no\.json|broken\.yaml)/, (file) => join(folder, file))

describe('help', () => {
  test.each(['run', 'serve', 'list', 'where', 'api', 'plan', 'clean', 'render', 'merge', 'accept', 'selftest', 'vet'])(
    'of %s has examples',
    async (name) => {
      const { code, out, err } = await assay([name, '--help'])
      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(out).toMatch(new RegExp(`Examples:\\n.*assay ${name}`))
    },
  )

  test('of assay itself lists the exit codes', async () => {
    const { code, out } = await assayProcess(['--help'])
    expect(code).toBe(0)
    expect(out).toContain('7 something was left behind')
  })
})

test('a success whose output is lost is none, and other exit codes stay as they are', async () => {
  const [full, policy] = ['exec > /dev/full', ['plan', '--area', 'policies', '--policy']]
  const { code, err } = await assayProcess(policy, {}, undefined, full)
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringMatching(/^assay: the output cannot be written \(ENOSPC\): send it elsewhere/m),
  })
  const unreachable = ['run', 'http://127.0.0.1:1', '--check', 'policies/errors/*', '--json', '--out', folder]
  expect((await assayProcess(unreachable, { ASSAY_TOKEN: 'unused' }, undefined, full)).code).toBe(5)
})

test('an error that nothing handles is a defect of the suite, and accuses no target', async () => {
  const throws = `(name) => name === 'uncaughtException' && setImmediate(() => { throw new Error('broken') })`
  const breaks = `if (process.argv.includes('--supervised')) process.on('newListener', ${throws})`
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(breaks)}`
  const { code, err } = await startAssay(['serve', '--port', '0'], { NODE_OPTIONS }).ended
  expect({ code, err }).toEqual({ code: 6, err: expect.stringContaining('assay: Error: broken') })
})

test('commands that set V8 flags leave the compile cache of the others valid', async () => {
  const env = { TMPDIR: folder, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }
  for (const command of ['list', 'run']) await assayProcess([command, '--help'], env)
  for (const command of ['list', 'run']) {
    const { err } = await assayProcess([command, '--help'], env)
    expect(err).toContain('was accepted')
    expect(err).not.toContain('was rejected')
  }
})

describe('invalid input is reported in one line, with exit code 2', () => {
  test.each([
    [['bogus'], `unknown command 'bogus'; see "assay --help"`],
    [['rnu'], `unknown command 'rnu'; did you mean "run"?`],
    [['run', '--targt', 'x'], `unknown option '--targt'; did you mean "--target"?`],
    [['run', '--bogus'], `unknown option '--bogus'; see "assay run --help"`],
    [['run', '--level', 'mus'], 'There is no level "mus"; did you mean "must"?'],
    [['plan', '--safety', 'scope'], 'There is no safety class "scope"; did you mean "scoped"?'],
    [['run', '--token', 'hvs.secret'], 'set ASSAY_TOKEN'],
    [['run', '--token=hvs.secret'], 'set ASSAY_TOKEN'],
    [['run', '--target', 'http://hvs.secret@127.0.0.1:1'], 'contains user info'],
    [['run', '--target', 'http://127.0.0.1:1?t=hvs.secret'], 'query or fragment'],
    [['run', '--area', 'police'], 'There is no area "police"; did you mean "policies"?'],
    [['selftest', '--area', 'pki,mfa'], 'There is no area "mfa"; did you mean "mfa-legacy" or "mfa-identity"?'],
    [['run', '--area', 'secrets'], 'There is no area "secrets"; known are dr-replication, '],
    [['run', '--check', 'acl-list-names-what-exists'], 'mean "policies/transitions/acl-list-names-what-exists"?'],
    [
      ['run', '--area', 'policies', '--check', 'pki/*'],
      '"pki/*" matches only checks of pki, which --area policies leaves out: add --area pki, or leave --area out',
    ],
    [['run', '--accept', 'reports/published/openbao-2.6/known.yaml'], 'pass "--known openbao-2.6" instead of --accept'],
    [['run', '--known', 'openbao-26'], 'did you mean "openbao-2.6"'],
    [['run', '--last-failed', '--out', 'nowhere'], 'nowhere'],
    [['run', '--check', 'polices/*'], '"polices/*" matches no check; did you mean "policies/*"'],
    [
      ['where', 'policies/errors/acl-crate-without-policy-is-refused'],
      'mean "policies/errors/acl-create-without-policy',
    ],
    [['run', '--jobs', '0'], 'Give a whole number from 1 to 64'],
    [['run', '--jobs', String(sizeBounds.jobs.value + 1)], 'Give a whole number from 1 to 64'],
    [['run', '--shard', '4/3'], 'such as 1/3'],
    [['run', '--allow-disruptive', 'x'], 'add --safety disruptive'],
    [['run', '--safety', 'scoped', '--allow-disruptive', 'x'], 'add --safety disruptive'],
    [['run', '--format', 'pdf'], 'There is no format "pdf"; known are html, '],
    [['run', '--format', ''], 'It is empty: give a name, or leave it out'],
    [['run', '--check', ' , '], 'It is empty: give a name, or leave it out'],
    [['run', '--baseline', ''], 'It is empty: give a path, or leave it out'],
    [['run', '--accept', ' '], 'It is empty: give a path, or leave it out'],
    [['run', '--check', '!polices/*'], '"!polices/*" matches no check; did you mean "!policies/*"'],
    [['accept', '--from', 'no.json'], 'no.json is not a result of assay'],
    [['api', '--mount', 'kv=x'], 'There is no engine "kv"'],
    [['api', '--mount', 'pki'], 'such as pki=pki-internal'],
    [['api', '--out', 'missing/openapi.json'], 'missing/openapi.json cannot be written'],
    [['plan', '--profile', ''], 'It is empty: give a path, or leave it out'],
    [['serve', '--mutant', ''], 'It is empty: give a name, or leave it out'],
    [['serve', '--state', ''], 'It is empty: give a path, or leave it out'],
    [['plan', 'embeded'], 'unknown server "embeded"; did you mean "embedded"?'],
    [['run', 'a.yaml', '--profile', 'b.yaml'], 'a.yaml and --profile both name a target'],
    [['run', 'http://a', '--target', 'http://a'], 'the address and --target both name a target'],
    [['run', 'hvs.secret'], 'the address is not an http or https URL'],
    [['run', 'https://a/v1'], 'leave out "/v1", and give https://a ('],
    [['render', '.'], '. has no result.json and no events.jsonl: give the folder of a run'],
    [['render'], `missing required argument 'result'; see "assay render --help"`],
    [['list', 'extra'], `got 1: extra; see "assay list --help"`],
    [['run', '--profile', 'broken.yaml'], 'broken.yaml:2:1: this is not YAML: '],
    [['serve', '--port', '99999'], 'Give a whole number from 0 to 65535'],
    [['run', '--format', 'juint'], 'There is no format "juint"; did you mean "junit"?'],
    [['list', '--mutants', '--requirements'], "'--mutants' cannot be used with option '--requirements'"],
    [['run', '--profile', 'profile.yaml'], 'profile.yaml:2:1: unknown key "tokn"; did you mean "token"?'],
    [
      ['run', '--accept', 'accepted.yaml'],
      'accepted.yaml:1:12: "polices/*" matches no check; did you mean "policies/*"',
    ],
    [['run', '--baseline', 'no.json'], 'no.json is not a result of assay'],
    [['run', '--out', 'no.json'], '--out no.json cannot be written to'],
    [['run', '--record', 'no.json'], '--record no.json cannot be written to'],
    [['render', 'nowhere.json'], 'nowhere.json cannot be read (ENOENT)'],
    [['merge', 'no.json'], 'no.json is not a result of assay'],
    [['merge', 'suites'], 'suites is a folder, not a result.json: give suites/result.json'],
    [['serve', '--version', 'new'], 'such as 1.3.0'],
    [['serve', '--version', '99.1'], 'knows the versions from 0.8.0 to 1.'],
    [['serve', '--version', '0.5.2'], 'knows the versions from 0.8.0 to 1.'],
    [['serve', '--form', 'cloud=newest'], 'cloud has no form "newest": known are newer, older'],
    [['serve', '--form', 'clouds=newer'], 'unknown subject "clouds"; did you mean "cloud"?'],
    [['serve', '--tls-cert', 'x'], 'give both'],
    [['serve', '--plugin-dir', 'nowhere'], 'nowhere is not a directory'],
    [['serve', '--mutant', 'policies/acl-list-omit'], 'did you mean "policies/acl-list-omits"'],
    [['serve', '--mutant', 'xyz'], 'see "npx assay list --mutants"'],
    [['selftest', '--vary', '3..1'], 'such as 1..20'],
    [['selftest', '--mutants', '--difference', 'refusals-*'], '--difference is for --legal'],
    [['selftest', '--mutants', '--legal'], '--legal is a proof of its own'],
    [['selftest', '--legal', '--update'], '--update is for --faults and --mutants'],
    [['selftest', '--faults', '--check', 'policies/errors/*'], '--check is not for --faults'],
    [['selftest', '--drawn', '5', '--faults'], '--drawn goes only with --area'],
    [['selftest', '--seed', '5'], '--seed is for --drawn'],
    [['selftest', '--drawn', '99999', '--area', 'mfa-legacy'], 'ask for fewer than 99999'],
  ])('%j', async (args, words) => {
    const { code, out, err } = await assay(args.map(placed))
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(placed(words))
    expect(err).toMatch(/^assay: [^\n]+\n$/)
    expect(err).not.toContain('hvs.secret')
  })

  test('a call without arguments shows the commands', async () => {
    const { code, err } = await assayProcess([])
    expect(code).toBe(2)
    expect(err).toContain('Usage: assay')
  })
})

test('clean without a journal is not an error, and says that there is nothing to clean', async () => {
  const { code, out } = await assay(['clean', '--out', 'nowhere'])
  expect({ code, out }).toEqual({ code: 0, out: 'nothing to clean: there is no folder nowhere\n' })
})

describe('list and plan', () => {
  test('list names checks with their rows in the documents', async () => {
    const { code, out } = await assay(['list', '--check', 'policies/errors/*'])
    expect(code).toBe(0)
    expect(out).toMatch(/^policies\/errors\/\S+ {2}\(must, scoped\)/m)
    expect(out).toContain('— Replication and Policy Management API, ')
    const requirements = (await assay(['list', '--requirements', '--area', 'mfa-legacy'])).out
    expect(requirements).toContain('— TOTP Multi-Factor Methods and Cloud Credentials Engine API, ')
    expect(`${out}${requirements}`).not.toMatch(/— (document \d|undefined)/)
  })

  test('list prints all requirements as JSON, including open ones', async () => {
    const { out } = await assay(['list', '--area', 'policies', '--json'])
    const { checks, requirements } = JSON.parse(out)
    expect(checks.length).toBeGreaterThan(50)
    expect(requirements.some(({ level }: { level: string }) => level === 'info')).toBe(true)
  })

  test('list prints mutants, what each does and which checks notice it', async () => {
    const { code, out } = await assay(['list', '--mutants', '--area', 'policies'])
    expect(code).toBe(0)
    expect(out).toMatch(/^policies\/acl-list-omits {2}\(policies\)\n {4}\S.*\n {4}noticed by policies\/transitions\//m)
    expect(out).not.toContain('(pki)')
    expect(out).toMatch(/^\d+ mutants\n$/m)
  })

  test('list prints mutants as JSON, also for single checks', async () => {
    const check = 'policies/transitions/acl-list-names-what-exists'
    const { out } = await assay(['list', '--mutants', '--check', check, '--json'])
    const { mutants } = JSON.parse(out)
    expect(mutants).toContainEqual({
      id: 'policies/acl-list-omits',
      area: 'policies',
      does: expect.any(String),
      checks: [check],
    })
    for (const { checks } of mutants) expect(checks).toEqual([check])
  })

  test('plan shows methods and paths below the prefix of throw-away names', async () => {
    const { out } = await assay(['plan', '--check', 'policies/transitions/acl-create-is-read-back'])
    expect(out).toMatch(/POST +sys\/policies\/acl\/assay-\*/)
    expect(out).toMatch(/DELETE +sys\/policies\/acl\/assay-\*/)
    expect(out).toContain('1 check, ')
  })

  test('plan shows what the ceiling leaves out, and counts the requirements of the selected areas', async () => {
    const { out } = await assay(['plan', '--area', 'policies', '--safety', 'read-only'])
    expect(out).toMatch(
      /^above the ceiling: \d+ checks, scoped; .* unless it has --safety scoped\n {4}policies\/\S+\n/m,
    )
    const [, decided, of] = /; (\d+) of (\d+) requirements of policies decided\n$/.exec(out) ?? []
    expect(Number(of)).toBeGreaterThan(20)
    const { checks, above, requirements } = JSON.parse((await assay(['plan', '--area', 'policies', '--json'])).out)
    expect(requirements).toMatchObject({ areas: ['policies'], of: Number(of) })
    expect(requirements.decided).toBeGreaterThan(Number(decided))
    expect(checks.length).toBeGreaterThan(50)
    for (const one of above) expect(one.allow).toBe('--safety disruptive --allow-disruptive <cluster-id>')
  })

  test('plan leaves out what declared facts rule out', async () => {
    const profile = join(folder, 'community.yaml')
    writeFileSync(profile, 'url: http://127.0.0.1:1\ndeclared: { edition: community }\n')
    const { out } = await assay(['plan', '--area', 'policies', '--profile', profile, '--json'])
    const ids: string[] = JSON.parse(out).checks.map(({ id }: { id: string }) => id)
    expect(ids.length).toBeGreaterThan(5)
    expect(ids.filter((id) => id.includes('/rgp-create'))).toEqual([])
  })
})

describe('a profile whose variables and files do not all exist', () => {
  const profile = join(folder, 'variables.yaml')
  writeFileSync(
    profile,
    [
      'url: https://${env:HOST}:8200',
      'token: ${env:OPERATOR_TOKEN}',
      'tls: { ca: "${env:CA_FILE}" }',
      'keyShares: ["${env:SHARE}"]',
      'pluginFiles: [{ command: a, sha256: "${env:SUM}" }]',
      'declared: { edition: "${env:EDITION}", version: 1.3.0 }',
      'clusters: [{ name: two, url: http://127.0.0.1:1, tokenFile: two.txt }]',
    ].join('\n'),
  )
  const names = 'HOST, OPERATOR_TOKEN, CA_FILE, SHARE, SUM, EDITION'

  test.each([[[]], [['--policy']], [['--json']]])(
    'plan %j works without them, and says which a run needs',
    async (flags) => {
      const { code, out, err } = await assay(['plan', '--profile', profile, '--area', 'policies', ...flags])
      expect({ code, err }).toEqual({
        code: 0,
        err: `assay: a run also needs these variables, which are not set: ${names}, and these files, which are not there: two.txt\n`,
      })
      expect(out).not.toContain('${env')
    },
  )

  test('an unknown fact rules nothing out, a known one does', async () => {
    const planned = async (env: NodeJS.ProcessEnv) => (await assay(['plan', '--profile', profile, '--json'], env)).out
    expect(await planned({})).toContain('/rgp-create')
    expect(await planned({ EDITION: 'community' })).not.toContain('/rgp-create')
  })

  test('plan still rejects other mistakes', async () => {
    const wrong = join(folder, 'wrong.yaml')
    writeFileSync(wrong, 'url: http://a\ntoken: ${env:OPERATOR_TOKEN}\ndeclared: { edition: gold }\n')
    const { code, err } = await assay(['plan', '--profile', wrong])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/:3:\d+: "declared\.edition" must be one of/) })
  })

  test('run rejects it', async () => {
    const { code, err } = await assay(['run', '--profile', profile])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('HOST is not set: export it first') })
  })
})

test('a reader that stops early ends a command without an error', async () => {
  const child = startAssay(['list', '--json'])
  child.process.stdout?.destroy()
  expect(await child.ended).toMatchObject({ code: 0, err: '' })
})
