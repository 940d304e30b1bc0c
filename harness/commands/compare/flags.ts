import type { SelectionFlags } from '../options/options.ts'

export const compareFormats = ['html', 'markdown', 'json'] as const

export interface CompareFlags extends SelectionFlags {
  readonly out: string
  readonly format: readonly (typeof compareFormats)[number][]
  readonly title: string
  readonly jobs: number
  readonly overwrite?: boolean
}
