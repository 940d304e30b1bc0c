/** Judges requests by the RGPs of their tokens and the EGPs of their paths. */
import type { GovernedRequest, Verdict } from '../../kernel/acl/policy-source.ts'
import type { Facts, Outcome } from '../../policy-language/parse.ts'
import type { Context, Governing } from './context.ts'
import type { GoverningKind, PathRules } from './rules.ts'
import type { Level, Policy } from './store.ts'

const passed: Verdict = { allowed: true, warnings: [] }

/** RGPs and EGPs govern every request with a token, and requests for a token. They do not apply to root tokens. */
export function govern(request: GovernedRequest, { governing }: Context): Verdict {
  const { token } = request.call
  if ((!token && !request.login) || token?.policies.includes('root')) return passed
  const acting = [...governing.rgpsOf(request), ...governing.egpsOf(request)]
  return acting.length === 0 ? passed : governing.judge(acting, request)
}

/** `here` returns the context, which holds what this makes, so it is called only once there are requests. */
export function createGoverning(here: () => Context, factsOf: (request: GovernedRequest) => Facts): Governing {
  return {
    rgpsOf({ call: { token }, only }) {
      const { access, store } = here()
      if (!token || only === 'endpoints' || store.all('rgp').length === 0) return []
      return access.policiesOf(token).flatMap((name) => store.find('rgp', name.toLowerCase()) ?? [])
    },
    egps: () => here().store.all('egp'),
    egpsOf(request) {
      const { governing, rules } = here()
      if (request.only === 'roles') return []
      return governing.egps().filter(({ paths }) => isOnPath(paths, request, rules.paths))
    },
    denies({ kind, enforcement_level: level }, { overridden }) {
      const denial = here().rules.levels[kind as GoverningKind][level as Level]
      return denial !== 'never' && !(denial === 'unless-overridden' && overridden)
    },
    judge(policies, request) {
      const { governing } = here()
      const facts = factsOf(request)
      const warnings: string[] = []
      for (const policy of policies) {
        const result = policy.rules?.evaluate(facts)
        if (!result) continue
        if (!result.passes && governing.denies(policy, request)) {
          const { name, enforcement_level: level } = policy
          return { allowed: false, warnings, denied: { policy: name, level, why: whyOf(result) } }
        }
        warnings.push(...warningsOf(policy, result))
      }
      return { allowed: true, warnings }
    },
  }
}

/** Returns what the reply says of a policy that does not deny the request. */
function warningsOf({ kind, name, enforcement_level: level }: Policy, result: Outcome): readonly string[] {
  const warning = (result.passes ? '' : ' evaluates to false') + whyOf(result)
  return warning === '' ? [] : [`${kind} policy "${name}" (${level})${warning}`]
}

/** Returns whether one of the paths of an EGP matches the request. */
export function isOnPath(paths: readonly string[], { call }: GovernedRequest, rules: PathRules): boolean {
  const asked = call.verb === 'LIST' ? [call.path, `${call.path}/`] : [call.path]
  return paths.some((written) => {
    const path = written.startsWith('/') ? written.slice(1) : written
    if (path === '*') return true
    return asked.some((each) =>
      path.endsWith('*') ? rules.isGlob(path.slice(0, -1), each) : rules.isExact(path, each),
    )
  })
}

/** Returns the reason of an outcome in words. The output of a document helps its author, so it is shown if the policy
 * failed. */
const whyOf = ({ passes, reason, printed }: Outcome): string =>
  [...(reason === undefined ? [] : [reason]), ...(passes ? [] : printed.map((line) => `printed: ${line}`))]
    .map((line) => `: ${line}`)
    .join('')
