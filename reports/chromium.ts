/** Opens a real browser for the tests of HTML pages. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'

type Launch = Pick<LaunchOptions, 'executablePath' | 'env'>

const installed = '/usr/bin/chromium'

/** The package unpacks into TMPDIR, so a process with a TMPDIR of its own does it. */
const unpacking = `
  const [entry, libraries] = process.argv.slice(1)
  const { default: chromium, inflate } = await import(entry)
  await chromium.executablePath()
  await inflate(libraries)`

/** The configuration in the package names folders that exist only where the package is meant to run. Without any font,
 * Chromium aborts at the first character that it has to look up. */
const fontsIn = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`

function unpack(entry: string, folder: string): void {
  mkdirSync(dirname(folder), { recursive: true })
  const partial = mkdtempSync(`${folder}-`)
  const libraries = join(dirname(entry), '../bin/al2023.tar.br')
  execFileSync(process.execPath, ['--input-type=module', '-e', unpacking, entry, libraries], {
    env: { ...process.env, TMPDIR: partial },
    timeout: 60_000,
  })
  writeFileSync(join(partial, 'fonts/fonts.conf'), fontsIn(folder))
  try {
    renameSync(partial, folder)
  } catch {
    // Another worker has unpacked it in the meantime.
    rmSync(partial, { recursive: true, force: true })
  }
}

/** Returns the Chromium of the development dependencies, with the libraries that a minimal Linux installation lacks. */
function packaged(): Launch | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const require = createRequire(import.meta.url)
  let unpacked: string
  try {
    const entry = require.resolve('@sparticuz/chromium')
    const { version } = JSON.parse(readFileSync(join(dirname(entry), '../package.json'), 'utf8')) as { version: string }
    unpacked = resolve(import.meta.dirname, `../node_modules/.cache/assay-chromium-${version}`)
    if (!existsSync(unpacked)) unpack(entry, unpacked)
  } catch {
    return undefined
  }
  const { LD_LIBRARY_PATH: others, ...env } = process.env as Record<string, string>
  const libraries = join(unpacked, 'al2023/lib')
  return {
    executablePath: join(unpacked, 'chromium'),
    env: {
      ...env,
      FONTCONFIG_PATH: join(unpacked, 'fonts'),
      LD_LIBRARY_PATH: others === undefined ? libraries : `${libraries}:${others}`,
    },
  }
}

const named = process.env.CHROMIUM
/** Prefers the packaged Chromium: it is the same everywhere and starts twice as fast as one that can open windows. */
const launch = (): Launch | undefined => {
  if (named !== undefined) return existsSync(named) ? { executablePath: named } : undefined
  return packaged() ?? (existsSync(installed) ? { executablePath: installed } : undefined)
}

/** Skips the test if no Chromium is found, and names the reason. Throws instead if `CI=true`. */
export async function openChromium(context: { skip(reason: string): never }): Promise<Browser> {
  const found = launch()
  if (found === undefined) {
    const reason = `no Chromium ${named === undefined ? `at ${installed}, and the one in the development dependencies runs on Linux x64 only` : `at ${named}`}: install it (apt-get install chromium) or set CHROMIUM to its path`
    if (process.env.CI === 'true') throw new Error(reason)
    context.skip(reason)
  }
  const quiet = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-default-apps',
    '--disable-sync',
    '--no-first-run',
    '--metrics-recording-only',
    '--host-resolver-rules=MAP * ~NOTFOUND',
  ]
  return chromium.launch({ ...found, args: quiet })
}
