/** Makes faults that change one cell of the tables of a variant. */
import type { Field, Settings } from '../store.ts'
import type { FieldRule, MfaTables, Variant, VariantTables } from '../tables.ts'

export type VariantChange = (tables: VariantTables) => VariantTables

/** A mutant that is not yet tied to a variant. The name of the variant is then put before its id. */
export interface Fault {
  readonly id: string
  readonly does: string
  readonly change: VariantChange
}

export const fault = (id: string, does: string, change: VariantChange): Fault => ({ id, does, change })

export const inVariant =
  (variant: Variant, change: VariantChange) =>
  (tables: MfaTables): MfaTables => ({ ...tables, [variant]: change(tables[variant]) })

export const cells =
  (changed: Partial<VariantTables>): VariantChange =>
  (tables) => ({ ...tables, ...changed })

type Groups = 'missing' | 'unknown' | 'callers' | 'secret' | 'url' | 'validation' | 'deletion'
export const inGroup =
  <Group extends Groups>(
    group: Group,
    change: (before: VariantTables[Group]) => Partial<VariantTables[Group]>,
  ): VariantChange =>
  (tables) => ({ ...tables, [group]: { ...tables[group], ...change(tables[group]) } })

export const inField =
  <Name extends Field>(
    field: Name,
    change: (before: FieldRule<Settings[Name]>) => Partial<FieldRule<Settings[Name]>>,
  ): VariantChange =>
  (tables) => {
    const before: FieldRule<Settings[Name]> = tables.fields[field]
    return { ...tables, fields: { ...tables.fields, [field]: { ...before, ...change(before) } } }
  }
