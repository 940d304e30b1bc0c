/** Places of document 2 that speak of the certificate authority engine, and how a register of them is written down. */
import type { register, Source } from '../../harness/vocabulary/index.ts'

export type Rows = Parameters<typeof register>[1]

const place =
  (section: string) =>
  (row: string, reading?: number): Source => ({
    document: 2,
    section,
    row,
    ...(reading ? { reading } : {}),
  })

export const purpose = place('What the service does')
export const roleField = place('Resources and their fields, Role')
export const otherResource = place('Resources and their fields, Other resources')
export const sharedGroup = place('Resources and their fields, Shared request field groups')
export const transition = place('States and transitions')
export const endpoint = place('Endpoints, Certificate authority engine')
export const authentication = place('Authentication')
export const error = place('Errors')
export const limit = place('Limits')
export const versioning = place('Versioning')

/** Statements of one place: id → our words. */
export const told = (level: 'must' | 'should', source: Source, statements: Readonly<Record<string, string>>): Rows =>
  Object.fromEntries(Object.entries(statements).map(([id, says]) => [id, { level, says, source }]))

export const must = (source: Source, statements: Readonly<Record<string, string>>): Rows =>
  told('must', source, statements)
export const should = (source: Source, statements: Readonly<Record<string, string>>): Rows =>
  told('should', source, statements)

/** The subject fields that roles and requests share; `serial_number` is no subject attribute (reading 12). */
export const subjectFields = [
  'ou',
  'organization',
  'country',
  'locality',
  'province',
  'street_address',
  'postal_code',
] as const
export type SubjectField = (typeof subjectFields)[number]

export const kebab = (field: string): string => field.replaceAll('_', '-')
