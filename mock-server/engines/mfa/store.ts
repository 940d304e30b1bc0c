/** Methods, and the secrets that were made from them. */

/** What a method is defined by: the fields of document 3, TOTP MFA method. */
export interface Settings {
  readonly issuer: string
  /** Seconds. */
  readonly period: number
  /** Bytes. */
  readonly key_size: number
  /** Pixels. */
  readonly qr_size: number
  readonly algorithm: string
  readonly digits: number
  readonly skew: number
  readonly max_validation_attempts: number
}
export type Field = keyof Settings

export interface Method {
  /** UUID; secrets belong to it. */
  readonly id: string
  /** What requests call it by: its name, or its id. */
  readonly key: string
  readonly settings: Settings
  /** What it was first defined as. */
  readonly first: Settings
}

export type State = 'defined' | 'deleted'

/** How many deleted methods are remembered. */
const graves = 1_000

export class Methods {
  private readonly defined = new Map<string, Method>()
  private readonly deleted = new Map<string, Method>()

  find(key: string): Method | undefined {
    return this.defined.get(key)
  }

  findDeleted(key: string): Method | undefined {
    return this.deleted.get(key)
  }

  put(method: Method): void {
    this.defined.set(method.key, method)
    this.deleted.delete(method.key)
  }

  remove(key: string): Method | undefined {
    const method = this.defined.get(key)
    if (!method) return undefined
    this.defined.delete(key)
    this.deleted.set(key, method)
    for (const oldest of this.deleted.keys()) {
      if (this.deleted.size <= graves) break
      this.deleted.delete(oldest)
    }
    return method
  }

  /** In the order in which they were defined. */
  all(states: readonly State[]): readonly Method[] {
    const sources = { defined: this.defined, deleted: this.deleted }
    return states.flatMap((state) => [...sources[state].values()])
  }

  clear(): void {
    this.defined.clear()
    this.deleted.clear()
  }
}

export interface Secret {
  readonly method: string
  readonly entity: string
  /** What made it, where that is told apart; empty otherwise. */
  readonly origin: string
  /** Base64. */
  readonly key: string
  /** Of the method, when the secret was made. */
  readonly settings: Settings
  readonly madeAt: number
  /** Steps whose codes were used. */
  readonly used: readonly number[]
  /** Consecutive failed validations, and when the last one was. */
  readonly failures: number
  readonly failedAt: number
}

const keyOf = ({ method, entity, origin }: Pick<Secret, 'method' | 'entity' | 'origin'>): string =>
  `${method}/${entity}/${origin}`

export class Secrets {
  private readonly present = new Map<string, Secret>()
  private readonly destroyed = new Map<string, Secret>()

  find(owner: Pick<Secret, 'method' | 'entity' | 'origin'>): Secret | undefined {
    return this.present.get(keyOf(owner))
  }

  findDestroyed(owner: Pick<Secret, 'method' | 'entity' | 'origin'>): Secret | undefined {
    return this.destroyed.get(keyOf(owner))
  }

  put(secret: Secret): void {
    this.present.set(keyOf(secret), secret)
  }

  filter(wanted: (secret: Secret) => boolean): readonly Secret[] {
    return [...this.present.values()].filter(wanted)
  }

  /** As if it had never been. */
  remove(secret: Secret): void {
    this.present.delete(keyOf(secret))
  }

  destroy(secret: Secret): void {
    this.present.delete(keyOf(secret))
    this.destroyed.set(keyOf(secret), secret)
    for (const oldest of this.destroyed.keys()) {
      if (this.destroyed.size <= graves) break
      this.destroyed.delete(oldest)
    }
  }

  clear(): void {
    this.present.clear()
    this.destroyed.clear()
  }
}
