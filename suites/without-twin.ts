/** The refusals that need no control, and why. `suites/catalog-consistency.test.ts` and `assay vet` refuse all others. */
interface WithoutTwin {
  /** The address of a check, or a glob. */
  readonly check: string
  readonly why: string
}

export const withoutTwin: readonly WithoutTwin[] = [
  {
    check: 'policies/versions/*-is-absent-before-0-9',
    why: 'A server of such a version has no endpoint at which anything could succeed.',
  },
  {
    check: 'cloud/errors-provider/*-is-refused-where-the-provider-refuses',
    why: 'Only the provider differs, and it refuses every call until the check has ended.',
  },
]
