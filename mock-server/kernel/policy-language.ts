/** What becomes of RGPs and EGPs. They are evaluated; or any text is stored as it is and not evaluated, so that each
 * request that it governs passes with a warning (`opaque`), or counts as one on which the policy failed (`opaque-fail`). */
export const policyLanguages = ['evaluated', 'opaque', 'opaque-fail'] as const
export type PolicyLanguage = (typeof policyLanguages)[number]
