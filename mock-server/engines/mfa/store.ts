/** Methods, the secrets that were made from them, and the login enforcements that name them. */
import type { Login } from '../../kernel/extension-points.ts'

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
  /** The name in the body of a request of the identity variant. */
  readonly name?: string
  readonly settings: Settings
}

export class Methods {
  private readonly defined = new Map<string, Method>()

  find(key: string): Method | undefined {
    return this.defined.get(key)
  }

  put(method: Method): void {
    this.defined.set(method.key, method)
  }

  remove(key: string): void {
    this.defined.delete(key)
  }

  /** Returns the methods in the order in which they were defined. */
  all(): readonly Method[] {
    return [...this.defined.values()]
  }

  listed(): readonly Method[] {
    return this.all()
  }

  clear(): void {
    this.defined.clear()
  }
}

/** A method and an entity have at most one secret together. */
export interface Owner {
  readonly method: string
  readonly entity: string
}

export interface Secret extends Owner {
  /** The key in base64. */
  readonly key: string
  /** The settings of the method when the secret was made. */
  readonly settings: Settings
  /** The time steps whose codes were used. */
  readonly used: readonly number[]
  /** The number of consecutive failed validations; `failedAt` is the time of the last one. */
  readonly failures: number
  readonly failedAt: number
}

const keyOf = ({ method, entity }: Owner): string => `${method}/${entity}`

export class Secrets {
  private readonly present = new Map<string, Secret>()

  find(owner: Owner): Secret | undefined {
    return this.present.get(keyOf(owner))
  }

  /** Returns the secrets whose codes satisfy the method for the entity. */
  heldBy(owner: Owner): readonly Secret[] {
    const own = this.find(owner)
    return own ? [own] : []
  }

  put(secret: Secret): void {
    this.present.set(keyOf(secret), secret)
  }

  /** Stores what a validation changes, unless the secret was destroyed. */
  update(secret: Secret): void {
    if (this.find(secret)) this.put(secret)
  }

  filter(wanted: (secret: Secret) => boolean): readonly Secret[] {
    return [...this.present.values()].filter(wanted)
  }

  remove(owner: Owner): void {
    this.present.delete(keyOf(owner))
  }

  clear(): void {
    this.present.clear()
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

  find(name: string): Enforcement | undefined {
    return this.defined.get(name)
  }

  put(enforcement: Enforcement): void {
    this.defined.set(enforcement.name, enforcement)
  }

  remove(name: string): void {
    this.defined.delete(name)
  }

  all(): readonly Enforcement[] {
    return [...this.defined.values()]
  }

  of({ token, mount }: Login): readonly Enforcement[] {
    if (this.defined.size === 0) return []
    return [...this.defined.values()].filter(
      ({ accessors, types, entities }) =>
        accessors.includes(mount.accessor) || types.includes(mount.type) || entities.includes(token.entityId ?? ''),
    )
  }

  clear(): void {
    this.defined.clear()
  }
}
