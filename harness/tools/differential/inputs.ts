/** Reads the inputs of the differential record: requests in the order in which they are sent, in groups that share
 * set-up requests. */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'yaml'

export interface Step {
  readonly method: string
  /** The path below `/v1/`, or a whole path if it begins with a slash. It may contain `${name}` of a kept value. */
  readonly path: string
  readonly body: string | undefined
  readonly headers: Readonly<Record<string, string>>
  /** Values of the reply that later requests of the group use: the name, and where the value is. */
  readonly keep: Readonly<Record<string, string>>
}

export interface Input {
  /** The group and a name: `kv/number-of-20-digits`. */
  readonly id: string
  /** The input, and the reads that show its effect. */
  readonly steps: readonly Step[]
}

export interface Group {
  readonly name: string
  readonly setup: readonly Step[]
  readonly inputs: readonly Input[]
}

type WrittenStep = string | { readonly send: string; readonly headers?: object; readonly keep?: object }

interface WrittenGroup {
  readonly setup?: readonly WrittenStep[]
  readonly inputs: Readonly<Record<string, WrittenStep | readonly WrittenStep[]>>
}

export const folder = join(import.meta.dirname, '../../../fixtures/differential')

/** Returns the step of a line such as `POST kv/a {"v":1}`. Everything after the path is the body, as it is sent. */
export function stepOf(written: WrittenStep): Step {
  const { send, headers = {}, keep = {} } = typeof written === 'string' ? { send: written } : written
  const [, method = '', path = '', body] = /^(\S+) (\S+)(?: (.*))?$/s.exec(send) ?? []
  if (method === '') throw new Error(`${JSON.stringify(send)} is not a method, a path and optionally a body`)
  return { method, path, body, headers: { ...headers }, keep: { ...keep } }
}

function groupOf(file: string): Group {
  const { setup = [], inputs } = parse(readFileSync(file, 'utf8')) as WrittenGroup
  const name = basename(file, '.yaml')
  const list = Object.entries(inputs).map(([id, steps]) => ({
    id: `${name}/${id}`,
    steps: [steps].flat().map((step) => stepOf(step as WrittenStep)),
  }))
  return { name, setup: setup.map(stepOf), inputs: list }
}

export const readGroups = (): readonly Group[] => globSync(join(folder, 'inputs/*.yaml')).toSorted().map(groupOf)
