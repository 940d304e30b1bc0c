/** Places of document 1 that speak of replication. */
import type { Applies, Level, register, Source } from '../../harness/vocabulary/index.ts'

export type Rows = Parameters<typeof register>[1]
export type ReplicationArea = 'dr-replication' | 'performance-replication'

/** The replication endpoints are part of the enterprise editions. */
export const enterprise: Applies = { editions: ['enterprise', 'premium'] }

const place = (section: string, row: string, reading?: number): Source => ({
  document: 1,
  section,
  row,
  ...(reading ? { reading } : {}),
})

export const resource = (name: string, row: string, reading?: number): Source =>
  place(`Resources and their fields, ${name}`, row, reading)
export const transition = (row: string, reading?: number): Source => place('States and transitions', row, reading)
export const attempt = (row: string, reading?: number): Source =>
  place('States and transitions, Token generation attempt', row, reading)
/** `row` is the method and the path below `{prefix}`, as in the table. */
export const endpoint = (row: string, reading?: number): Source =>
  place('Endpoints, Replication endpoints', row, reading)
export const drEndpoint = (row: string, reading?: number): Source => place('Endpoints, DR-only endpoints', row, reading)
export const performanceEndpoint = (row: string, reading?: number): Source =>
  place('Endpoints, Performance-only endpoints', row, reading)
export const authentication = (row: string, reading?: number): Source => place('Authentication', row, reading)
export const limit = (row: string): Source => place('Limits', row)
export const versioning = (row: string): Source => place('Versioning', row)
export const errors: Source = place('Errors', 'Error status codes and error body shape')
export const availability: Source = place('What the service does', 'Availability, first sentence')

type Row = readonly [says: string, source: Source, applies?: Applies]

const levelled = (level: Level, rows: Readonly<Record<string, Row>>): Rows =>
  Object.fromEntries(
    Object.entries(rows).map(([id, [says, source, applies = enterprise]]) => [id, { level, says, source, applies }]),
  )

export const must = (rows: Readonly<Record<string, Row>>): Rows => levelled('must', rows)
export const should = (rows: Readonly<Record<string, Row>>): Rows => levelled('should', rows)
/** Never asserted: what a server does here is its own business. */
export const left = (rows: Readonly<Record<string, readonly [says: string, source: Source, open: string]>>): Rows =>
  Object.fromEntries(
    Object.entries(rows).map(([id, [says, source, open]]) => [
      id,
      { level: 'info', says, source, open, applies: enterprise },
    ]),
  )
