/** Methods, the secrets that were made from them, and the login enforcements that name them. */
import type { Login } from '../../kernel/extension-points.ts'
import { BoundedMap } from '../../kernel/state/bounded-map.ts'

/** The fields of a method: document 3, TOTP MFA method. */
export interface Settings {
  readonly issuer: string
  /** The period of a code, in seconds. */
  readonly period: number
  /** The length of the key, in bytes. */
  readonly key_size: number
  /** The width and height of the QR code, in pixels. */
  readonly qr_size: number
  readonly algorithm: string
  readonly digits: number
  readonly skew: number
  readonly max_validation_attempts: number
}
export type Field = keyof Settings

export interface Method {
  /** A UUID, by which secrets refer to their method. */
  readonly id: string
  /** The name or the id by which requests name the method. */
  readonly key: string
  readonly settings: Settings
  /** The settings with which it was first defined. */
  readonly first: Settings
}

export type State = 'defined' | 'deleted'

/** The number of deleted methods, of destroyed secrets and of deleted enforcements that are remembered. */
const rememberedDeletions = 1_000

export class Methods {
  private readonly defined = new Map<string, Method>()
  private readonly deleted = new BoundedMap<string, Method>(rememberedDeletions)
  /** Holds the keys of methods whose deletion was refused. */
  private readonly undeleted = new Set<string>()

  find(key: string): Method | undefined {
    return this.defined.get(key)
  }

  noteRefusedDeletion({ key }: Method): void {
    this.undeleted.add(key)
  }

  isUndeleted({ key }: Method): boolean {
    return this.undeleted.has(key)
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
    this.undeleted.delete(key)
    this.deleted.set(key, method)
    return method
  }

  /** Returns the methods in the order in which they were defined. */
  all(states: readonly State[]): readonly Method[] {
    const sources = { defined: this.defined, deleted: this.deleted }
    return states.flatMap((state) => [...sources[state].values()])
  }

  clear(): void {
    this.defined.clear()
    this.deleted.clear()
    this.undeleted.clear()
  }
}

export interface Secret {
  readonly method: string
  readonly entity: string
  /** The operation that made the secret, if a mutant stores the secrets of each operation separately; empty
   * otherwise. */
  readonly origin: string
  /** The operation that made the secret. */
  readonly by: 'generate' | 'admin-generate'
  /** The key in base64. */
  readonly key: string
  /** The settings of the method when the secret was made. */
  readonly settings: Settings
  readonly madeAt: number
  /** The time steps whose codes were used. */
  readonly used: readonly number[]
  /** The number of consecutive failed validations; `failedAt` is the time of the last one. */
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

  /** Returns whether a method has secrets, or had some that were destroyed. */
  areKnownOf(method: string): boolean {
    return [this.present, this.destroyed].some((secrets) => [...secrets.values()].some((one) => one.method === method))
  }

  /** Removes the secret without remembering it as destroyed. */
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

/** A login enforcement says whose logins need a code. It is not in the documents; servers of this family have it. */
export interface Enforcement {
  readonly id: string
  readonly name: string
  /** A login must satisfy one of these methods. */
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

  /** Returns the enforcements that apply to a login. */
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
