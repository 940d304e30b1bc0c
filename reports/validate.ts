import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import schema from './result.schema.json' with { type: 'json' }

const known = schema.$id
let compiled: ReturnType<Ajv2020['compile']> | undefined

/** Checks that a value is a result document of the schema that this version reads. Returns one sentence about the first
 * error, or an empty list. */
export function validateResult(json: unknown): readonly string[] {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return ['it is not a JSON object.']
  const given = 'schema' in json ? json.schema : undefined
  if (given !== known) return [foreign(given, json)]
  compiled ??= compile()
  return compiled(json) ? [] : [sentence(compiled.errors?.[0])]
}

function compile(): ReturnType<Ajv2020['compile']> {
  const ajv = new Ajv2020({ strict: true, allErrors: false, allowUnionTypes: true })
  ajvFormats.default(ajv)
  return ajv.compile(schema)
}

function foreign(given: unknown, json: object): string {
  if (typeof given !== 'string') return `it has no "schema" (expected ${known}); is it a result.json of assay?`
  const number = /^assay\/result\/(\d+)$/.exec(given)?.[1]
  if (number === undefined) return `its schema is ${JSON.stringify(given)}, but this version reads ${known}.`
  const suite = 'suite' in json ? json.suite : undefined
  const version =
    typeof suite === 'object' && suite !== null && 'version' in suite && typeof suite.version === 'string'
      ? `assay ${suite.version}`
      : 'a newer version of assay'
  return Number(number) > Number(known.split('/').at(-1))
    ? `it was written by ${version} with the schema ${given}, but this version reads ${known}: update assay, or render it with the version that wrote it.`
    : `its schema ${given} is older than ${known}, which this version reads: run again to get a new result, or render it with the build that wrote it (${version}).`
}

function sentence(error: ErrorObject | undefined): string {
  const where = error?.instancePath || 'the document'
  const parameters = error?.params ?? {}
  if (error?.keyword === 'required') return `${where} lacks "${parameters.missingProperty}".`
  if (error?.keyword === 'enum') return `${where} must be one of ${parameters.allowedValues.join(', ')}.`
  return `${where} ${error?.message ?? 'does not match the schema'}.`
}
