/** Measures how many writes a second the reference server answers if each is on disk before its answer. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { reference, startPeer } from './process.ts'
import type { Row } from './table.ts'

const clients = 16
const wanted = 2000

export async function durableRows(say: (text: string) => void): Promise<readonly Row[]> {
  const what = `assay serve --durable, writes of ${clients} clients`
  say(what)
  const folder = mkdtempSync(join(tmpdir(), 'assay-durable-'))
  const state = ['--state', join(folder, 'state.json'), '--durable']
  const peer = await startPeer({ ...reference, args: [...reference.args, ...state] })
  try {
    const { '2xx': done, duration } = await autocannon({
      url: peer.url.replace('sys/health', 'sys/policies/acl/bench'),
      method: 'POST',
      headers: peer.headers,
      body: JSON.stringify({ policy: 'path "secret/*" {\n  capabilities = ["read"]\n}\n' }),
      connections: clients,
      duration: 5,
    })
    const rate = done / duration
    const row = { what, ours: `${Math.round(rate)}/s`, peer: `${wanted}/s`, ratio: rate / wanted }
    return [{ ...row, bound: { kind: 'at-least', value: 1 } }]
  } finally {
    await peer.stop()
    rmSync(folder, { recursive: true })
  }
}
