/** How the server treats RGPs and EGPs. They are `evaluated`, or any text is stored and not evaluated: then each
 * request that the policy governs passes with a warning (`opaque`), or the policy counts as failed on it
 * (`opaque-fail`). */
export const policyLanguages = ['evaluated', 'opaque', 'opaque-fail'] as const
export type PolicyLanguage = (typeof policyLanguages)[number]
