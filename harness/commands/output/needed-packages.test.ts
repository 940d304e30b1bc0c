import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { areas } from '../../vocabulary/index.ts'
import { packageRoot } from '../version.ts'
import { formats } from './formats.ts'
import { assertInstalled, packagesToJudge, packagesToRender } from './needed-packages.ts'

const { peerDependencies, peerDependenciesMeta, devDependencies } = JSON.parse(
  readFileSync(join(packageRoot, 'package.json'), 'utf8'),
) as Readonly<Record<string, Readonly<Record<string, string>>>>

describe('packages that only some commands need', () => {
  test('are exactly the optional peers, and are installed in a checkout', () => {
    const all = [...packagesToJudge(areas, true), ...packagesToRender(formats)]
    expect([...new Set(all)].sort()).toEqual(Object.keys(peerDependencies ?? {}).sort())
    expect(Object.values(peerDependenciesMeta ?? {})).toEqual(all.slice(0, 7).map(() => ({ optional: true })))
    expect(Object.keys(devDependencies ?? {})).toEqual(expect.arrayContaining(all))
    expect(() => assertInstalled('assay run', all)).not.toThrow()
  })

  test('depend on the target', () => {
    expect(packagesToJudge(['policies', 'cloud'], false)).toEqual(['vitest'])
    expect(packagesToJudge(['policies', 'cloud'], true)).toEqual([
      'vitest',
      '@aws-sdk/client-iam',
      '@aws-sdk/client-sts',
    ])
    expect(packagesToRender(['html', 'json'])).toEqual([])
  })

  test('are requested in one message, with the tested versions', () => {
    expect(() => assertInstalled('assay run', ['vitest', 'openpgp', 'vitest'], () => undefined)).toThrow(
      `assay run needs packages that are not installed with assay: npm i -D vitest@${devDependencies?.vitest} openpgp@${devDependencies?.openpgp}`,
    )
    expect(() => assertInstalled('assay run', ['vitest'], () => '3.2.4')).toThrow(/ instead of vitest 3\.2\.4$/)
  })
})
