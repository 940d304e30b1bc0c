import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assay, type Ended } from '../commands/child.test-bed.ts'
import { isWhole } from '../tools/prove/sampled.test-bed.ts'
import type { ResultDocument } from '../vocabulary/index.ts'

/** Test secrets, which are not used anywhere else. */
const token = 's.canary+token/of=these&tests'
const password = 'canary "password" <of> these\ttests'
const key = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()
const keyBody = key.split('\n').slice(1, -2).join('')

const encodings: Readonly<Record<string, (value: string) => string>> = {
  plain: (value) => value,
  base64: (value) => Buffer.from(value).toString('base64'),
  'base64, shifted': (value) => Buffer.from(`x${value}`).toString('base64'),
  'base64 for URLs': (value) => Buffer.from(value).toString('base64url'),
  'percent-encoded': encodeURIComponent,
  'JSON-escaped': (value) => JSON.stringify(value).slice(1, -1),
  hex: (value) => Buffer.from(value).toString('hex'),
  'one line': (value) => value.replaceAll('\n', ''),
}
const planted = [token, password, key].flatMap((value) => Object.values(encodings).map((encode) => encode(value)))

/** Replies to every request with all secrets, in every part of a reply. */
function answer(path: string, response: ServerResponse, calls: number): void {
  const everywhere = Object.fromEntries(planted.map((text, index) => [`field${index}`, text]))
  const keyed = Object.fromEntries(planted.map((text) => [text, true]))
  const line = (value: string): string => encodeURIComponent(value)
  // The probe gets valid replies, or no check would run.
  const isJudged = path.includes('/sys/policies/')
  response.statusCode = isJudged ? ([200, 400, 302, 500][calls % 4] ?? 200) : 200
  response.statusMessage = line(token)
  response.setHeader('x-token', Buffer.from(token).toString('latin1'))
  response.setHeader('x-key', line(key))
  response.setHeader('set-cookie', `password=${line(password)}`)
  if (response.statusCode === 302) response.setHeader('location', `/v1/elsewhere?token=${line(token)}`)
  if (isJudged && calls % 5 === 4) {
    response.setHeader('content-type', 'text/html')
    response.end(`<p title="${password}">${planted.join('<br>')}</p>`)
    return
  }
  const health = {
    initialized: true,
    sealed: false,
    version: `1.14.0-${token}`,
    cluster_id: token,
    cluster_name: password,
  }
  const data = { policy: planted.join('\n'), keys: planted, name: key, nested: { ...everywhere, deep: [keyed] } }
  response.end(
    JSON.stringify({
      ...health,
      ...keyed,
      errors: planted,
      warnings: planted,
      data,
      auth: { client_token: 's.another-token-of-these-tests', accessor: token },
    }),
  )
}

const folder = mkdtempSync(join(tmpdir(), 'assay-canary-'))
const out = join(folder, 'out')
let target: Server
let ended: Ended

describe('secrets that a target sends back', () => {
  beforeAll(async () => {
    let calls = 0
    target = createServer(({ url = '' }, response) => answer(url, response, calls++))
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}`
    writeFileSync(join(folder, 'key.pem'), key, { mode: 0o600 })
    const request = ['req', '-x509', '-key', 'key.pem', '-subj', '/CN=canary.test', '-out', 'cert.pem']
    execFileSync('openssl', request, { cwd: folder, stdio: 'ignore' })
    const profile = [
      `url: ${url}`,
      'token: $' + '{env:CANARY_TOKEN}',
      'tls: { cert: cert.pem, key: key.pem }',
      'principals: { reader: { username: reader, password: "$' + '{env:CANARY_PASSWORD}" } }',
      'declared: { version: 1.13.0, edition: premium }',
    ]
    writeFileSync(join(folder, 'profile.yaml'), `${profile.join('\n')}\n`)
    const formats = 'html,json,junit,markdown,sarif,codequality,github,badge,openmetrics,coverage,allure'
    const flags = [
      '--profile',
      join(folder, 'profile.yaml'),
      '--out',
      out,
      '--format',
      formats,
      '--record',
      join(out, 'answers'),
    ]
    ended = await assay(
      [
        'run',
        ...flags,
        ...(isWhole ? ['--area', 'policies'] : ['--check', 'policies/transitions/acl-*,policies/errors/*']),
      ],
      { CANARY_TOKEN: token, CANARY_PASSWORD: password },
      folder,
    )
  })
  afterAll(async () => {
    target.closeAllConnections()
    await new Promise((resolve) => target.close(resolve))
    rmSync(folder, { recursive: true })
  })

  let read: readonly (readonly [string, string])[] | undefined
  const artefacts = (): readonly (readonly [string, string])[] => {
    read ??= readAll()
    return read
  }

  const readAll = (): readonly (readonly [string, string])[] => [
    ['stdout', ended.out],
    ['stderr', ended.err],
    ...globSync('**/*', { cwd: out })
      .filter((file) => statSync(join(out, file)).isFile())
      .map((file) => [file, readFileSync(join(out, file)).toString('latin1')] as const),
    ['the exchanges in report.html', exchangesIn(readFileSync(join(out, 'report.html'), 'utf8'))],
  ]

  /** Unpacks the exchanges of the page: a search in its bytes would not find a secret in them. */
  const exchangesIn = (page: string): string =>
    gunzipSync(Buffer.from(/id="packed">([^<]*)</.exec(page)?.[1] ?? '', 'base64')).toString('latin1')

  test('the run ends and writes every kind of artefact', () => {
    expect({ code: ended.code, output: ended.code === null ? ended.err : '' }).toEqual({
      code: expect.any(Number),
      output: '',
    })
    const names = artefacts().map(([name]) => name)
    const formats = ['result.json', 'report.html', 'junit.xml', 'gl-code-quality-report.json', 'annotations.txt']
    expect(names).toEqual(expect.arrayContaining([...formats, 'answers/recording.json']))
    expect(names.some((name) => name.includes('allure'))).toBe(true)
  })

  test('the replies are in the report, so these tests really check their redaction', () => {
    const report = artefacts().find(([name]) => name === 'result.json')?.[1] ?? ''
    expect(report).toContain('[redacted:')
    expect(report).toContain('field0')
    expect(artefacts().find(([name]) => name.endsWith('recording.json'))?.[1]).toContain('field0')
    expect(artefacts().at(-1)?.[1]).toContain('field0')
    const { checks, counts } = JSON.parse(report) as ResultDocument
    // Which of them report what several found depends on the order of the calls.
    const finding = checks.filter(({ mismatches, rests = [] }) => mismatches.length + rests.length > 0)
    expect(finding.length).toBeGreaterThan(5)
    // What the target sends is never a defect of the suite.
    expect({ ...counts, code: ended.code }).toMatchObject({ error: 0, code: 1 })
    expect(checks.flatMap(({ exchanges }) => exchanges).length).toBeGreaterThan(100)
  })

  for (const [name, encode] of Object.entries(encodings)) {
    for (const [kind, value] of Object.entries({ token, password, key })) {
      test(`no ${kind}, ${name}`, () => {
        const text = encode(value)
        // The first and last characters of shifted base64 depend on neighbours and reveal nothing.
        const needle = name === 'base64, shifted' ? text.slice(4, -4) : text.replace(/=+$/, '')
        expect(artefacts().flatMap(([file, content]) => (content.includes(needle) ? [file] : []))).toEqual([])
      })
    }
  }

  test('no token from a reply', () => {
    expect(artefacts().flatMap(([file, content]) => (content.includes('another-token-of') ? [file] : []))).toEqual([])
  })

  test('no part of the key', () => {
    const parts = [keyBody.slice(0, 40), keyBody.slice(-44, -4)]
    expect(
      artefacts().flatMap(([file, content]) => (parts.some((part) => content.includes(part)) ? [file] : [])),
    ).toEqual([])
  })
})
