/** NOTICE names the licences that require more than a copy of their text, for anyone who redistributes Assay. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const notice = readFileSync(resolve(root, 'NOTICE'), 'utf8')

interface Locked {
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}
const { packages } = JSON.parse(readFileSync(resolve(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>
}

const permissive = new Set(['Apache-2.0', 'MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0'])

/** Every licence that a package installed with Assay may have. A new one is a decision, which belongs in NOTICE. */
const accepted = new Set([
  ...permissive,
  'LGPL-3.0+',
  'MPL-2.0',
  '(MPL-2.0 OR Apache-2.0)',
  '(BSD-3-Clause OR GPL-2.0)',
  'Python-2.0',
])

/** Finds a package as Node does: in the folder of the importing package, else in a folder further out. */
function placeOf(name: string, from: string): string | undefined {
  const place = `${from === '' ? '' : `${from}/`}node_modules/${name}`
  if (place in packages) return place
  return from === ''
    ? undefined
    : placeOf(name, from.replace(/\/?(?:@[^/]+\/)?[^/]+$/, '').replace(/\/?node_modules$/, ''))
}

/** Returns everything that a package installs, including its peers, which users install beside Assay for some
 * commands. */
function reached(path: string, seen: Set<string>): Set<string> {
  const { dependencies, optionalDependencies, peerDependencies } = packages[path] ?? {}
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
    const place = placeOf(name, path)
    if (place !== undefined && !seen.has(place)) reached(place, seen.add(place))
  }
  return seen
}
const installed = [...reached('', new Set())].map((path) => ({
  name: path.replace(/^.*node_modules\//, ''),
  license: packages[path]?.license,
}))
const others = installed.filter(({ license }) => license === undefined || !permissive.has(license))

describe('the licences of what is installed with Assay', () => {
  test('are stated by each package', () => {
    expect(installed.length).toBeGreaterThan(100)
    expect(installed.filter(({ license }) => license === undefined)).toEqual([])
  })

  test('are on the list', () => {
    expect(installed.filter(({ license = '' }) => !accepted.has(license))).toEqual([])
  })

  test.each(others.map(({ name, license = '' }) => [name, license] as const))(
    '%s, %s: is named in NOTICE with its licence',
    (name, license) => {
      // A package with a build for each platform is named once.
      const entries = notice.split(/\n(?=- )/)
      const named = entries.find((entry) => entry.startsWith(`- ${name}`) || isBuildOf(name, entry))
      expect(named).toContain(license)
    },
  )

  test('are named in NOTICE only for packages that are installed', () => {
    const named = [...notice.matchAll(/^- ([@\w/.-]+)/gm)].map((match) => match[1])
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((name) => !others.some((other) => other.name === name))).toEqual([])
  })
})

const isBuildOf = (name: string, entry: string): boolean => {
  const [, whole = ''] = /^- ([\w.-]+), and the build of it/.exec(entry) ?? []
  return whole !== '' && name.startsWith(`${whole}-`)
}
