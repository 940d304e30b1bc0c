import type { AclPolicy } from '../../kernel/acl/policy.ts'
import type { RuleDocument } from '../../policy-language/parse.ts'

export const kinds = ['acl', 'rgp', 'egp'] as const
export type Kind = (typeof kinds)[number]
export const levels = ['advisory', 'soft-mandatory', 'hard-mandatory'] as const
export type Level = (typeof levels)[number]

/** The fields of a policy, exactly as they were written. */
export interface Fields {
  readonly policy: string
  /** Empty for ACL policies. */
  readonly enforcement_level: Level | ''
  /** Empty for ACL policies and RGPs. */
  readonly paths: readonly string[]
}

export interface Policy extends Fields {
  readonly kind: Kind
  readonly name: string
  /** True if the server itself made the policy. */
  readonly builtIn: boolean
  /** The parsed text: `acl` for ACL policies and `rules` for others. Undefined if the text is invalid. */
  readonly acl?: AclPolicy
  readonly rules?: RuleDocument
}

export class PolicyStore {
  readonly #byName: Readonly<Record<Kind, Map<string, Policy>>> = { acl: new Map(), rgp: new Map(), egp: new Map() }
  /** The policies of a kind, sorted by name, until the next change. */
  readonly #sorted: Partial<Record<Kind, readonly Policy[]>> = {}
  readonly #onChange: (kind: Kind, name: string) => void

  constructor(onChange: (kind: Kind, name: string) => void) {
    this.#onChange = onChange
  }

  find(kind: Kind, name: string): Policy | undefined {
    return this.#byName[kind].get(name)
  }

  all(kind: Kind): readonly Policy[] {
    this.#sorted[kind] ??= [...this.#byName[kind].values()].sort((a, b) => (a.name < b.name ? -1 : 1))
    return this.#sorted[kind]
  }

  put(policy: Policy): void {
    this.#byName[policy.kind].set(policy.name, policy)
    this.#changed(policy.kind, policy.name)
  }

  remove(kind: Kind, name: string): void {
    if (this.#byName[kind].delete(name)) this.#changed(kind, name)
  }

  clear(): void {
    for (const kind of kinds) {
      this.#byName[kind].clear()
      delete this.#sorted[kind]
    }
  }

  #changed(kind: Kind, name: string): void {
    delete this.#sorted[kind]
    this.#onChange(kind, name)
  }
}
