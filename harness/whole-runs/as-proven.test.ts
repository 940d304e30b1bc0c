import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { topics } from '../../suites/index.ts'
import { assay } from '../commands/child.test-bed.ts'

interface Recorded {
  readonly checks: readonly {
    readonly exchanges: readonly { readonly phase: string; readonly method: string; readonly url: string }[]
  }[]
}

test('a run judges a check as it is proven: with the frame that its area puts around it', async () => {
  const address = 'pki/fields-urls/ocsp-servers-are-encoded-into-certificates'
  const all = topics.flatMap(({ topic }) => topic.checks.map((check) => ({ id: `${topic.id}/${check.id}`, check })))
  const { frame = [] } = all.find(({ id }) => id === address)?.check ?? {}
  expect(frame.map(({ read }) => read.path)).toEqual(['{twin}/config/urls'])
  const out = mkdtempSync(join(tmpdir(), 'assay-as-proven-'))
  try {
    const run = ['run', 'embedded', '--check', address, '--out', out]
    expect(await assay(run)).toMatchObject({ code: 0 })
    const { checks } = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')) as Recorded
    const reads = checks.flatMap(({ exchanges }) =>
      exchanges.filter(({ method, url }) => method === 'GET' && url.endsWith('-twin/config/urls')),
    )
    expect(reads.map(({ phase }) => phase)).toEqual(['before', 'then'])
  } finally {
    rmSync(out, { recursive: true })
  }
})
