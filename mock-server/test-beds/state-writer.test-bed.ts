/** Runs a server that saves its state in a file, and sends writes to it in an endless loop, for tests that kill the
 * process. */
import { request } from 'node:http'
import { createMockServer } from '../server.ts'

const server = await createMockServer({ stateFile: process.argv[2] ?? '', rootToken: 'root' })

function write(count: number): void {
  const sent = request(`${server.url}/v1/secret/${count}`, {
    method: 'POST',
    headers: { 'x-vault-token': 'root', 'content-type': 'application/json' },
  })
  sent.on('response', (response) => response.resume().on('end', () => write(count + 1)))
  sent.end(JSON.stringify({ text: 'x'.repeat(2000) }))
}
write(0)
