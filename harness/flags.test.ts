/** What is made from the tables of the commands: the page of flags, near names, and completion. To write the page anew:
 * `npx vitest run harness/flags.test.ts -u`. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { commands } from './cli.ts'
import { assay } from './commands/child.test-bed.ts'
import { type Shell, shells } from './commands/completion/scripts.ts'
import { openerFor } from './commands/open.ts'
import { type CommandTable, type Flag, flagGroups, flagsOf, nameOf, takesValue } from './commands/options/flag.ts'
import { areas } from './vocabulary/index.ts'
import { patient } from './whole-runs/patience.test-bed.ts'

const tables: readonly CommandTable[] = await Promise.all(
  Object.values(commands).map(async (load) => (await load())({} as never, () => {}).table),
)
const shownIn = (table: CommandTable): readonly Flag[] => flagsOf(table).filter(({ isHidden }) => !isHidden)

const cell = (text: string): string => text.replaceAll('|', '\\|')
const defaultOf = ({ default: standard, defaultSays }: Flag): string =>
  standard === undefined ? '' : ` (default: ${defaultSays ?? standard})`

function sectionOf(table: CommandTable): string {
  const rows = Object.entries(table.flags).flatMap(([group, flags]) =>
    (flags ?? [])
      .filter(({ isHidden }) => !isHidden)
      .map(
        (row) =>
          `| ${flagGroups[group as keyof typeof flagGroups]} | \`${row.flag}\` | ${cell(`${row.says}${defaultOf(row)}`)} |\n`,
      ),
  )
  const words = table.words ? ` ${table.words.form}` : ''
  const about = table.words ? `\`${table.words.form}\`: ${table.words.says}.\n\n` : ''
  const head = rows.length > 0 ? '| group | flag | what it does |\n|---|---|---|\n' : ''
  return `## ${table.name}\n\n\`assay ${table.name}${words}\`: ${table.says}.\n\n${about}${head}${rows.join('')}`.trimEnd()
}

const page = `# Commands and flags

This page is made from the tables in [commands/](commands/options/flag.ts). \`assay <command> --help\` shows the flags that are needed most, and
\`--help --all\` shows these.

${tables.map(sectionOf).join('\n\n')}
`

test('the page is made from the tables', async () => {
  await expect(page).toMatchFileSnapshot(resolve(import.meta.dirname, 'flags.md'))
})

test('the short help of no command has more than 20 flags', () => {
  const long = tables.filter((table) => shownIn(table).filter(({ isRare }) => !isRare).length > 20)
  expect(long.map(({ name }) => name)).toEqual([])
})

describe('a name of a closed set that does not exist gets the nearest ones', () => {
  const closed = tables.flatMap((table) =>
    shownIn(table).flatMap((row) => (typeof row.values === 'object' ? [[table.name, row, row.values] as const] : [])),
  )
  test.each(closed.map(([name, row, values]) => [`${name} ${nameOf(row)}`, name, row, values] as const))(
    '%s',
    async (_, name, row, { of }) => {
      const [word = ''] = of.toSorted((one, other) => other.length - one.length)
      const { code, err } = await assay([name, nameOf(row), `${word}x`])
      expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(`did you mean "${word}"`) })
    },
  )

  test.each(tables.flatMap((table) => shownIn(table).map((row) => [table.name, nameOf(row)] as const)))(
    '%s %s',
    async (name, flag) => {
      const { err } = await assay([name, `${flag}x`, ...(name === 'accept' ? ['--from', 'x'] : [])])
      expect(err).toMatch(new RegExp(`did you mean .*"${flag}"`))
    },
  )
})

describe('completion', () => {
  const complete = async (...words: readonly string[]) =>
    (await assay(['complete', '--', ...words])).out.split('\n').filter(Boolean)

  test.each([
    [['ru'], ['run']],
    [['run', '--last'], ['--last-failed']],
    [['run', '--area', 'plu'], ['plugin-catalog']],
    [['run', '--area', 'pki,mfa-l'], ['pki,mfa-legacy']],
    [['run', '--area=clo'], ['--area=cloud']],
    [['run', '--check', 'polic'], ['policies/']],
    [['run', '--check', '!policies/err'], ['!policies/errors/']],
    [['run', '--known', 'vault-1.1'], ['vault-1.14']],
    [['serve', '--mutant', 'policies/acl-list-omits-u'], ['policies/acl-list-omits-updated']],
    [['where', 'policies/errors/acl-create-without-p'], ['policies/errors/acl-create-without-policy-is-refused']],
    [['run', '--profile', ''], []],
    [['nonsense', ''], []],
  ])('%j offers %j', async (words, wanted) => expect(await complete(...words)).toEqual(wanted))

  test('of each flag that takes a name offers names', async () => {
    const named = tables.flatMap((table) =>
      shownIn(table).flatMap((row) =>
        takesValue(row) && row.values !== undefined && row.values !== 'files' && row.values !== 'folders'
          ? [[table.name, nameOf(row)] as const]
          : [],
      ),
    )
    expect(named.length).toBeGreaterThan(15)
    for (const [name, flag] of named) expect(await complete(name, flag, '')).not.toEqual([])
  })

  test('offers every command, every flag that help shows, and every area', async () => {
    expect(await complete('')).toEqual(expect.arrayContaining(tables.map(({ name }) => name)))
    for (const table of tables)
      expect(await complete(table.name, '--')).toEqual([...shownIn(table).map(nameOf), '--help', '--all'])
    expect(await complete('run', '--area', '')).toEqual(areas)
  })

  /** Each prints what the shell offers. zsh calls the function, which replaces itself, as a file below `fpath`. */
  const inShell: Readonly<Record<Shell, string>> = {
    bash: 'eval "$(assay completion bash)"; COMP_WORDS=(assay run --area plu); COMP_CWORD=3; _assay; echo "$COMPREPLY"',
    zsh: `assay completion zsh > _assay; fpath=(. $fpath); autoload -Uz _assay; compadd() { print -rl -- $found }
      words=(assay run --area plu); CURRENT=4; _assay; _assay
      unfunction _assay; compdef() { print $2 }; eval "$(assay completion zsh)"; _assay`,
    fish: 'assay completion fish | source; complete -C "assay run --area plu"',
  }
  const wanted: Readonly<Record<Shell, readonly string[]>> = {
    bash: ['plugin-catalog'],
    zsh: ['plugin-catalog', 'plugin-catalog', 'assay', 'plugin-catalog'],
    fish: ['plugin-catalog'],
  }
  const isThere = (shell: Shell): boolean => spawnSync(shell, ['-c', 'true']).status === 0

  for (const shell of shells)
    test.skipIf(!isThere(shell))(`works in ${shell}`, () => {
      const folder = mkdtempSync(join(tmpdir(), 'assay-completion-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      const cli = resolve(import.meta.dirname, 'assay.js')
      writeFileSync(join(folder, 'assay'), `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`)
      chmodSync(join(folder, 'assay'), 0o755)
      const { stdout, stderr } = spawnSync(shell, ['-c', inShell[shell]], {
        ...{ encoding: 'utf8', timeout: patient(30_000), cwd: folder },
        env: { PATH: `${folder}${delimiter}${process.env.PATH}`, HOME: folder },
      })
      expect({ offered: stdout.trim().split('\n'), stderr }).toEqual({ offered: wanted[shell], stderr: '' })
    })
})

describe('open', () => {
  test('prints the report, and needs a desktop to show it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-open-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    expect(await assay(['open', folder])).toMatchObject({
      code: 2,
      err: expect.stringContaining('has no report to show'),
    })
    writeFileSync(join(folder, 'report.html'), '')
    expect(await assay(['open', folder])).toEqual({ code: 0, out: `${join(folder, 'report.html')}\n`, err: '' })
    expect(openerFor('linux', {})).toBeUndefined()
    expect(openerFor('linux', { WAYLAND_DISPLAY: 'wayland-0' })).toEqual(['xdg-open'])
  })
})
