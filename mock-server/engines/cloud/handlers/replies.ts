import type { Reply } from '../../../kernel/contracts.ts'

export const dataOf = (data: object): Reply => ({ kind: 'data', data })

/** Formats a duration such as `1h0m0s`. */
export const durationText = (seconds: number): string =>
  [Math.floor(seconds / 3600), 'h', Math.floor((seconds % 3600) / 60), 'm', seconds % 60, 's'].join('')
