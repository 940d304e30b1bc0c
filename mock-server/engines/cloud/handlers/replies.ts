import type { Reply } from '../../../kernel/contracts.ts'

export const dataOf = (data: object): Reply => ({ kind: 'data', data })
