/** The pages of the repository, for tests that compare them with the code. */
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '..')

export interface Page {
  /** Relative to the root of the repository. */
  readonly file: string
  readonly text: string
}

export const pageAt = (file: string): Page => ({ file, text: readFileSync(join(root, file), 'utf8') })

/** The root README comes first, then the other pages of the root, then those in the folders. */
export const pages: readonly Page[] = [
  'README.md',
  ...globSync('*.md', { cwd: root, exclude: ['README.md'] }).sort(),
  ...globSync('{harness,suites,fixtures,mock-server,reports}/**/*.md', { cwd: root }).sort(),
].map(pageAt)

/** Returns the code blocks of a language; only those whose fence has no other text. */
export const blocksOf = ({ text }: Page, language: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map((match) =>
    (match[1] ?? '').trim(),
  )
