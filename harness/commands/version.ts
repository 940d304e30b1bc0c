/** The version and commit of this suite, and the folders of its package. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { childEnvironment } from '../safety/child-environment.ts'

/** The folder with package.json: the checkout, or the installed package, whose code is in `dist`. */
export const packageRoot = rootOf(import.meta.dirname)

function rootOf(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(folder)
  return parent === folder ? resolve('.') : rootOf(parent)
}

/** The folder with the published results of products and their known deviations. */
export const publishedFolder = join(packageRoot, 'reports/published')

export const suiteVersion: string = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')).version

let commit: string | null | undefined

/** Returns the commit of a checkout; null for an installed package, or if git is not available. */
export function suiteCommit(): string | null {
  if (commit === undefined) commit = readCommit()
  return commit
}

function readCommit(): string | null {
  if (!existsSync(join(packageRoot, '.git'))) return null
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: packageRoot,
      encoding: 'utf8',
      env: childEnvironment(),
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return null
  }
}
