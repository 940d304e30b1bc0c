/** Measures a run on a distant deployment: all areas that need only one cluster, through a proxy that delays each
 * byte. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cli, reference, startPeer } from './process.ts'
import type { Row } from './table.ts'

const roundTripMs = 100
const boundSeconds = 40
const areas = 'policies,pki,plugin-catalog,mfa-legacy,mfa-identity,cloud'
const rootToken = 'bench-test-root-token'

function delayed(from: Socket, to: Socket): void {
  const later = (work: () => void) => setTimeout(work, roundTripMs / 2)
  from.setNoDelay(true)
  from.on('data', (chunk) => later(() => to.writable && to.write(chunk)))
  from.on('end', () => later(() => to.end()))
  from.on('error', () => to.destroy())
}

/** Starts a proxy to the server at a URL that delays each byte by half a round trip. */
async function startDistance(url: URL) {
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(url.port), url.hostname)
    for (const socket of [near, far]) open.add(socket.once('close', () => open.delete(socket)))
    delayed(near, far)
    delayed(far, near)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

export async function distanceRows(say: (text: string) => void): Promise<readonly Row[]> {
  say('a run on a distant deployment')
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  const file = join(folder, 'profile.json')
  const args = [...reference.args, '--write-profile', file]
  const peer = await startPeer({ ...reference, args }, { ASSAY_ROOT_TOKEN: rootToken })
  const url = new URL(peer.url)
  const distance = await startDistance(url)
  try {
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(url.host, `127.0.0.1:${distance.port}`))
    const flags = ['--profile', file, '--area', areas, '--out', join(folder, 'out'), '--format', 'json']
    const startedAt = performance.now()
    const child = spawn(process.execPath, [cli, 'run', ...flags], {
      stdio: 'ignore',
      env: { ...process.env, ASSAY_TOKEN: rootToken },
    })
    const [code] = await once(child, 'exit')
    if (code !== 0 && code !== 3) throw new Error(`assay run on the distant deployment ended with ${String(code)}`)
    const seconds = (performance.now() - startedAt) / 1000
    return [
      {
        what: 'six areas at a distance of 100 ms',
        ours: `${seconds.toFixed(1)} s`,
        peer: `${boundSeconds} s`,
        ratio: seconds / boundSeconds,
        bound: { kind: 'at-most', value: 1 },
      },
    ]
  } finally {
    distance.close()
    await peer.stop()
    rmSync(folder, { recursive: true })
  }
}
