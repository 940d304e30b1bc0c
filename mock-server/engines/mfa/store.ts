/** Methods, the secrets that were made from them, and the login enforcements that name them. */
import type { Login } from '../../kernel/extension-points.ts'
import { BoundedMap } from '../../kernel/state/bounded-map.ts'

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
const rememberedDeletions = 1_000

export class Methods {
  private readonly defined = new Map<string, Method>()
  private readonly deleted = new BoundedMap<string, Method>(rememberedDeletions)

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
  private readonly destroyed = new BoundedMap<string, Secret>(rememberedDeletions)

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
  }

  clear(): void {
    this.present.clear()
    this.destroyed.clear()
  }
}

/** Whose logins are asked for a code. Outside the documents: as servers of this family have it. */
export interface Enforcement {
  readonly id: string
  readonly name: string
  /** One of these is enough. */
  readonly methodIds: readonly string[]
  readonly accessors: readonly string[]
  readonly types: readonly string[]
  readonly groups: readonly string[]
  readonly entities: readonly string[]
}

export class Enforcements {
  private readonly defined = new Map<string, Enforcement>()
  private readonly deleted = new BoundedMap<string, Enforcement>(rememberedDeletions)

  find(name: string): Enforcement | undefined {
    return this.defined.get(name)
  }

  put(enforcement: Enforcement): void {
    this.defined.set(enforcement.name, enforcement)
    this.deleted.delete(enforcement.name)
  }

  remove(name: string): void {
    const enforcement = this.defined.get(name)
    if (!enforcement) return
    this.defined.delete(name)
    this.deleted.set(name, enforcement)
  }

  all(states: readonly State[]): readonly Enforcement[] {
    const sources = { defined: this.defined, deleted: this.deleted }
    return states.flatMap((state) => [...sources[state].values()])
  }

  /** Those that ask something of a login. */
  of({ token, mount }: Login): readonly Enforcement[] {
    if (this.defined.size === 0) return []
    return [...this.defined.values()].filter(
      ({ accessors, types, entities }) =>
        accessors.includes(mount.accessor) || types.includes(mount.type) || entities.includes(token.entityId ?? ''),
    )
  }

  clear(): void {
    this.defined.clear()
    this.deleted.clear()
  }
}
