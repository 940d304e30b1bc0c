/** The names of the parts, in the order of the summary. */
export const partNames = ['plain', 'mutants', 'faults', 'legal', 'variations', 'denials', 'drawn', 'kills'] as const
export type PartName = (typeof partNames)[number]
