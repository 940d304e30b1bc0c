/** A real browser for the tests of what a reader opens. */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Skips the test with the reason where there is no Chromium; under `CI=true` that is a failure. */
export async function openChromium(context: { skip(reason: string): never }): Promise<Browser> {
  if (!existsSync(executablePath)) {
    const reason = `no Chromium at ${executablePath}: install it (apt-get install chromium) or name it in CHROMIUM`
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
  return chromium.launch({ executablePath, args: quiet })
}
