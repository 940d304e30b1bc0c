/** Runs every command that a page shows, in the order of the pages and in one folder. Commands without shell syntax run in
 * this process, which is faster; the other blocks show that a shell and a process of its own do the same. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assay } from './commands/child.test-bed.ts'
import { blocksOf, pageAt, pages, root } from './pages.test-bed.ts'
import { type ReferenceServer, startReference } from './targets/mock.ts'
import { isWhole } from './tools/prove/sampled.test-bed.ts'

const cli = join(root, 'harness/assay.js')
const profiles = blocksOf(pageAt('harness/deployments.md'), 'yaml').map((text) => `${text}\n`)
const [profile = ''] = profiles
const clustersProfile = profiles.find((text) => text.includes('\nclusters:')) ?? ''
const wholeProfile = profiles.find((text) => text.includes('\nmaxWaitSeconds:')) ?? ''
const scripts = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> })
  .scripts

interface Shown {
  readonly page: string
  readonly block: string
}

/** Returns the blocks to run, without lines that an earlier page also shows. */
function blocksToRun(): readonly Shown[] {
  const seen = new Set<string>()
  const isNew = (line: string): boolean => !line.startsWith('npx assay') || (!seen.has(line) && seen.add(line) === seen)
  return pages
    .flatMap((page) => blocksOf(page, 'sh').map((block) => ({ page: page.file, block })))
    .map(({ page, block }) => ({ page, block: block.split('\n').filter(isNew).join('\n') }))
    .filter(({ block }) => /^(npx assay|npm) /m.test(block))
}
const shown = blocksToRun()

/** Returns the words of each command of a block, or undefined if only a shell understands the block. */
function commandsIn(block: string): readonly (readonly string[])[] | undefined {
  const lines = block.split('\n')
  if (!lines.every((line) => /^npx assay(?: (?:'[^']*'|[\w./:,=-]+))+$/.test(line))) return undefined
  return lines.map((line) => [...line.matchAll(/'([^']*)'|\S+/g)].slice(2).map(([word, quoted = word]) => quoted))
}

const home = mkdtempSync(join(tmpdir(), 'assay-readme-'))
let server: ReferenceServer
let clusters: ReferenceServer

/** Replaces npm and npx: `npm ci` and `npm cit` do nothing, because they have run already; `npm start` and `npx assay`
 * run this checkout. `npm start` judges few checks of two areas here, unless everything is wanted: `every-check.test.ts`
 * judges all of them faster. */
function placeCommands(): void {
  const bin = join(home, 'bin')
  mkdirSync(bin)
  const few = isWhole ? '' : " --check 'policies/errors/*-without-*' --check 'mfa-legacy/errors/*-without-*'"
  const write = (name: string, text: string): void => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  write('npx', `[ "$1" = assay ] || exit 99\nshift\nexec "${process.execPath}" "${cli}" "$@"`)
  write(
    'npm',
    `case "$1" in ci|cit) exit 0;; start) exec "${process.execPath}" "${cli}" run embedded${few};; *) exit 99;; esac`,
  )
}

const environment = (token = server.rootToken): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${join(home, 'bin')}${delimiter}${process.env.PATH}`,
  ASSAY_TOKEN: token,
  ASSAY_STATE_DIR: join(home, 'state'),
  // A token that the developer has stored is not for these servers.
  HOME: home,
})

const here = (text: string): string => text.replaceAll('https://vault.example:8200', server.url)

/** Limits the runs of an area to its errors, those with profiles to some checks of the areas that the profiles are about,
 * the kill matrix to some errors of an area, and faults to an area with few: `npm run prove` judges under all of
 * both. */
const withFewChecks = (command: string): string =>
  command
    .replace(/(npx assay run .*?)--area policies\b/g, isWhole ? '$&' : "$1--check 'policies/errors/acl-*'")
    .replace('selftest --mutants --area plugin-catalog', "selftest --mutants --check 'plugin-catalog/errors/*auth*'")
    .replace("--check 'plugin-catalog/errors/*'", isWhole ? '$&' : "--check 'plugin-catalog/errors/*auth*'")
    .replace(/(selftest --faults --area) policies\b/, isWhole ? '$&' : '$1 plugin-catalog')
    .replace('run --profile whole.yaml', "$& --check 'mfa-identity/errors/*-without-*' --check 'cloud/errors/*'")
    .replace('run --profile clusters.yaml', "$& --check '*-replication/transitions-primary/demoted-*'")

/** Writes the profile of the page for clusters of our own. */
async function placeClusters(): Promise<void> {
  clusters = await startReference({ clusters: 3, control: true })
  const all = [clusters, ...clusters.peers.map((peer) => peer.server)]
  let text = clustersProfile.replace('0.0.0.0', '127.0.0.1').replace('this-host.example', '127.0.0.1')
  for (const [index, name] of ['one', 'two', 'three'].entries()) {
    const { url = '', clusterAddress = '', rootToken = '', keyShares = [] } = all[index] ?? {}
    text = text.replace(`https://${name}.example:8200`, url).replace(`${name}.example:8201`, clusterAddress)
    writeFileSync(join(home, `${name}.txt`), rootToken)
    writeFileSync(join(home, `${name}-shares.txt`), keyShares.join('\n'))
  }
  writeFileSync(join(home, 'clusters.yaml'), `${text}control: ${clusters.controlUrl}\npatienceSeconds: 10\n`)
}

/** Writes the profile for every area, adapted to this machine: other plugin files, the stub on this machine only, and a
 * clock that can be moved. */
function placeWhole(): void {
  const text = here(wholeProfile)
    .replace('listen: 0.0.0.0:9400, advertise: http://this-host.example', 'listen: 127.0.0.1:0')
    .replace(/\n {2}- \{ command: my-plugin.*\}/, ` ${JSON.stringify(server.pluginFolder?.files)}`)
  writeFileSync(join(home, 'whole.yaml'), `${text}control: ${server.controlUrl}\n`)
}

async function clusterId(): Promise<string> {
  const health = (await (await fetch(`${clusters.url}/v1/sys/health`)).json()) as { cluster_id: string }
  return health.cluster_id
}

describe('commands of the pages', () => {
  beforeAll(async () => {
    server = await startReference({ edition: 'community', control: true })
    await placeClusters()
    placeCommands()
    writeFileSync(join(home, 'token.txt'), server.rootToken)
    placeWhole()
    const asCommunity = here(profile).replace('edition: premium', 'edition: community')
    // A community server has no namespaces, so it refuses the header.
    writeFileSync(join(home, 'profile.yaml'), asCommunity.replace(/^headers: .*\n/m, ''))
  })
  afterAll(async () => {
    await server.close()
    await clusters.close()
    rmSync(home, { recursive: true, force: true })
  })

  test('are found, and `npm start` runs the suites', () => {
    expect(new Set(shown.map(({ page }) => page)).size).toBeGreaterThan(4)
    expect(shown.length).toBeGreaterThan(16)
    const ofShell = shown.filter(({ block }) => commandsIn(block) === undefined && /^npx assay run/m.test(block))
    expect(ofShell.length).toBeGreaterThan(1)
    expect(scripts.start).toBe('node harness/assay.js run embedded')
  })

  for (const { page, block } of shown) {
    const isServer = block.startsWith('npx assay serve')
    test(`${page}: ${block.split('\n').join(' ; ')}`, async () => {
      if (isServer) return expect(await firstLine(block)).toMatch(/http:\/\/127\.0\.0\.1:\d+/)
      const ofClusters = block.includes('clusters.yaml')
      const token = ofClusters ? clusters.rootToken : server.rootToken
      const command = withFewChecks(here(block)).replace('<cluster-id>', ofClusters ? await clusterId() : '')
      const { code, output } = await performed(command, token)
      expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' })
    })
  }
})

interface Outcome {
  readonly code: number | null
  readonly output: string
}

async function performed(block: string, token: string): Promise<Outcome> {
  const commands = commandsIn(block)
  if (!commands) return outcomeOf(block, token)
  for (const words of commands) {
    const { code, out, err } = await assay(words, environment(token), home)
    if (code !== 0) return { code, output: `${out}${err}` }
  }
  return { code: 0, output: '' }
}

/** Runs a block asynchronously, because the server is in this process. */
function outcomeOf(block: string, token: string): Promise<Outcome> {
  const child = spawn('bash', ['-ec', block], { cwd: home, env: environment(token), stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  return new Promise((done, failed) => {
    child.once('error', failed)
    child.once('close', (code) => done({ code, output }))
  })
}

/** Returns the first output of a command that keeps running, and stops the command. */
function firstLine(command: string): Promise<string> {
  const child = spawn('bash', ['-ec', `exec ${command}`], {
    cwd: home,
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((done, failed) => {
    child.once('error', failed)
    child.once('exit', () => failed(new Error(`${command} ended`)))
    child.stdout.once('data', (chunk: Buffer) => {
      child.removeAllListeners('exit')
      child.once('exit', () => done(chunk.toString()))
      child.kill('SIGTERM')
    })
  })
}
