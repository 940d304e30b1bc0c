/** The endpoints of one ceremony work on this context: the attempt in progress, and what earlier attempts left. There
 * are two ceremonies, one for operation tokens and one for root tokens. */
import type { Services } from '../../kernel/services.ts'
import { createTurns, type Turns } from '../../kernel/turns.ts'
import type { Encoding } from './handlers/token-encodings.ts'
import type { AttemptState, AttemptTables } from './tables.ts'

/** Makes the token of an attempt. */
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
  encoding: Encoding
  /** The shares in hexadecimal. */
  given: readonly string[]
  encoded: string
}

export interface Context {
  readonly services: Services
  readonly tables: () => AttemptTables
  readonly issuing: Issuing
  readonly inTurn: Turns
  state: AttemptState
  attempt: Attempt | undefined
  /** What a cancelled attempt passes on to the next attempt. Only a mutant passes anything on. */
  left: Partial<Pick<Attempt, 'encoding' | 'given'>> & {
    /** The encoding of the next attempt if its caller gives no PGP key. */
    readonly withoutKey?: Encoding
  }
  /** The nonces of cancelled attempts. */
  former: readonly string[]
  firstNonce: string
}

const nothing = (): Pick<Context, 'state' | 'attempt' | 'left' | 'former' | 'firstNonce'> => ({
  state: 'none',
  attempt: undefined,
  left: {},
  former: [],
  firstNonce: '',
})

export const createContext = (services: Services, tables: () => AttemptTables, issuing: Issuing): Context => ({
  ...{ services, tables, issuing, inTurn: createTurns() },
  ...nothing(),
})

/** Forgets the attempt, also where the tables do not allow a cancellation. */
export const clear = (context: Context): void => void Object.assign(context, nothing())
