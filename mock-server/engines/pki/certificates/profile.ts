/** Encodes the parts that all certificates of a role share, once for each role. */

import type { PkiRules } from '../rules/index.ts'
import type { Role } from '../store.ts'
import { basicConstraints, extKeyUsage, keyUsage, policies } from '../x509/extensions.ts'
import type { Subject } from '../x509/names.ts'

export interface Profile {
  readonly subject: Subject
  /** The encoded extensions: constraints, usages, policies. */
  readonly extensions: readonly Buffer[]
}

type Usages = PkiRules['usages']

interface SubjectFields {
  readonly ou: readonly string[]
  readonly organization: readonly string[]
  readonly country: readonly string[]
  readonly locality: readonly string[]
  readonly province: readonly string[]
  readonly street_address: readonly string[]
  readonly postal_code: readonly string[]
  readonly serial_number: readonly string[]
}

/** Returns the subject without the common name, from the fields of a role or a request. */
export const subjectOf = (fields: SubjectFields): Subject => ({
  ou: fields.ou,
  organization: fields.organization,
  country: fields.country,
  locality: fields.locality,
  province: fields.province,
  streetAddress: fields.street_address,
  postalCode: fields.postal_code,
  serialNumber: fields.serial_number,
})

export const keyUsageBits = (names: readonly string[], usages: Usages): Set<number> =>
  new Set(names.map((name) => usages.key[name.toLowerCase()]).filter((bit) => bit !== undefined))

export function extUsagesOf(names: readonly string[], oids: readonly string[], usages: Usages): string[] {
  const named = names.map((name) => usages.ext[name.toLowerCase()]).filter((oid) => oid !== undefined)
  return [...new Set([...named, ...oids])]
}

function makeProfile(role: Role, { usages }: PkiRules): Profile {
  const bits = keyUsageBits(role.key_usage, usages)
  const flags = (Object.keys(usages.flags) as (keyof Usages['flags'])[]).filter((flag) => role[flag])
  const names = flags.flatMap((flag) => usages.flags[flag])
  const ext = extUsagesOf([...names, ...role.ext_key_usage], role.ext_key_usage_oids, usages)
  return {
    subject: subjectOf(role),
    extensions: [
      ...(role.basic_constraints_valid_for_non_ca ? [basicConstraints(false)] : []),
      ...(bits.size > 0 ? [keyUsage(bits)] : []),
      ...(ext.length > 0 ? [extKeyUsage(ext)] : []),
      ...(role.policy_identifiers.length > 0 ? [policies(role.policy_identifiers)] : []),
    ],
  }
}

const made = new WeakMap<Role, { readonly rules: PkiRules; readonly profile: Profile }>()

export function profileOf(role: Role, rules: PkiRules): Profile {
  const known = made.get(role)
  if (known?.rules === rules) return known.profile
  const profile = makeProfile(role, rules)
  made.set(role, { rules, profile })
  return profile
}
