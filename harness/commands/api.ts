import { Command, InvalidArgumentError, Option } from 'commander'
import { replaceFile } from '../safety/files.ts'
import { UsageError } from '../targets/usage-error.ts'
import { type Area, exitCodes } from '../vocabulary/index.ts'
import { areaOption, notEmpty } from './options.ts'
import type { Terminal } from './terminal.ts'
import { suiteVersion } from './version.ts'
import { systemWords } from './written-reports.ts'

interface ApiFlags {
  readonly area?: readonly Area[]
  readonly format: 'json' | 'yaml'
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
  return { ...before, [name]: path }
}

export const apiCommand = (terminal: Terminal, settle: (code: number) => void): Command =>
  new Command('api')
    .description('print the API as its documents state it, as an OpenAPI 3.1 document')
    .addOption(areaOption())
    .addOption(new Option('--format <format>', 'json or yaml').choices(['json', 'yaml']).default('json'))
    .option('--mount <engine=path>', 'path at which an engine (pki or cloud) is mounted (repeatable)', mountOf)
    .option('--out <file>', 'file to write the document to (default: print it)', notEmpty)
    .addHelpText('after', examples)
    .action(async ({ area, format, mount = {}, out }: ApiFlags) => {
      const [{ laws }, { openApi }, { documents }, { stringify }, { loadDialect }] = await Promise.all([
        import('../../fixtures/api/index.ts'),
        import('../../fixtures/api/openapi.ts'),
        import('../../suites/index.ts'),
        import('yaml'),
        import('../targets/dialects/index.ts'),
      ])
      const unknown = Object.keys(mount).find((name) => !['pki', 'cloud'].includes(name))
      if (unknown !== undefined) throw new UsageError(`--mount ${unknown}: known engines are pki and cloud`)
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
