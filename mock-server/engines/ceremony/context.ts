/** The endpoints of one ceremony work on this context. There are two ceremonies, one for operation tokens and one for
 * root tokens. */
import type { Services } from '../../kernel/services.ts'
import { createTurns, type Turns } from '../../kernel/turns.ts'
import type { Encoding } from './handlers/token-encodings.ts'
import type { AttemptRules, AttemptState } from './rules.ts'

export interface Issuing {
  /** Returns the id that the token will have. */
  prepare(): string
  /** Makes the token live. */
  issue(id: string): void
}

export interface Attempt {
  /** The digest of the root key whose shares the attempt collects. */
  readonly rootKey: string
  readonly nonce: string
  readonly token: string
  readonly encoding: Encoding
  /** The shares in hexadecimal. */
  given: readonly string[]
  encoded: string
}

export interface Context {
  readonly services: Services
  readonly rules: AttemptRules
  readonly issuing: Issuing
  readonly inTurn: Turns
  state: AttemptState
  attempt: Attempt | undefined
}

export const createContext = (services: Services, rules: AttemptRules, issuing: Issuing): Context => ({
  ...{ services, rules, issuing, inTurn: createTurns() },
  ...{ state: 'none', attempt: undefined },
})

/** Forgets the attempt, also where the rules do not allow a cancellation. */
export const clear = (context: Context): void => void Object.assign(context, { state: 'none', attempt: undefined })
