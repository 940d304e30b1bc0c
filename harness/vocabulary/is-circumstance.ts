import type { Circumstance, Varied } from './fault.ts'

export const isCircumstance = (varied: Varied): varied is Circumstance => !('spelling' in varied)
