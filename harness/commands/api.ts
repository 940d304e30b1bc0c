import { InvalidArgumentError } from 'commander'
import { replaceFile } from '../safety/files.ts'
import { UsageError } from '../targets/usage-error.ts'
import { type Area, exitCodes } from '../vocabulary/index.ts'
import { type CommandTable, commandOf, known, type TabledCommand } from './options/flag.ts'
import { areaFlag } from './options/options.ts'
import type { Terminal } from './output/terminal.ts'
import { systemWords } from './output/written-reports.ts'
import { suiteVersion } from './version.ts'

interface ApiFlags {
  readonly area?: readonly Area[]
  readonly format: (typeof apiFormats)[number]
  readonly mount?: Readonly<Record<string, string>>
  readonly out?: string
}

const examples = `
Lists are GET with list=true. Each operation, parameter and field names the requirements that it comes from
(x-requirements).

Examples:
  assay api --format yaml --out openapi.yaml
  assay api --area pki --mount pki=pki-internal`

/** Parses one `--mount` value such as `pki=pki-internal`, and adds it to the earlier ones. */
function mountOf(text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const [, name, path] = /^([a-z]+)=([\w.-]+(?:\/[\w.-]+)*)$/.exec(text) ?? []
  if (name === undefined || path === undefined)
    throw new InvalidArgumentError('Give an engine and its path, such as pki=pki-internal.')
  return { ...before, [known(name, engines, 'engine')]: path }
}

const apiFormats = ['json', 'yaml'] as const
const engines = ['pki', 'cloud'] as const

const table: CommandTable = {
  name: 'api',
  says: 'print the API as its documents state it, as an OpenAPI 3.1 document',
  flags: {
    selection: [areaFlag],
    output: [
      { flag: '--format <format>', says: 'json or yaml', values: { of: apiFormats, what: 'format' }, default: 'json' },
      {
        flag: '--mount <engine=path>',
        says: 'path at which an engine (pki or cloud) is mounted (repeatable)',
        parse: mountOf,
        isRare: true,
      },
      { flag: '--out <file>', says: 'file to write the document to (default: print it)', values: 'files' },
    ],
  },
  more: examples,
}

export const apiCommand = (terminal: Terminal, settle: (code: number) => void): TabledCommand =>
  commandOf<ApiFlags>(table, async ({ area, format, mount = {}, out }) => {
    const [{ laws }, { openApi }, { documents }, { stringify }, { loadDialect }] = await Promise.all([
      import('../../fixtures/api/index.ts'),
      import('../../fixtures/api/openapi.ts'),
      import('../../suites/index.ts'),
      import('yaml'),
      import('../targets/dialects/index.ts'),
    ])
    const { prefix, tokenHeader } = loadDialect('vault')
    const document = openApi(
      laws.filter((law) => area === undefined || area.includes(law.area)),
      { version: suiteVersion, prefix, tokenHeader, documents, mounts: mount },
    )
    const text =
      format === 'json'
        ? `${JSON.stringify(document, null, 2)}\n`
        : stringify(document, { aliasDuplicateObjects: false })
    if (out === undefined) terminal.ownText(text.trimEnd())
    else
      try {
        replaceFile(out, text, 0o644)
        terminal.out(out)
      } catch (error) {
        throw new UsageError(`${out} cannot be written (${systemWords(error)}): name another file with --out`)
      }
    settle(exitCodes.conformant)
  })
