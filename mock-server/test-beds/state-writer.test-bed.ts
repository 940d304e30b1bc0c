/** Runs a server that keeps its state in a file, for tests that kill the process. Prints its URL. */
import { createMockServer } from '../server.ts'

const [, , stateFile = '', durable = ''] = process.argv
const server = await createMockServer({ stateFile, durable: durable === 'durable', rootToken: 'root' })
process.stdout.write(`${server.url}\n`)
