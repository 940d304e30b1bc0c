import type { Mutant } from '../../../kernel/contracts.ts'
import type { MfaTables, Variant } from '../tables.ts'
import { type Fault, inVariant } from './cells.ts'
import { fieldFaults } from './fields.ts'
import { listFaults, methodFaults, nameFaults } from './methods.ts'
import { methodOptional, secretFaults } from './secrets.ts'
import { validationFaults } from './validation.ts'

const inEach: readonly Fault[] = [...fieldFaults, ...secretFaults, ...methodFaults]

const byVariant: Readonly<Record<Variant, readonly Fault[]>> = {
  legacy: [...inEach, ...nameFaults],
  identity: [
    ...inEach,
    ...(['generate', 'admin-generate', 'admin-destroy'] as const).map(methodOptional),
    ...listFaults,
    ...validationFaults,
  ],
}

const mutantsOf = (variant: Variant): readonly Mutant<MfaTables>[] =>
  byVariant[variant].map(({ id, does, change }) => ({
    id: `mfa-${variant}/${id}`,
    does,
    change: inVariant(variant, change),
  }))

/** Every mutant of the two variants. */
export const mutants: readonly Mutant<MfaTables>[] = [...mutantsOf('legacy'), ...mutantsOf('identity')]
