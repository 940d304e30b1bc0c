import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commands } from './cli.ts'
import { type Page, pages, root } from './pages.test-bed.ts'

const withoutBlocks = ({ text }: Page): string => text.replace(/^ *```[\s\S]*?^ *```/gm, '')

/** Returns the anchors that GitHub generates from headings. */
const anchorsOf = (page: Page): readonly string[] =>
  [...withoutBlocks(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  )

const linksOf = (page: Page): readonly string[] =>
  [...withoutBlocks(page).matchAll(/\]\(((?!https?:)[^)\s]+)\)/g)].map(([, link = '']) => link)

function isBroken(page: Page, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page.file : normalize(join(dirname(page.file), path))
  if (!existsSync(join(root, target))) return true
  if (anchor === undefined) return false
  const linked = pages.find(({ file }) => file === target)
  return linked === undefined || !anchorsOf(linked).includes(anchor)
}

const filesLinkedFrom = (page: Page): readonly string[] =>
  linksOf(page).map((link) => normalize(join(dirname(page.file), link.replace(/#.*/, ''))))

/** Returns the files of the project that a page names as code, relative to the root or to the folder of the page. Names
 * with a placeholder do not count. */
const filesNamedIn = (page: Page): readonly string[] =>
  [...withoutBlocks(page).matchAll(/`([^`\s]+)`/g)]
    .map(([, code = '']) => code)
    .filter((code) => /^[\w.@-]+(\/[\w.*{},-]+)+$/.test(code) && /\.(ts|js|schema\.json|md)$/.test(code))

const isThere = (page: Page, name: string): boolean =>
  ['', dirname(page.file)].some((from) => globSync(join(from, name), { cwd: root }).length > 0)

const helpOf = new Map(
  await Promise.all(
    Object.values(commands).map(async (load) => {
      const command = (await load())({} as never, () => {})
      command.showsAll = true
      return [command.name(), command.helpInformation()] as const
    }),
  ),
)

/** Returns commands within sentences: `assay run --area pki`. `page-commands.test.ts` runs those in blocks of their
 * own. */
const commandsIn = ({ text }: Page): readonly string[] =>
  [...text.matchAll(/(?<=`|^ *)(?:npx )?(assay (?:[a-z]+)(?: [^`\n]*)?)/gm)].map(([, command = '']) => command)

/** Returns the parts of a command that do not exist: the command itself, or options of it. */
function unknownIn(command: string): readonly string[] {
  const [, name = '', ...words] = command.split(' ')
  const help = helpOf.get(name)
  if (help === undefined) return [name]
  const options = words.flatMap((word) => /^--[a-z-]+/.exec(word)?.[0] ?? [])
  return options.filter((option) => option !== '--help' && !new RegExp(`${option}[ ,\n]`).test(help))
}

describe('pages', () => {
  test('are found, and have links', () => {
    expect(pages.length).toBeGreaterThan(8)
    expect(pages.flatMap(linksOf).length).toBeGreaterThan(100)
    expect(pages.flatMap(filesNamedIn).length).toBeGreaterThan(20)
  })

  test.each(pages.map((page) => [page.file, page] as const))('%s has no broken links', (_, page) => {
    expect(linksOf(page).filter((link) => isBroken(page, link))).toEqual([])
  })

  // The changelog names files that may no longer exist.
  const current = pages.filter(({ file }) => file !== 'CHANGELOG.md')
  test.each(current.map((page) => [page.file, page] as const))('%s names only files that exist', (_, page) => {
    expect(filesNamedIn(page).filter((name) => !isThere(page, name))).toEqual([])
  })

  test('the glossary has at most 60 words', () => {
    const [, glossary = ''] =
      /^## Glossary\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(readFileSync(join(root, 'harness/README.md'), 'utf8')) ?? []
    const words = glossary.match(/\*\*[^*]+\*\*(?=[:,]| \(| of)/g) ?? []
    expect(words.length).toBeGreaterThan(40)
    expect(words.length).toBeLessThanOrEqual(60)
  })

  /** What newcomers look for: the file that answers the question, and a text in it. */
  test.each([
    ['the default TTL of a leaf', 'fixtures/api/pki-requests.ts', "default: fallback('role.ttl'"],
    ['where deny wins', 'mock-server/kernel/acl/compile.ts', "words.has('deny') ? new Set(['deny'])"],
    ['the check for an absent cloud role', 'suites/cloud/errors.ts', "'deleting-a-missing-role-answers-404'"],
    ['the text of exit code 7', 'harness/verdict/verdict-words.ts', "'left-behind': {"],
    ['how base64 is redacted', 'harness/redaction/secret-encodings.ts', 'function base64Forms'],
    ['the retry rules', 'harness/wire/retries.ts', 'function waitBefore'],
    ['how to add an area', 'suites/README.md', '## How to add an area'],
    ['how to add a check', 'suites/README.md', '## How to add a check'],
    ['the words of an obstacle', 'harness/vocabulary/reasons.ts', 'obstacles: {'],
    ['which files clean up after a run', 'harness/README.md', '### How a run cleans up after itself'],
  ])('lead from the README to %s within two links', (_, file, text) => {
    const [first] = pages
    const near = new Set(first ? [first.file, ...filesLinkedFrom(first)] : [])
    const far = pages.filter((page) => near.has(page.file)).flatMap(filesLinkedFrom)
    expect([...near, ...far]).toContain(file)
    expect(readFileSync(join(root, file), 'utf8')).toContain(text)
  })

  test('show only commands and options that exist', () => {
    const shown = current.flatMap(commandsIn)
    expect(shown.length).toBeGreaterThan(30)
    expect(shown.filter((command) => unknownIn(command).length > 0)).toEqual([])
  })
})
