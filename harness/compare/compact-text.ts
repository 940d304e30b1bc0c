/** The compact form as text, and back. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { CompactResult } from '../vocabulary/index.ts'
import schema from './compact.schema.json' with { type: 'json' }

/** A line for each check, so that a difference between two versions of the file can be read. */
export function compactText(result: CompactResult): string {
  const { checks, ...rest } = result
  const lines = Object.entries(checks).map(([id, check]) => `    ${JSON.stringify(id)}: ${JSON.stringify(check)}`)
  const head = JSON.stringify(rest, null, 2).replace(/\n\}$/, '')
  return `${head},\n  "checks": {\n${lines.join(',\n')}\n  }\n}\n`
}

let validate: ReturnType<Ajv2020['compile']> | undefined

/** Says what keeps a value from being a compact result; undefined where nothing does. */
export function faultOfCompact(json: unknown): string | undefined {
  validate ??= new Ajv2020({ strict: true, allErrors: false, allowUnionTypes: true }).compile(schema)
  if (validate(json)) return undefined
  const [error] = validate.errors ?? []
  return `${error?.instancePath || 'it'} ${error?.message ?? 'is not as the schema says'}`
}
