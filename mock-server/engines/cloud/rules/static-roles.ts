/** The rules of static roles: document 3, Static role, States and transitions. */
import type { Form } from './types.ts'

export const staticRoles: {
  readonly forms: readonly Form[]
  /** The shortest period, in seconds. */
  readonly shortestPeriod: number
  /** The number of keys that the provider allows for a user. */
  readonly quota: number
  /** Returns the key that makes room for a new one, when the role is created or rotated. `keys` has the oldest first. */
  readonly leaving: <Key>(keys: readonly Key[], when: 'creation' | 'rotation') => Key | undefined
} = { forms: ['newer'], shortestPeriod: 60, quota: 2, leaving: ([oldest]) => oldest }
