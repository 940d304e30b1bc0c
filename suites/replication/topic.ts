/** Makes the topics of both kinds of replication. */
import { topic as bare, type Companion, type Topic } from '../../harness/vocabulary/index.ts'

/** Fields by the end of the path, with their defaults, which a request may have as well as leave out. A field that not every
 * version has is not among them. */
const defaults = {
  'primary/enable': { primary_cluster_addr: '' },
  'primary/secondary-token': { ttl: '30m' },
  'secondary/enable': { primary_api_addr: '' },
  'secondary/promote': { primary_cluster_addr: '' },
  'secondary/update-primary': { primary_api_addr: '' },
} as const

const companionsOf = (area: string): readonly Companion[] =>
  Object.entries(defaults).flatMap(([path, fields]) =>
    Object.entries(fields).map(([field, value]) => ({
      ...{ to: RegExp(`^POST sys/replication/${area.replace('-replication', '')}/${path}$`), field, value },
      row: `${area}.spelling.written-default`,
      unless: /-addr|ttl|spelling/,
    })),
  )

export const topic = (id: string, body: Omit<Parameters<typeof bare>[1], 'companions'>): Topic =>
  bare(id, { ...body, companions: companionsOf(id.split('/')[0] ?? '') })
