/** Makes the topics of both kinds of replication. */
import { topic as bare, type Companion, type Topic } from '../../harness/vocabulary/index.ts'

/** Fields with their defaults, which a request may have as well as leave out. A field that not every
 * version has is not among them. */
const defaults = [
  [/^POST sys\/replication\/\w+\/primary\/enable$/, 'primary_cluster_addr', ''],
  [/^POST sys\/replication\/\w+\/primary\/secondary-token$/, 'ttl', '30m'],
  [/^POST sys\/replication\/\w+\/secondary\/enable$/, 'primary_api_addr', ''],
  [/^POST sys\/replication\/\w+\/secondary\/promote$/, 'primary_cluster_addr', ''],
  [/^POST sys\/replication\/\w+\/secondary\/update-primary$/, 'primary_api_addr', ''],
] as const

const companionsOf = (area: string): readonly Companion[] =>
  defaults.map(([to, field, value]) => ({
    ...{ to, field, value },
    row: `${area}.spelling.written-default`,
    unless: /-addr|ttl|spelling/,
  }))

export const topic = (id: string, body: Omit<Parameters<typeof bare>[1], 'companions'>): Topic =>
  bare(id, { ...body, companions: companionsOf(id.split('/')[0] ?? '') })
