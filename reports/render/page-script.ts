/** The script of the HTML report: the modules in `page/`, bundled into one text. The package holds that text ready. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'

/** Where the package has the text, seen from its folder `dist`. */
export const builtScript = 'reports/render/page-script.txt'

const isCheckout = import.meta.filename.endsWith('.ts')

let bundled: Promise<string> | undefined

/** Bundles or reads it once in a process. Rejects if a module of the page cannot be bundled. */
export function pageScript(): Promise<string> {
  bundled ??= isCheckout ? bundle() : readFile(path.join(import.meta.dirname, path.basename(builtScript)), 'utf8')
  return bundled
}

async function bundle(): Promise<string> {
  const { rolldown } = await import('rolldown')
  const input = path.join(import.meta.dirname, 'page/main.ts')
  await using build = await rolldown({ input, platform: 'browser', logLevel: 'warn' })
  const { output } = await build.generate({ format: 'iife', comments: false })
  const script = output[0].code
  if (/<\/script|<!--/i.test(script)) throw new Error('the script of the report holds a text that would end it')
  return script
}
