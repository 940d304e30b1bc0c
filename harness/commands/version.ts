/** The version says which suite this is. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** The folder with package.json: the checkout, or the installed package, whose code is in `dist`. */
export const packageRoot = rootOf(import.meta.dirname)

function rootOf(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(folder)
  return parent === folder ? resolve('.') : rootOf(parent)
}

/** The published results of products, and what is known of them. */
export const publishedFolder = join(packageRoot, 'reports/published')

export const suiteVersion: string = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')).version

/** The commit of a checkout; null for an installed package, or where git is missing. */
export function suiteCommit(): string | null {
  if (!existsSync(join(packageRoot, '.git'))) return null
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: packageRoot,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return null
  }
}
