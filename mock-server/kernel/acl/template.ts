import type { AclPolicy, PathRule } from './policy.ts'

const template = /\{\{\s*([^{}]*?)\s*\}\}/g

/** Returns whether any path of the policy contains a template. */
export const isTemplated = (policy: AclPolicy): boolean => policy.rules.some((rule) => rule.path.includes('{{'))

/** Fills in the templates of a policy for one identity: `{{identity.entity.id}}` in a path becomes the value of that
 * name. A rule with a name that has no value is dropped, because it could otherwise apply to an unintended path. */
export function resolveTemplates(policy: AclPolicy, identity: Readonly<Record<string, string>>): AclPolicy {
  if (!isTemplated(policy)) return policy
  return {
    ...policy,
    rules: policy.rules.flatMap((rule): readonly PathRule[] => {
      const path = resolve(rule.path, identity)
      return path === undefined ? [] : [{ ...rule, path }]
    }),
  }
}

function resolve(path: string, identity: Readonly<Record<string, string>>): string | undefined {
  let known = true
  const resolved = path.replace(template, (_whole, name: string) => {
    const value = Object.hasOwn(identity, name) ? identity[name] : ''
    if (!value) known = false
    return value ?? ''
  })
  return known ? resolved : undefined
}
