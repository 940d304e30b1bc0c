import type { WireClient } from '../wire/client.ts'

type Kind = 'reading' | 'writing'

const readers: ReadonlySet<string> = new Set(['GET', 'LIST'])

/** Runs work of one kind at a time, any amount of it at once. New work queues behind waiting work of the other kind, so
 * that neither kind waits for ever. */
export class Turns {
  #kind: Kind | undefined
  #running = 0
  #waiting: { readonly kind: Kind; readonly begin: () => void }[] = []

  async take<T>(kind: Kind, work: () => Promise<T>): Promise<T> {
    const isFree = this.#running === 0 || (this.#kind === kind && this.#waiting.length === 0)
    if (isFree) this.#begin(kind)
    else await new Promise<void>((resolve) => this.#waiting.push({ kind, begin: resolve }))
    try {
      return await work()
    } finally {
      if (--this.#running === 0) this.#turn()
    }
  }

  #begin(kind: Kind): void {
    this.#kind = kind
    this.#running++
  }

  /** Begins all waiting work of the same kind as the first in the queue. */
  #turn(): void {
    const kind = this.#waiting[0]?.kind
    const due = this.#waiting.filter((work) => work.kind === kind)
    this.#waiting = this.#waiting.filter((work) => work.kind !== kind)
    for (const { kind: own, begin } of due) {
      this.#begin(own)
      begin()
    }
  }
}

type TurnsBelow = readonly { readonly within: string; readonly turns: Turns }[]

/** The turns below these paths. Clients of one cluster share them. */
export const turnsBelow = (paths: readonly string[]): TurnsBelow =>
  paths.map((path) => ({ within: `/${path}/`, turns: new Turns() }))

/** Wraps a client so that, below some paths, reads never overlap writes. */
export function inTurns(client: WireClient, turns: TurnsBelow): WireClient {
  return {
    ...client,
    send(request) {
      const found = turns.find(({ within }) => `${request.path}/`.includes(within))
      const send = () => client.send(request)
      return found ? found.turns.take(readers.has(request.method) ? 'reading' : 'writing', send) : send()
    },
  }
}
