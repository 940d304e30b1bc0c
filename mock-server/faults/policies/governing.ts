/** Faults of what RGPs and EGPs govern, and of requests that several of them govern. */
import { isOnPath } from '../../engines/policies/governing.ts'
import type { Policy } from '../../engines/policies/store.ts'
import type { GovernedRequest } from '../../kernel/acl/policy-source.ts'
import type { Call, Verb } from '../../kernel/contracts.ts'
import { carryOut } from '../kernel/index.ts'
import {
  choosing,
  choosingRgps,
  extended,
  faults,
  type Here,
  isOfLogin,
  isStar,
  namesOn,
  parsed,
  pastOf,
  remembers,
  sparing,
  stored,
  withCall,
} from './policy-operations.ts'

type Paths = readonly string[]
type Spared = (call: Call) => boolean

const isGlob = (path: string): boolean => path.endsWith('*')
const longGlobs = (paths: Paths): Paths => paths.filter((path) => path.length > 1 && isGlob(path))
const withoutStar = (paths: Paths): Paths => paths.filter((path) => path !== '*')
const onlyStar = (paths: Paths): Paths => (isStar({ paths }) ? paths : [])
const unlessOnlyStar = (paths: Paths): Paths => (isStar({ paths }) ? [] : paths)

const verbs =
  (...spared: readonly Verb[]): Spared =>
  ({ verb }) =>
    spared.includes(verb)
const isPut: Spared = ({ method }) => method === 'PUT'
const isListByGet: Spared = ({ method, verb }) => method === 'GET' && verb === 'LIST'
const hasQuery: Spared = ({ query }) => [...query.keys()].some((name) => name !== 'list')
const changesSys: Spared = ({ path, verb }) => path.startsWith('sys/') && ['POST', 'DELETE'].includes(verb)
const isOfTokens: Spared = ({ path }) => path.startsWith('auth/token/')
const hasLogin: Spared = ({ token }) => isOfLogin(token)

/** EGPs do not govern some requests. */
const spares = (isSpared: Spared) => sparing(isSpared)
/** The single path `*` does not govern some requests. */
const starSpares = (isSpared: (call: Call, request: GovernedRequest) => boolean, keeps = withoutStar) =>
  sparing(isSpared, keeps)
const rgpSpares = (isSpared: Spared) =>
  stored(
    'governing',
    'rgpsOf',
    ([request], next) => (isSpared(request.call) ? [] : next(request)),
    ([{ call }], { context }) => context.store.all('rgp').length > 0 && isSpared(call),
  )

/** A trailing `*` is literal in some of the paths of an EGP. No check sends a request with a literal `*`. */
const onlyGlobs = (choose: (paths: Paths) => Paths) =>
  stored(
    'governing',
    'egps',
    (_given, next) => next().map((policy) => ({ ...policy, paths: globsOf(policy, choose) })),
    (_, { context }) => context.store.all('egp').some((policy) => globsOf(policy, choose).length < policy.paths.length),
  )
const globsOf = ({ paths }: Policy, choose: (paths: Paths) => Paths): Paths =>
  paths.filter((path) => !isGlob(path) || path === '*' || choose(paths).includes(path))

const others = (own: readonly Policy[]): readonly Policy[] => own.filter((one) => !isStar(one))
const stars = (own: readonly Policy[]): readonly Policy[] => own.filter(isStar)
const ofAPath = (choose: (all: readonly Policy[]) => readonly Policy[]) =>
  choosing((own) => [...choose(others(own)), ...stars(own)])
const globLength = ({ paths: [path = '', ...more] }: Policy): number =>
  more.length === 0 && isGlob(path) ? path.length : 0

/** The policies that a token brings along and those of its path are judged as `choose` says if there are both. */
const together = (kind: Policy['kind']) =>
  stored(
    'governing',
    'judge',
    ([policies, request], next) =>
      next(
        policies.filter((one) => one.kind === kind),
        request,
      ),
    ([policies]) => new Set(policies.map((one) => one.kind)).size > 1,
  )

const carriesOut = (isMeant: Spared) =>
  extended(
    'policies',
    'govern',
    ([request], next) => {
      const verdict = next(request)
      if (!verdict.allowed) void carryOut(request.call)
      return verdict
    },
    ([{ call }], { context: { store } }) =>
      isMeant(call) && call.token !== undefined && store.all('rgp').length + store.all('egp').length > 0,
  )

const outliving = ({ call, only }: GovernedRequest, here: Here): readonly Policy[] =>
  only === 'endpoints' || !isOfLogin(call.token)
    ? []
    : namesOn(call.token, here).flatMap((name) => {
        const past = pastOf('rgp', name, here)
        return past?.state === 'deleted' ? parsed('rgp', { ...past.now, name }, here.context) : []
      })

export const governingFaults = faults({
  'rgp-deleted-denies-all': 'Every request with a token that has the name of a deleted RGP is refused.',
  'egp-globs-spare-logins': 'An EGP whose path is a glob does not govern logins.',
  'egp-spares-logins-at-its-path': 'EGPs do not govern logins, unless their only path is *.',
  'egp-paths-are-compared-as-sent':
    'The paths of EGPs are compared with the path of a request before its percent-encoding is decoded.',
  'egp-glob-as-the-last-path-alone': 'A trailing * is literal in all paths of an EGP except the last.',
  'egp-glob-as-the-first-path-alone': 'A trailing * is literal in all paths of an EGP except the first.',
  'egp-first-of-several-globs-alone':
    'A trailing * is literal in all paths of an EGP except the first that ends in one.',
  'egp-last-of-several-globs-alone': 'A trailing * is literal in all paths of an EGP except the last that ends in one.',
  'egp-star-spares-lists': 'The single path * governs everything except lists.',
  'egp-star-spares-deletions': 'The single path * governs everything except deletions.',
  'egp-star-spares-writes': 'The single path * governs everything except writes other than logins.',
  'egp-first-of-star-alone': 'Only the first of several EGPs with the single path * is evaluated.',
  'egp-first-of-a-path-alone': 'Only the first of several EGPs that govern a path is evaluated.',
  'egp-last-of-a-path-alone': 'Only the last of several EGPs that govern a path is evaluated.',
  'rgp-first-of-a-token-alone': 'Only the first of several RGPs of a token is evaluated.',
  'rgp-last-of-a-token-alone': 'Only the last of several RGPs of a token is evaluated.',
  'rgp-spares-lists': 'RGPs are not evaluated for lists.',
  'rgp-spares-deletions': 'RGPs are not evaluated for deletions.',
  'rgp-spares-writes': 'RGPs are not evaluated for writes.',
  'rgp-spares-logged-in': 'RGPs do not govern tokens that were issued by a login.',
  'egp-spares-lists': 'EGPs are not evaluated for lists.',
  'egp-governs-reads-only': 'EGPs are evaluated only for reads and lists.',
  'egp-star-spares-authenticated': 'The single path * governs login requests only.',
  'egp-star-spares-logins': 'The single path * governs authenticated requests only.',
  'egp-star-spares-puts': 'The single path * does not govern requests with the method PUT.',
  'egp-star-spares-queries': 'The single path * does not govern requests that have a query besides `list`.',
  'rgp-spares-lists-by-get': 'RGPs do not govern a list that is requested with GET.',
  'rgp-spares-queries': 'RGPs do not govern requests that have a query besides `list`.',
  'rgp-spares-changes-below-sys': 'RGPs do not govern writes and deletions below `sys/`.',
  'rgp-first-two-of-a-token-alone': 'Only the first two RGPs of a token are evaluated.',
  'egp-of-a-path-alone-beside-the-star':
    'If a request matches EGPs with its path and EGPs with the single path *, only those with its path are evaluated.',
  'egp-of-the-star-alone-beside-a-path':
    'If a request matches EGPs with its path and EGPs with the single path *, only those with * are evaluated.',
  'egp-longest-glob-alone':
    'If the globs of several EGPs match a request, only the EGPs with the longest glob are evaluated.',
  'egp-spares-puts': 'EGPs do not govern requests with the method PUT.',
  'egp-spares-lists-by-get': 'EGPs do not govern a list that is requested with GET.',
  'egp-spares-queries': 'EGPs do not govern requests that have a query besides `list`.',
  'egp-spares-changes-below-sys': 'EGPs do not govern writes and deletions below `sys/`.',
  'egp-spares-paths-of-tokens': 'EGPs with other paths than * do not govern requests below `auth/token/`.',
  'egp-star-spares-paths-of-tokens': 'The single path * does not govern requests below `auth/token/`.',
  'rgp-spares-puts': 'RGPs do not govern requests with the method PUT.',
  'rgp-delete-spares-logged-in': 'The deletion of an RGP has no effect on tokens that were issued by a login.',
  'failing-advisory-ends-evaluation':
    'After a policy that failed without denying the request, no other policy is evaluated.',
  'egp-spares-logged-in': 'EGPs do not govern the requests of tokens that were issued by a login.',
  'denied-deletions-are-carried-out': 'A DELETE that a governing policy denies is refused but carried out.',
  'denied-requests-are-carried-out': 'A request that a governing policy denies is refused but carried out.',
  'governing-spares-creations': 'RGPs and EGPs are not evaluated for requests that create something.',
  'rgps-alone-beside-egps': 'If a request is governed by RGPs and EGPs, only the RGPs are evaluated.',
  'egps-alone-beside-rgps': 'If a request is governed by RGPs and EGPs, only the EGPs are evaluated.',
}).by({
  'rgp-deleted-denies-all': [
    remembers('rgp'),
    stored(
      'governing',
      'rgpsOf',
      ([request], next, here) => [
        ...next(request),
        ...namesOn(request.call.token, here)
          .filter((name) => pastOf('rgp', name, here)?.state === 'deleted')
          .map((name) => {
            const fields = { policy: 'main = rule { false }', enforcement_level: 'hard-mandatory', paths: [] } as const
            return parsed('rgp', { name, ...fields }, here.context)
          }),
      ],
      ([{ call, only }], here) =>
        only !== 'endpoints' &&
        namesOn(call.token, here).some((name) => pastOf('rgp', name, here)?.state === 'deleted'),
    ),
  ],
  'egp-globs-spare-logins': sparing(
    (_, { login }) => login,
    (paths) => paths.filter((path) => path === '*' || !isGlob(path)),
  ),
  'egp-spares-logins-at-its-path': sparing((_, { login }) => login, onlyStar),
  'egp-paths-are-compared-as-sent': choosing(
    (_, request, { context: { governing, rules } }) => {
      const call = withCall(request.call, { path: request.call.pathAsSent })
      const asSent = Object.assign(Object.create(request) as GovernedRequest, { call })
      return governing.egps().filter(({ paths }) => isOnPath(paths, asSent, rules.paths))
    },
    ({ call }) => call.pathAsSent.replace(/\/$/, '') !== call.path,
  ),
  'egp-glob-as-the-last-path-alone': onlyGlobs((paths) => longGlobs(paths.slice(-1))),
  'egp-glob-as-the-first-path-alone': onlyGlobs((paths) => longGlobs(paths.slice(0, 1))),
  'egp-first-of-several-globs-alone': onlyGlobs((paths) => paths.filter(isGlob).slice(0, 1)),
  'egp-last-of-several-globs-alone': onlyGlobs((paths) => paths.filter(isGlob).slice(-1)),
  'egp-star-spares-lists': starSpares(verbs('LIST')),
  'egp-star-spares-deletions': starSpares(verbs('DELETE')),
  'egp-star-spares-writes': starSpares((call, { login }) => !login && verbs('POST', 'PATCH')(call)),
  'egp-first-of-star-alone': choosing((own) => [...others(own), ...stars(own).slice(0, 1)]),
  'egp-first-of-a-path-alone': ofAPath((all) => all.slice(0, 1)),
  'egp-last-of-a-path-alone': ofAPath((all) => all.slice(-1)),
  'rgp-first-of-a-token-alone': choosingRgps((all) => all.slice(0, 1)),
  'rgp-last-of-a-token-alone': choosingRgps((all) => all.slice(-1)),
  'rgp-spares-lists': rgpSpares(verbs('LIST')),
  'rgp-spares-deletions': rgpSpares(verbs('DELETE')),
  'rgp-spares-writes': rgpSpares(verbs('POST', 'PATCH')),
  'rgp-spares-logged-in': rgpSpares(hasLogin),
  'egp-spares-lists': spares(verbs('LIST')),
  'egp-governs-reads-only': spares(verbs('POST', 'PATCH', 'DELETE')),
  'egp-star-spares-authenticated': starSpares((_, { login }) => !login),
  'egp-star-spares-logins': starSpares((_, { login }) => login),
  'egp-star-spares-puts': starSpares(isPut, unlessOnlyStar),
  'egp-star-spares-queries': starSpares(hasQuery, unlessOnlyStar),
  'rgp-spares-lists-by-get': rgpSpares(isListByGet),
  'rgp-spares-queries': rgpSpares(hasQuery),
  'rgp-spares-changes-below-sys': rgpSpares(changesSys),
  'rgp-first-two-of-a-token-alone': choosingRgps((all) => all.slice(0, 2)),
  'egp-of-a-path-alone-beside-the-star': choosing((own) => (others(own).length > 0 ? others(own) : own)),
  'egp-of-the-star-alone-beside-a-path': choosing((own) => (stars(own).length > 0 ? stars(own) : own)),
  'egp-longest-glob-alone': ofAPath((all) => {
    const longest = Math.max(0, ...all.map(globLength))
    return all.filter((one) => [0, longest].includes(globLength(one)))
  }),
  'egp-spares-puts': spares(isPut),
  'egp-spares-lists-by-get': spares(isListByGet),
  'egp-spares-queries': spares(hasQuery),
  'egp-spares-changes-below-sys': spares(changesSys),
  'egp-spares-paths-of-tokens': starSpares(isOfTokens, onlyStar),
  'egp-star-spares-paths-of-tokens': starSpares(isOfTokens, unlessOnlyStar),
  'rgp-spares-puts': rgpSpares(isPut),
  'rgp-delete-spares-logged-in': [
    remembers('rgp'),
    stored(
      'governing',
      'rgpsOf',
      ([request], next, here) => [...next(request), ...outliving(request, here)],
      ([request], here) => outliving(request, here).length > 0,
    ),
  ],
  'failing-advisory-ends-evaluation': stored(
    'governing',
    'judge',
    ([policies, request], next) => {
      const verdicts = policies.map((policy) => next([policy], request))
      const last = verdicts.findIndex(({ warnings }) => warnings.some((one) => one.includes('evaluates to false')))
      return next(last === -1 ? policies : policies.slice(0, last + 1), request)
    },
    ([policies]) => policies.length > 1,
  ),
  'egp-spares-logged-in': spares(hasLogin),
  'denied-deletions-are-carried-out': carriesOut(verbs('DELETE')),
  'denied-requests-are-carried-out': carriesOut(() => true),
  'governing-spares-creations': extended(
    'policies',
    'govern',
    () => ({ allowed: true, warnings: [] }),
    ([{ operation }]) => operation === 'create',
  ),
  'rgps-alone-beside-egps': together('rgp'),
  'egps-alone-beside-rgps': together('egp'),
})
