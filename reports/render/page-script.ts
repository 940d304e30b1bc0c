/** The script of the HTML report: the modules in `page/`, bundled into one text. */
import path from 'node:path'
import { rolldown } from 'rolldown'

/** The modules are TypeScript in a checkout and JavaScript in the package, as this one is. */
const entry = path.join(import.meta.dirname, `page/main${path.extname(import.meta.filename)}`)

let bundled: Promise<string> | undefined

/** Bundles once in a process. Rejects if a module of the page cannot be bundled. */
export function pageScript(): Promise<string> {
  bundled ??= bundle()
  return bundled
}

async function bundle(): Promise<string> {
  await using build = await rolldown({ input: entry, platform: 'browser', logLevel: 'warn' })
  const { output } = await build.generate({ format: 'iife', comments: false })
  const script = output[0].code
  if (/<\/script|<!--/i.test(script)) throw new Error('the script of the report holds a text that would end it')
  return script
}
