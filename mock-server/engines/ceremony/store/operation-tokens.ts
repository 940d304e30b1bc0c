import { createHash } from 'node:crypto'
import { badRequest, Refusal } from '../../../kernel/http/refusal.ts'
import type { StatePart } from '../../../kernel/state/state-part.ts'

/** Tokens that authorize operations on a DR secondary. They live until they are deleted. */
export interface OperationTokenStore extends StatePart {
  add(id: string): void
  isLive(text: string): boolean
  delete(text: string): void
  /** Returns the live tokens, the newest last. */
  all(): readonly string[]
  /** Returns names that do not reveal the tokens. */
  names(): readonly string[]
}

export function createOperationTokens(): OperationTokenStore {
  const tokens = new Set<string>()
  const all = () => [...tokens]
  return {
    all,
    add: (id) => void tokens.add(id),
    isLive: (text) => tokens.has(text),
    delete(text) {
      if (text === '') throw badRequest('missing dr_operation_token')
      if (!tokens.delete(text)) throw new Refusal('permission-denied')
    },
    names: () => all().map((id) => createHash('sha256').update(id).digest('hex').slice(0, 8)),
    snapshot: () => all().map((id) => ({ id })),
    restore(state) {
      tokens.clear()
      for (const { id } of state as { readonly id: string }[]) tokens.add(id)
    },
    reset: () => tokens.clear(),
  }
}
