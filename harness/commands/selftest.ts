import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { InvalidArgumentError } from 'commander'
import type { Proof } from '../faults/proof.ts'
import type { SelftestReport } from '../mutation/selftest-report.ts'
import { replaceFile } from '../safety/files.ts'
import type { ResolvedTarget } from '../targets/target.ts'
import { UsageError } from '../targets/usage-error.ts'
import { type Area, areas, exitCodes } from '../vocabulary/index.ts'
import { type CommandTable, commandOf, type Flag, type TabledCommand } from './options/flag.ts'
import { areaFlag, duration, targetFlags } from './options/options.ts'
import { assertInstalled, packagesToJudge } from './output/needed-packages.ts'
import type { Terminal } from './output/terminal.ts'
import { systemWords } from './output/written-reports.ts'
import { showTexts } from './progress.ts'
import type { SelftestFlags } from './selftest/flags.ts'
import { assertTogether } from './selftest/rules.ts'
import { suiteVersion } from './version.ts'

const examples = `
Without --mutants, --vary, --faults, --legal, --history and --drawn, each check is judged once on an unchanged reference server.

Examples:
  assay selftest --mutants                each mutant of the reference server must be noticed by the checks that name it
  assay selftest --vary 1..20             legal differences, chosen by seed, must not make a check fail
  assay selftest --faults                 faults derived from the rows of the documents, played on the wire
  assay selftest --legal --area pki       legal differences, played on the wire, must not make a check fail
  assay selftest --legal --difference 'refusals-*' --check 'pki/errors/*'
  assay selftest --mutants --faults --rows 1 --area cloud --out proof    one page, with the rows that each fault makes red
  assay selftest --drawn 200 --area cloud wrong servers that nobody has thought of: wrong for some requests only
  assay selftest --history --area pki     public bugs of such servers, and which check notices each
  assay selftest --mutants --check 'policies/errors/*'
  assay selftest --mutants --area policies --json
  ASSAY_TOKEN=… assay selftest --faults --target https://vault.example:8200 --area policies
With a target, checks that touch only what they create are judged there under each fault; what they create is cleaned
up.`

function seeds(text: string): readonly [number, number] {
  const [, from, to] = /^(\d+)(?:\.\.(\d+))?$/.exec(text) ?? []
  const range = [Number(from), Number(to ?? from)] as const
  if (from === undefined || range[0] < 1 || range[1] < range[0])
    throw new InvalidArgumentError('Give a range of seeds, 1 or higher, such as 1..20.')
  return range
}

function countOf(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('Give a number from 1.')
  return Number(text)
}

const table: CommandTable = {
  name: 'selftest',
  says: 'prove that the suites notice faults, and nothing but faults',
  flags: {
    proof: [
      { flag: '--mutants', says: 'run the checks against each mutant of the reference server' },
      {
        flag: '--vary <from..to>',
        says: 'run the checks against legal variations of the reference server, by seed',
        parse: seeds,
      },
      { flag: '--faults', says: 'play faults derived from the documents between the checks and the reference server' },
      { flag: '--legal', says: 'play legal differences between the checks and the reference server' },
      { flag: '--history', says: 'play public bugs of such servers; 95 % must be noticed' },
      {
        flag: '--difference <glob>',
        says: 'with --legal: only these differences (repeatable)',
        values: 'differences',
        isList: true,
      },
      {
        flag: '--drawn <n>',
        says: 'play n faults that show on occasion only, drawn by seed; 90 % must be noticed',
        parse: countOf,
      },
      { flag: '--seed <n>', says: 'with --drawn: draw the faults of this seed again', parse: countOf, isRare: true },
      {
        flag: '--update',
        says: 'record which check noticed which fault: with --faults in suites/proofs.json, which reports quote, or else with --mutants in suites/kill-matrix.json',
        isRare: true,
      },
      {
        flag: '--rows <n>',
        says: 'with --faults: play one of n faults to all checks, to count the rows that it makes red',
        parse: countOf,
        isRare: true,
      },
    ],
    selection: [
      areaFlag,
      {
        flag: '--check <glob>',
        says: 'without --faults: only these checks (repeatable)',
        values: 'checks',
        isList: true,
      },
    ],
    target: [
      ...targetFlags.map((row): Flag => ({ ...row, isRare: true })),
      {
        flag: '--max-duration <time>',
        says: 'with a target: end after this time, such as 90s or 2h (30m)',
        parse: duration,
        isRare: true,
      },
    ],
    output: [
      {
        flag: '--out <folder>',
        says: 'folder for the outcome of --faults (faults.json and faults.html) and, with a target, for the journal',
        values: 'folders',
      },
      { flag: '--json', says: 'print the outcome as JSON' },
    ],
  },
  more: examples,
}

export const selftestCommand = (terminal: Terminal, settle: (code: number) => void): TabledCommand =>
  commandOf<SelftestFlags>(table, async (flags) => {
    const { resolveTarget } = await import('../targets/resolve.ts')
    const target = resolveTarget(flags, terminal.env)
    assertTogether(flags, target)
    assertInstalled('assay selftest', packagesToJudge(flags.area ?? areas, target === undefined))
    if (target) return settle(await proveOnTarget(target, flags, terminal))
    if (flags.drawn !== undefined) {
      const [{ selftestDrawn }, { topics, ...catalog }] = await Promise.all([
        import('./selftest/drawn.ts'),
        catalogToProve(),
      ])
      return settle(await selftestDrawn(flags, { ...catalog, topics: topics.map(({ topic }) => topic) }, terminal))
    }
    if (flags.faults) return settle(await proveByFaults(flags, terminal))
    if (flags.legal) {
      const { proveByDifferences } = await import('./selftest/legal-differences.ts')
      return settle(await proveByDifferences(flags, terminal))
    }
    if (flags.history) {
      const { proveByHistory } = await import('./selftest/past-bugs.ts')
      return settle(await proveByHistory(flags, terminal))
    }
    settle(await proveByMutants(flags, terminal))
  })

async function mutantsReport(flags: SelftestFlags, terminal: Terminal): Promise<SelftestReport> {
  const [{ selftest }, { chosenTopics }] = await Promise.all([
    import('../mutation/selftest.ts'),
    import('./selftest/chosen-topics.ts'),
  ])
  const { topics, requirements, isPart } = await chosenTopics(flags)
  const { wideFaults: wide } = await import('../../suites/wide-faults.ts')
  const { differences } = await import('../../suites/differences/index.ts')
  const { withProviderStub } = await import('./selftest/provider-stub.ts')
  return withProviderStub((provides) =>
    selftest({
      mutants: flags.mutants ?? false,
      ...(flags.vary ? { vary: flags.vary } : {}),
      areas: isPart ? topics.map(({ area }) => area) : (flags.area ?? []),
      ...{ topics, requirements, isPart, wide, differences, provides },
      onProgress: showTexts(terminal),
      signal: terminal.signal,
    }),
  )
}

async function proveByMutants(flags: SelftestFlags, terminal: Terminal): Promise<number> {
  const report = await mutantsReport(flags, terminal)
  const { interrupted, mutants } = report.json
  if (flags.update && mutants && !interrupted) {
    const { updateKillMatrix } = await import('./selftest/records.ts')
    await updateKillMatrix(mutants.matrix, terminal)
  }
  if (flags.json) terminal.json(report.json, 2)
  else terminal.ownText(report.text)
  return terminal.signal.aborted ? exitCodes.interrupted : report.exitCode
}

/** Writes the proof as JSON for programs and as HTML for people. */
async function writeProof(
  proof: Proof & Pick<SelftestReport['json'], 'mutants'>,
  server: string,
  folder: string,
  terminal: Terminal,
): Promise<void> {
  const { renderFaultPage } = await import('../../reports/render/html/fault-page.ts')
  const ofMutants = proof.mutants?.widths
  const widths = { ...(ofMutants ? { 'Reference server': ofMutants } : {}), 'On the wire': proof.widths }
  const page = renderFaultPage({ rows: proof.rows, widths, server, suite: `assay ${suiteVersion}` })
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const [name, text] of [
      ['faults.json', `${JSON.stringify(proof, null, 2)}\n`],
      ['faults.html', page],
    ] as const) {
      replaceFile(join(folder, name), text)
      terminal.say(join(folder, name))
    }
  } catch (error) {
    throw new UsageError(
      `the proof cannot be written to ${folder} (${systemWords(error)}): name another folder with --out`,
    )
  }
}

async function proveOnTarget(target: ResolvedTarget, flags: SelftestFlags, terminal: Terminal): Promise<number> {
  const { linesOn, proveOn } = await import('./selftest/on-target.ts')
  return proveOn(target, flags, terminal, async ({ unsaved: _, ...proof }) => {
    if (flags.json) terminal.json(proof, 2)
    else for (const line of linesOn({ ...proof, unsaved: [] })) terminal.out(line)
    if (flags.out !== undefined) await writeProof(proof, target.url, flags.out, terminal)
  })
}

async function reportProof(
  proof: Proof,
  report: SelftestReport | undefined,
  flags: SelftestFlags,
  terminal: Terminal,
): Promise<void> {
  const { linesOf } = await import('../faults/proof.ts')
  const whole = { ...proof, ...(report?.json.mutants ? { mutants: report.json.mutants } : {}) }
  if (flags.json) terminal.json(whole, 2)
  else {
    if (report) terminal.ownText(report.text)
    for (const line of linesOf(proof)) terminal.out(line)
  }
  if (flags.out !== undefined) await writeProof(whole, 'the reference server', flags.out, terminal)
}

async function proveByFaults(flags: SelftestFlags, terminal: Terminal): Promise<number> {
  const [{ exitCodeOf, prove }, catalog, { faultExcuses, wireFaults }, { wideFaults }, { proofs }] = await Promise.all([
    import('../faults/proof.ts'),
    catalogToProve(),
    import('../../suites/faults.ts'),
    import('../../suites/wide-faults.ts'),
    import('../../suites/proofs.ts'),
  ])
  const report = flags.mutants ? await mutantsReport(flags, terminal) : undefined
  const { withProviderStub } = await import('./selftest/provider-stub.ts')
  const isSelected = (area: Area) => flags.area === undefined || flags.area.includes(area)
  return withProviderStub(async (provides) => {
    const proof = await prove({
      faults: wireFaults().filter(({ area }) => isSelected(area)),
      excuses: faultExcuses,
      wide: wideFaults,
      ...(flags.rows ? { rowsOfEach: flags.rows } : {}),
      topics: catalog.topics.map(({ topic }) => topic).filter(({ area }) => isSelected(area)),
      requirements: catalog.requirements,
      lists: catalog.lists,
      spellings: catalog.spellings,
      ...(flags.update ? {} : { record: proofs }),
      provides,
      onProgress: showTexts(terminal),
      signal: terminal.signal,
    })
    if (flags.update && !terminal.signal.aborted) {
      const { updateProofs } = await import('./selftest/records.ts')
      await updateProofs(proofs, proof, terminal)
    }
    await reportProof(proof, report, flags, terminal)
    return terminal.signal.aborted ? exitCodes.interrupted : exitCodeOf(proof) || (report?.exitCode ?? 0)
  })
}

/** Loads the checks only when they are needed, so that `--help` stays instant. */
async function catalogToProve() {
  const { loadCatalog } = await import('./catalog.ts')
  return loadCatalog()
}
