/** Runs the operations of clients against this server, and writes the outcomes as a table. */
import { execFile } from 'node:child_process'
import { createMockServer } from '../../../mock-server/server.ts'
import { type Client, type Memory, type Operation, operations, type Parts } from './operations.ts'

export type Outcome = 'served' | 'refused' | '–'

/** The outcomes by the name of the operation. */
export type Outcomes = Readonly<Record<string, Outcome>>

const rows: readonly Operation[] = Object.values(operations).flat()

/** Runs all operations that the client has, in order, against a fresh server. */
async function runSteps(
  stepOf: (operation: Operation, memory: Memory) => (() => Promise<unknown>) | undefined,
): Promise<Outcomes> {
  await using server = await createMockServer({ edition: 'community', rootToken: 'root' })
  const memory: Memory = { server, nonce: '', token: '', accessor: '' }
  const outcomes: Record<string, Outcome> = {}
  for (const operation of rows) {
    const step = stepOf(operation, memory)
    outcomes[operation.name] = step ? await outcomeOf(step) : '–'
  }
  return outcomes
}

const outcomeOf = (step: () => Promise<unknown>): Promise<Outcome> =>
  step().then(
    (reply) => (hasError(reply) ? 'refused' : 'served'),
    () => 'refused',
  )

/** Returns whether a reply is an error. One of the clients returns errors instead of throwing them. */
const hasError = (reply: unknown): boolean =>
  typeof reply === 'object' && reply !== null && 'error' in reply && reply.error !== undefined

/** Rejects if the package is missing: the packages are development dependencies of this project. */
const load = (name: string): Promise<Record<string, unknown>> => import(name)

export async function runNodeVault(): Promise<Outcomes> {
  const create = (await load('node-vault')).default as (options: object) => Client
  let client: Client | undefined
  return runSteps(({ nodeVault: step }, memory) => {
    const { url, rootToken } = memory.server
    client ??= create({ endpoint: url, token: rootToken })
    const current = client
    // The client switches to the token of each login and token creation, so each step restores the root token.
    return step && (() => step(current, memory).finally(() => Object.assign(current, { token: rootToken })))
  })
}

export async function runLitehex(): Promise<Outcomes> {
  const { Client: Made } = (await load('@litehex/node-vault')) as { Client: new (options: object) => Client & Parts }
  let parts: Parts | undefined
  return runSteps(({ litehex: step }, memory) => {
    const { url, rootToken } = memory.server
    if (!parts) {
      const client = new Made({ endpoint: url, token: rootToken })
      parts = { all: client, kv: client.kv, kv2: client.kv2, transit: client.transit }
    }
    const current = parts
    return step && (() => step(current, memory))
  })
}

/** Runs the command line client of that name. Returns undefined if it is not installed. */
export async function runCommand(name: string): Promise<Outcomes | undefined> {
  const isInstalled = await new Promise((resolve) => execFile(name, ['version'], (error) => resolve(!error)))
  if (!isInstalled) return undefined
  return runSteps(({ command }, { server: { url, rootToken } }) => {
    const addresses = { VAULT_ADDR: url, BAO_ADDR: url, VAULT_TOKEN: rootToken, BAO_TOKEN: rootToken }
    const env = { ...process.env, ...addresses, VAULT_SKIP_VERIFY: '', HOME: '/nonexistent' }
    const run = (given: readonly string[]) =>
      new Promise((resolve, reject) =>
        execFile(name, given, { env, timeout: 20_000 }, (error, text) => (error ? reject(error) : resolve(text))),
      )
    return command && (() => run(command))
  })
}

/** Returns the table in Markdown, with a column for each client. */
export function tableOf(columns: Readonly<Record<string, Outcomes>>): string {
  const names = Object.keys(columns)
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const sections = Object.entries(operations).map(([title, list]) => {
    const body = list.map(({ name }) => line([name, ...names.map((client) => columns[client]?.[name] ?? '–')]))
    const head = [line([title, ...names]), line(['---', ...names.map(() => '---')])]
    return [...head, ...body].join('\n')
  })
  return `${sections.join('\n\n')}\n`
}

/** Reads the column of a client from a table. Returns undefined if the table has no such column. */
export function columnIn(table: string, client: string): Outcomes | undefined {
  const outcomes: Record<string, Outcome> = {}
  let column = -1
  for (const text of table.split('\n').filter((line) => line.startsWith('|'))) {
    const cells = text
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim())
    if (cells.includes(client)) column = cells.indexOf(client)
    else if (cells[0] && !cells[0].startsWith('---')) outcomes[cells[0]] = cells[column] as Outcome
  }
  return column === -1 ? undefined : outcomes
}
