/** Writes a compact result as text, and validates one that was read. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { CompactResult } from '../vocabulary/index.ts'
import schema from './compact.schema.json' with { type: 'json' }

/** Writes each check on one line, which keeps a diff of two versions of the file readable. */
export function compactText(result: CompactResult): string {
  const { checks, ...rest } = result
  const lines = Object.entries(checks).map(([id, check]) => `    ${JSON.stringify(id)}: ${JSON.stringify(check)}`)
  const head = JSON.stringify(rest, null, 2).replace(/\n\}$/, '')
  return `${head},\n  "checks": {\n${lines.join(',\n')}\n  }\n}\n`
}

let validate: ReturnType<Ajv2020['compile']> | undefined

/** Returns why a value is not a valid compact result, or undefined if it is valid. */
export function faultOfCompact(json: unknown): string | undefined {
  validate ??= new Ajv2020({ strict: true, allErrors: false, allowUnionTypes: true }).compile(schema)
  if (validate(json)) return undefined
  const [error] = validate.errors ?? []
  return `${error?.instancePath || 'it'} ${error?.message ?? 'does not match the schema'}`
}
