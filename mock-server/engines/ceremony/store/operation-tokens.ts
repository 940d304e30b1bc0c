import { createHash } from 'node:crypto'
import type { Clock } from '../../../kernel/contracts.ts'
import { badRequest, Refusal } from '../../../kernel/http/refusal.ts'
import type { StatePart } from '../../../kernel/state/state-part.ts'
import type { TokenTables } from '../tables.ts'

/** Tokens that authorize operations on a DR secondary. They live until they are deleted. */
export interface OperationTokenStore extends StatePart {
  add(id: string): void
  /** Returns whether the text is a live token. */
  isLive(text: string): boolean
  /** Refuses a text that is not a token. */
  delete(text: string): void
  /** Returns names that do not reveal the tokens. */
  names(): readonly string[]
}

interface OperationToken {
  readonly id: string
  readonly createdAt: number
}

export function createOperationTokens(clock: Clock, tables: () => TokenTables): OperationTokenStore {
  const tokens = new Map<string, OperationToken>()

  function find(text: string): OperationToken | undefined {
    const token = tokens.get(text)
    const { ttl = Number.POSITIVE_INFINITY } = tables()
    return token && clock.now() < token.createdAt + ttl * 1000 ? token : undefined
  }

  function end(text: string, which: TokenTables['deletionEnds']): void {
    const isNewest = [...tokens.keys()].at(-1) === text
    if (which === 'the given one' || (which === 'the given one if it is the newest' && isNewest)) tokens.delete(text)
    if (which === 'every one') tokens.clear()
  }

  return {
    add(id) {
      tokens.set(id, { id, createdAt: clock.now() })
    },
    isLive: (text) => tables().authorizes === 'while it lives' && find(text) !== undefined,
    delete(text) {
      const { deletionEnds, deletionOfFalse, deletionOfNone } = tables()
      if (text === '' && deletionOfNone === 'ends every') return tokens.clear()
      if (text === '') throw badRequest('missing dr_operation_token')
      if (!find(text) && deletionOfFalse === 'ends every') return tokens.clear()
      if (!find(text)) throw new Refusal('permission-denied')
      end(text, deletionEnds)
    },
    names: () => [...tokens.keys()].map((id) => createHash('sha256').update(id).digest('hex').slice(0, 8)),
    snapshot: () => [...tokens.values()],
    restore(state) {
      tokens.clear()
      for (const token of state as OperationToken[]) tokens.set(token.id, token)
    },
    reset: () => tokens.clear(),
  }
}
