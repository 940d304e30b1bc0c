import { generateKeyPairSync } from 'node:crypto'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { validateResult } from '../reports/validate.ts'
import { faultsIn } from './attestation/faults.ts'
import { assay, assayProcess, startAssay } from './commands/child.test-bed.ts'
import { type ReferenceServer, startReference } from './targets/mock.ts'
import type { ResultDocument } from './vocabulary/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-runs-'))
let server: ReferenceServer
let ran = 0

beforeAll(async () => {
  server = await startReference({ rootToken: 's.root-token-of-these-tests' })
})
afterEach(async () => {
  server.loadMutants([])
  await server.reset()
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const out = (): string => join(folder, `out-${++ran}`)
const resultIn = (path: string): ResultDocument => JSON.parse(readFileSync(join(path, 'result.json'), 'utf8'))
const env = () => ({ ASSAY_TOKEN: server.rootToken })
const few = ['--check', 'policies/transitions/acl-*']
const listsAll = 'policies/transitions/acl-list-names-what-exists'
const one = ['--check', listsAll]

/** Sends a request to the server as its operator. */
async function operate(path: string, body: object): Promise<{ auth?: { client_token: string } }> {
  const reply = await fetch(`${server.url}/v1/${path}`, {
    method: 'POST',
    headers: { 'X-Vault-Token': server.rootToken },
    body: JSON.stringify(body),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${text}`)
  return text ? JSON.parse(text) : {}
}

async function clusterId(): Promise<string> {
  const health = (await (await fetch(`${server.url}/v1/sys/health`)).json()) as { cluster_id: string }
  return health.cluster_id
}

describe('run', () => {
  test('needs only the URL of a target, leaves nothing on it, and writes no token into files', async () => {
    const before = server.inventory()
    const to = out()
    const formats = 'html,json,junit,markdown,sarif,badge'
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const key = join(folder, 'sign.pem')
    writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const flags = ['--target', server.url, '--out', to, '--format', formats, '--sign', key]
    const ended = await assayProcess(['run', ...flags, ...few], env())
    expect(ended.code).toBe(0)
    expect(ended.out).toMatch(/^conformant \([\d,]+ left out\) {2}All [\d,]+ must/)
    expect(ended.out).toContain(`Report: ${join(to, 'report.html')}`)
    expect(server.inventory()).toEqual(before)
    expect(globSync('journal-*', { cwd: to })).toEqual([])
    const texts = [
      ended.out,
      ended.err,
      ...globSync('*', { cwd: to }).map((file) => readFileSync(join(to, file), 'utf8')),
    ]
    expect(texts.length).toBe(10)
    const attestation = JSON.parse(readFileSync(join(to, 'result.intoto.json'), 'utf8'))
    expect(faultsIn(resultIn(to), readFileSync(join(to, 'result.json')), attestation, publicKey)).toEqual([])
    const { command } = resultIn(to).run.conditions ?? {}
    expect(command).toBe(`npx assay run --target ${server.url} --check '${few[1]}' --level should --seed 1`)
    for (const text of texts) expect(text).not.toContain(server.rootToken)
    // Nothing is measured unless that is requested.
    expect(ended.out).not.toContain('What took longest')
    expect(resultIn(to).run.timings).toBeUndefined()
  })

  test('measures its parts if requested, and shows what took longest, also after a target that does not reply', async () => {
    const [to, both] = [out(), join(folder, 'both.yaml')]
    // Nothing listens on this port.
    writeFileSync(join(folder, 'dead.yaml'), 'url: http://127.0.0.1:1\nname: dead\n')
    writeFileSync(join(folder, 'alive.yaml'), `url: ${server.url}\nname: alive\n`)
    writeFileSync(both, 'targets: [dead.yaml, alive.yaml]\n')
    const tokens = { ASSAY_TOKEN_1: 'token-of-dead', ASSAY_TOKEN_2: server.rootToken }
    const flags = ['run', '--profile', both, '--out', to, ...one, '--format', 'json', '--timings']
    const measured = await assay(flags, tokens)
    expect(measured.code).toBe(5)
    expect(measured.out).toMatch(/What took longest\n(.*\n)* {2}[\d.]+ m?s {2}judge\n/)
    const [result = ''] = globSync('**/result.json', { cwd: to })
    const document = resultIn(join(to, result, '..'))
    expect(validateResult(document)).toEqual([])
    const { checks, run } = document
    const timings = run.timings ?? []
    const named = (start: string) => timings.filter(({ name }) => name.startsWith(start)).length
    expect(named('check ')).toBe(checks.filter(({ durationMs }) => durationMs > 0).length)
    expect(named('check ')).toBeGreaterThan(0)
    expect(named('import ')).toBeGreaterThan(0)
    const recorded = checks.flatMap(({ exchanges }) => exchanges.flatMap(({ attempts }) => attempts))
    // Lists, the probe and the clean-up are not in the record of any check.
    expect(named('request')).toBeGreaterThan(recorded.length)
    const steps = ['read what the run was given', 'ask what the target is', 'list what is there', 'judge', 'take back']
    for (const step of steps) expect(named(step)).toBe(1)
  })

  test('needs no more than the policy that plan prints', async () => {
    const some = ['--check', 'policies/access-egp-star/*,policies/errors/acl-*', '--safety', 'disruptive']
    const { out: policy } = await assay(['plan', ...some, '--policy'])
    await operate('sys/policies/acl/least', { policy })
    const { auth } = await operate('auth/token/create', { policies: ['least'], no_default_policy: true })
    const before = server.inventory()
    const to = out()
    const all = [...some, '--allow-disruptive', await clusterId()]
    const token = { ASSAY_TOKEN: auth?.client_token }
    const ended = await assay(['run', '--target', server.url, '--out', to, ...all], token)
    expect(ended.err).not.toContain('lacks')
    expect(ended.code).toBe(0)
    expect(resultIn(to)).toMatchObject({
      verdict: { word: 'conformant' },
      counts: { 'not-verified': 0, fail: 0 },
      findings: [],
    })
    expect(server.inventory()).toEqual(before)
  })

  test('exits with 0 on a faultless premium server without disruptive checks, and reports that they were left out', async () => {
    const { out: policy } = await assay(['plan', '--area', 'policies', '--policy'])
    await operate('sys/policies/acl/scoped', { policy })
    const { auth } = await operate('auth/token/create', { policies: ['scoped'], no_default_policy: true })
    const to = out()
    const some = ['--area', 'policies', '--check', 'policies/access-egp-*/*,policies/errors/acl-*']
    const ended = await assay(['run', '--target', server.url, '--out', to, ...some], {
      ASSAY_TOKEN: auth?.client_token,
    })
    const { verdict, counts, run } = resultIn(to)
    expect({ code: ended.code, open: counts['not-verified'] }).toEqual({ code: 0, open: 0 })
    expect(ended.out).toMatch(/^conformant \([\d,]+ left out\) {2}All [\d,]+ must/)
    expect(verdict.notes.join('\n')).toMatch(
      /^12 disruptive checks were left out: policies\/.*; run with --safety disruptive/m,
    )
    expect(run.leftOut.map(({ cause }) => cause)).toEqual(['area', 'check', 'safety'])
    expect(run.selection.checks).not.toContain(run.leftOut[2]?.ids?.[0])
  })

  test('leaves out what "!glob" matches, and is incomplete if a requested area has no checks left', async () => {
    const to = out()
    const args = ['run', '--target', server.url, '--out', to, '--area', 'policies,dr-replication', ...few]
    const ended = await assay([...args, '--check', `!${listsAll},!dr-replication/access,dr-replication`], env())
    const { verdict, checks, run } = resultIn(to)
    expect(ended.code).toBe(3)
    expect(verdict.reasons).toMatchObject([{ code: 'area-undecided', facts: { areas: ['dr-replication'] } }])
    const excluded = run.leftOut.find(({ cause }) => cause === 'excluded')
    expect(excluded?.ids).toEqual(expect.arrayContaining([listsAll, 'dr-replication/access/status-needs-no-token']))
    expect(verdict.notes).toContainEqual(
      expect.stringContaining(`${excluded?.checks} checks were excluded by --check: `),
    )
    expect(checks.map(({ id }) => id)).not.toContain(listsAll)
    expect(checks.length).toBeGreaterThan(2)
  })

  test('notices a method that was left behind, although it has an id of the server and not the name of the run', async () => {
    server.loadMutants(['mfa-identity/list-keeps-deleted', 'mfa-identity/delete-keeps-reading'])
    const to = out()
    const check = ['--check', 'mfa-identity/transitions/list-names-what-exists']
    const ended = await assay(['run', '--target', server.url, '--out', to, ...check], env())
    expect(ended.code).toBe(7)
    const { counts, leftBehind } = resultIn(to)
    const method = expect.stringMatching(/^[0-9a-f-]{36} \(TOTP methods by id\)$/)
    expect({ passed: counts.pass, leftBehind }).toEqual({ passed: 1, leftBehind: [method, method] })
  })

  test('fails with one sentence if the token is wrong, and judges nothing', async () => {
    const to = out()
    const ended = await assay(['run', '--target', server.url, '--out', to], { ASSAY_TOKEN: 's.wrong-token' })
    expect({ code: ended.code, out: ended.out }).toEqual({ code: 2, out: '' })
    expect(ended.err.split('\n').filter((line) => line.startsWith('assay: '))).toEqual([
      expect.stringMatching(
        /^assay: http\S+ refuses every request with the token: .*: give a token that is valid there, with the policy/,
      ),
    ])
    expect(globSync('*', { cwd: to })).toEqual([])
  })

  test('fails before anything is sent or written if there is no token and every check needs one', async () => {
    const to = out()
    const ended = await assay(['run', '--target', server.url, '--out', to, ...few])
    const err = `assay: there is no token for ${server.url}, and every selected check needs one: set ASSAY_TOKEN, or "token" or "tokenFile" in a profile\n`
    expect(ended).toEqual({ code: 2, out: '', err })
    expect(globSync(to)).toEqual([])
  })

  test('writes no token that a target sends back, wherever it is in the reply', async () => {
    const token = 's.canary-of-these-tests'
    const target = createHttpServer((_, response) => {
      const health = { version: `1.14.0-${token}`, cluster_id: token, sealed: false, enterprise: true }
      response.setHeader('x-echo', token)
      response.end(JSON.stringify({ ...health, errors: [token], data: { keys: [token], policy: btoa(token) } }))
    })
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
    try {
      const to = out()
      const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}`
      const declared = join(folder, 'echo.yaml')
      writeFileSync(declared, `url: ${url}\ntoken: \${env:ECHO}\ndeclared: { version: 1.2.0 }\n`)
      const args = ['run', '--profile', declared, '--out', to, '--format', 'html,json,junit,markdown,sarif,badge']
      const ended = await assay([...args, ...few], { ECHO: token })
      expect(ended.err).toContain('the profile declares version 1.2.0')
      const files = globSync('*', { cwd: to }).map((file) => readFileSync(join(to, file), 'utf8'))
      expect(files.length).toBeGreaterThan(5)
      for (const text of [ended.out, ended.err, ...files]) {
        expect(text).not.toContain(token)
        expect(text).not.toContain(btoa(token).slice(4, -4))
      }
    } finally {
      target.closeAllConnections()
      await new Promise((resolve) => target.close(resolve))
    }
  })

  test('reports in one sentence that nothing listens', async () => {
    const port = await freePort()
    const to = out()
    const { code, out: printed, err } = await assay(['run', '--target', `http://127.0.0.1:${port}`, '--out', to], env())
    expect({ code, printed }).toEqual({ code: 5, printed: '' })
    expect(err).toContain(`nothing listens at 127.0.0.1:${port}. Start the server, or fix the URL.`)
    expect(globSync('*', { cwd: to })).toEqual([])
  })

  test('cites the probe as evidence for what an edition does not have', async () => {
    const lesser = await startReference({ edition: 'community' })
    try {
      const to = out()
      const args = ['run', '--target', lesser.url, '--out', to, '--check', 'policies/*/rgp-*,policies/errors/acl-*']
      const { code } = await assay(args, { ASSAY_TOKEN: lesser.rootToken })
      const { checks, counts } = resultIn(to)
      const reasons = checks.filter(({ blocker }) => blocker?.kind === 'edition').map(({ blocker }) => blocker?.reason)
      expect({ code, fails: counts.fail, open: counts['not-verified'] }).toEqual({ code: 0, fails: 0, open: 0 })
      expect(reasons.length).toBeGreaterThan(30)
      expect(reasons[0]).toContain('LIST sys/policies/rgp is not served')
    } finally {
      await lesser.close()
    }
  })

  test('does not run disruptive checks without the typed cluster id', async () => {
    const base = ['run', '--target', server.url, '--safety', 'disruptive', '--out', out(), ...one]
    const id = await clusterId()
    const withoutId = await assay(base, env())
    expect(withoutId).toMatchObject({ code: 2, err: expect.stringContaining('may wipe the target') })
    const wrongId = await assay([...base, '--allow-disruptive', 'another'], env())
    expect(wrongId.code).toBe(2)
    expect(wrongId.err).toContain('does not name this target')
    for (const { err } of [withoutId, wrongId]) expect(err).not.toContain(id)
    expect((await assay([...base, '--allow-disruptive', id], env())).code).toBe(0)
  })
})

describe('a fault of the target', () => {
  const args = (...more: string[]) => ['run', '--target', server.url, '--check', listsAll, '--out', out(), ...more]
  const accepted = join(folder, 'accepted.yaml')

  test('is reported unless it is accepted; an accepted one that no longer occurs is reported, too', async () => {
    server.loadMutants(['policies/acl-list-omits'])
    const first = args()
    const plain = await assay(first, env())
    expect(plain.code).toBe(1)
    expect(plain.out).toMatch(
      new RegExp(
        `What failed: 1 cause, 1 sentence, 1 check\\n(.*\\n){3} {4}${listsAll} \\(\\S+\\.ts:\\d+\\)\\n {6}LIST sys/policies/acl: .*; saw `,
      ),
    )
    const written = await assay(['accept', '--from', join(first.at(-1) ?? '', 'result.json'), '--out', accepted])
    expect(written).toMatchObject({ code: 0, err: expect.stringContaining('has 1 entry: fill in each reason') })
    const empty = await assay(args('--accept', accepted), env())
    expect(empty).toMatchObject({
      code: 2,
      err: expect.stringContaining('expected a sentence that says why this is accepted'),
    })
    const list = readFileSync(accepted, 'utf8')
      .replace('reason: ""', 'reason: cached')
      .replace('owner: ""', 'owner: me')
    writeFileSync(accepted, list)
    const known = await assay(args('--accept', accepted), env())
    expect({ code: known.code, first: known.out.split('\n')[0] }).toEqual({
      code: 0,
      first: expect.stringMatching(
        /^conformant \(1 accepted, [\d,]+ left out\) {2}No must check .*; 1 finding is accepted; /,
      ),
    })
    server.loadMutants([])
    const stale = await assay(args('--accept', accepted), env())
    expect(stale.code).toBe(1)
    expect(stale.out).toMatch(/^outdated \([\d,]+ left out\)/)
    expect(stale.out).toMatch(/^- Change the list of accepted findings: .*accepted.*: remove it/m)
    expect(stale.out).toContain(`${accepted}:4:3: ${listsAll} is pass and not fail: remove it from the list`)
  })

  test('is a regression if an earlier result does not have it', async () => {
    const earlier = out()
    await assay(['run', '--target', server.url, '--check', listsAll, '--out', earlier], env())
    server.loadMutants(['policies/acl-list-omits'])
    const baseline = join(earlier, 'result.json')
    const again = await assay(args('--baseline', baseline), env())
    expect({ code: again.code, err: again.err }).toEqual({ code: 4, err: expect.not.stringContaining('the baseline') })
    const document = JSON.parse(readFileSync(baseline, 'utf8'))
    writeFileSync(baseline, JSON.stringify({ ...document, target: { ...document.target, url: 'http://other' } }))
    const elsewhere = await assay(args('--baseline', baseline), env())
    expect(elsewhere.err).toContain('is of another server (http://other, not ')
    expect(elsewhere.out).toContain('is of another server (http://other, not ')
  })
})

test('shards are merged into one report, which can be rendered', async () => {
  const parts = [out(), out()]
  const checks = ['--check', 'policies/versions', ...one]
  for (const [index, to] of parts.entries())
    await assay(['run', '--target', server.url, ...checks, '--shard', `${index + 1}/2`, '--out', to], env())
  const files = parts.map((to) => join(to, 'result.json'))
  const missing = await assay(['merge', files[0] ?? '', '--out', out()])
  expect(missing).toMatchObject({ code: 2, err: expect.stringContaining('shard 2 of 2 is missing') })
  const to = out()
  const merged = await assay(['merge', ...files, '--out', to, '--json'])
  expect(merged.code).toBe(0)
  const whole = resultIn(to)
  expect(whole.checks.map(({ id }) => id)).toEqual(whole.run.selection.checks)
  const rendered = await assay([
    'render',
    join(to, 'result.json'),
    '--format',
    'markdown,badge',
    '--out',
    join(to, 'more'),
  ])
  expect(rendered.out.split('\n').filter(Boolean)).toEqual([
    join(to, 'more', 'summary.md'),
    join(to, 'more', 'badge.svg'),
  ])
})

test('a shard that gets no checks says why', async () => {
  const args = ['run', '--target', server.url, ...few, '--shard', '2/2', '--out', out()]
  const { code, err } = await assay(args, env())
  expect(code).toBe(3)
  expect(err).toContain(
    'shard 2 of 2 has no checks: the topics of a file stay in one shard, and the selection has 1 topic in 1 file; leave --shard out',
  )
})

describe('a run whose disk fills up', () => {
  test('creates nothing more, cleans up, and is incomplete', async () => {
    const before = server.inventory()
    const to = out()
    // The size of files is limited, which has the effect of a full disk for the journal.
    const args = ['run', '--target', server.url, '--out', to, '--format', 'json', '--check', 'policies/transitions/*']
    const { code, err } = await assayProcess(args, env(), undefined, 'ulimit -f 16')
    expect({ code, defect: err.includes('defect') }).toEqual({ code: 3, defect: false })
    expect(server.inventory()).toEqual(before)
    expect(globSync('journal-*', { cwd: to })).toEqual([])
  })
})

describe('a run that does not finish', () => {
  const slow = (to: string) => [
    ...['run', '--target', server.url, '--out', to, '--format', 'json', '--max-rps', '150'],
    ...['--check', 'policies/transitions/*'],
  ]

  test('because of kill -9 is cleaned up by clean, even if nothing can be written, but not on another target', async () => {
    const before = server.inventory()
    const to = out()
    const child = startAssay(slow(to), env())
    await until(() => (server.inventory().acl ?? []).length > 8)
    child.process.kill('SIGKILL')
    await child.ended
    expect(server.inventory()).not.toEqual(before)
    const elsewhere = () => assay(['clean', '--out', to, '--target', 'http://127.0.0.1:1'], env())
    // The process that judges holds the folder until it notices.
    const refused = { code: 2, err: expect.stringContaining('belongs to a run against') }
    await expect.poll(elsewhere).toMatchObject(refused)
    const cleaned = await assayProcess(['clean', '--target', server.url, '--out', to], env(), undefined, 'ulimit -f 0')
    expect(cleaned).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+ objects cleaned up, 0 left, 1 journal/) })
    expect(server.inventory()).toEqual(before)
    expect((await assay(['clean', '--out', to], env())).out).toContain('nothing to clean')
  })

  // `blocked-run.test.ts` and `supervisor.test.ts` send the other signals.
  test('because of SIGHUP cleans up itself, and writes reports; until then no run or clean-up gets its folder', async () => {
    const before = server.inventory()
    const to = out()
    const child = startAssay(slow(to), env())
    await until(() => (server.inventory().acl ?? []).length > 8)
    for (const args of [
      ['run', '--target', server.url, ...few],
      ['clean', '--target', server.url],
    ]) {
      const second = await assay([...args, '--out', to], env())
      const [pid] = readFileSync(join(to, 'assay.lock'), 'utf8').split(' ')
      const err = `assay: --out ${to} is in use by another run (process ${pid}): name another folder, or wait until that run ends\n`
      expect(second).toEqual({ code: 2, out: '', err })
    }
    child.process.kill('SIGHUP')
    const { code, err } = await child.ended
    expect({ code, err }).toEqual({ code: 130, err: expect.stringContaining('stopping: cleaning up first') })
    expect(server.inventory()).toEqual(before)
    expect(resultIn(to).run.interrupted).toBe(true)
    expect(globSync('{journal-*,assay.lock}', { cwd: to })).toEqual([])
  })
})

test('serve prints its URL, accepts a given root token, and ends with Ctrl-C', async () => {
  const child = startAssay(['serve', '--port', '0', '--edition', 'community', '--json'], {
    ASSAY_ROOT_TOKEN: 'a-token-of-choice',
  })
  await child.said('"url"')
  child.process.kill('SIGINT')
  const { code, out: printed } = await child.ended
  expect(code).toBe(0)
  expect(JSON.parse(printed)).toEqual({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    token: 'a-token-of-choice',
    control: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{24}$/),
  })
})

async function freePort(): Promise<number> {
  const socket = createServer()
  await new Promise<void>((resolve) => socket.listen(0, '127.0.0.1', resolve))
  const address = socket.address()
  await new Promise((resolve) => socket.close(resolve))
  return typeof address === 'object' && address ? address.port : 1
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10))
}
