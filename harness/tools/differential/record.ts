/** Reads and writes the record of a server, and holds what another server did against it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { folder } from './inputs.ts'
import type { Played } from './play.ts'
import type { Facts } from './shapes.ts'

/** One line for each input, so that a difference between two records is one line. */
export const recordText = (played: Played): string =>
  [...played].map(([input, facts]) => `${JSON.stringify({ input, facts })}\n`).join('')

export function readRecord(name: string): Played {
  const lines = readFileSync(join(folder, `${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
  return new Map(
    lines.map((line) => {
      const { input, facts } = JSON.parse(line) as { input: string; facts: readonly Facts[] }
      return [input, facts]
    }),
  )
}

export interface Difference {
  readonly input: string
  /** The number of the request, the field, and both values: `2 data.ttl: 60 → "60"`. */
  readonly fact: string
}

function* differing(theirs: Facts, ours: Facts): Generator<string> {
  const both = (name: string): string => `${name}: ${theirs[name] ?? 'absent'} → ${ours[name] ?? 'absent'}`
  if (theirs.status !== ours.status) yield both('status')
  // A refusal, or a reply without a body, shows nothing that could be compared with another reply.
  if (theirs.status?.[0] !== ours.status?.[0] || [theirs.status, ours.status].includes('204')) return
  const names = new Set([...Object.keys(theirs), ...Object.keys(ours)])
  names.delete('status')
  for (const name of names) if (theirs[name] !== ours[name]) yield both(name)
}

/** Returns where our server differs from the record. */
export const differences = (record: Played, ours: Played): readonly Difference[] =>
  [...ours].flatMap(([input, list]) => {
    const theirs = record.get(input)
    if (theirs?.length !== list.length) return [{ input, fact: 'the record is of other inputs: record it anew' }]
    return list.flatMap((facts, at) =>
      [...differing(theirs[at] ?? {}, facts)].map((fact) => ({ input, fact: `${at + 1} ${fact}` })),
    )
  })

/** Why the reference server differs: the documents decide otherwise, the recorded server has more or less than the
 * documents know, or the reference server refuses what it does not do. */
export const grounds = ['documents', 'beyond', 'not served'] as const

export interface Entry {
  readonly because: (typeof grounds)[number]
  readonly why: string
  /** Patterns, in which `*` stands for any text and `?` for one letter. */
  readonly inputs: readonly string[]
  readonly facts: readonly string[]
}

export const readEntries = (): readonly Entry[] =>
  parse(readFileSync(join(folder, 'differences.yaml'), 'utf8')) as readonly Entry[]

function matcher(pattern: string): RegExp {
  const literal = pattern.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's')
}

export interface Explained {
  /** Differences without an entry. */
  readonly unexplained: readonly Difference[]
  /** Patterns of entries that no difference needs. */
  readonly unneeded: readonly string[]
}

export function explain(found: readonly Difference[], entries: readonly Entry[]): Explained {
  const rest = new Set(found)
  const unneeded: string[] = []
  for (const { inputs, facts } of entries) {
    const inInputs = inputs.map((pattern) => ({ pattern, expression: matcher(pattern), used: false }))
    const inFacts = facts.map((pattern) => ({ pattern, expression: matcher(pattern), used: false }))
    for (const difference of found) {
      const input = inInputs.filter(({ expression }) => expression.test(difference.input))
      const fact = inFacts.filter(({ expression }) => expression.test(difference.fact))
      if (input.length === 0 || fact.length === 0) continue
      for (const one of [...input, ...fact]) one.used = true
      rest.delete(difference)
    }
    unneeded.push(...[...inInputs, ...inFacts].filter(({ used }) => !used).map(({ pattern }) => pattern))
  }
  return { unexplained: [...rest], unneeded }
}
