/** Makes the messages that answer requests for what this server does not have: they list what it has instead. */
import type { Verb } from './contracts.ts'
import type { RequestContext } from './http/request-context.ts'
import type { Routes } from './http/router.ts'
import type { Kernel } from './kernel.ts'
import { type MountKind, prefixOf } from './mounts/mount.ts'
import type { Services } from './services.ts'

/** This page of the project lists every engine and endpoint. */
export const page = 'mock-server/README.md'

export interface Served {
  readonly secretEngines: readonly string[]
  readonly authMethods: readonly string[]
  /** The first segments of the paths below `sys/`. */
  readonly system: readonly string[]
}

const typesOf = (kind: MountKind, { mountable, facts }: Pick<Services, 'mountable' | 'facts'>): string[] =>
  mountable
    .filter((engine) => engine.kind === kind && engine.available?.(facts) !== false)
    .map(({ type }) => type)
    .sort()

export function servedBy(kernel: Pick<Kernel, 'fixed' | 'mountable' | 'facts'>): Served {
  const { fixed, facts } = kernel
  const sections = fixed
    .filter(({ prefix }) => `${prefix}/`.startsWith('sys/'))
    .flatMap(({ prefix, routes }) =>
      routes
        .filter((route) => route.available?.(facts) !== false)
        .map(({ path }) => `${prefix}/${path}`.split('/')[1] ?? ''),
    )
  return {
    secretEngines: typesOf('secret', kernel),
    authMethods: ['token', ...typesOf('auth', kernel)].sort(),
    system: [...new Set(sections)].sort(),
  }
}

const kindNames: Readonly<Record<MountKind, readonly [one: string, all: string]>> = {
  secret: ['secret engine', 'secret engines'],
  auth: ['auth method', 'auth methods'],
}

/** Returns the message for a mount of an engine type that this server does not have. */
export function noSuchEngine(kind: MountKind, type: string, services: Pick<Services, 'mountable' | 'facts'>): string {
  const [one, all] = kindNames[kind]
  const has = typesOf(kind, services).join(', ')
  return `this reference server has no ${one} ${type}; its ${all} are ${has}: see ${page}`
}

/** What other servers of the family have at these paths and this server does not. */
const absences: readonly (readonly [prefix: string, what: string])[] = [
  ['identity/oidc', 'has no identity tokens and is not an OIDC provider'],
  ['sys/audit', 'has no audit devices; createMockServer logs requests in `requests`'],
  ['sys/quotas', 'has no quotas; tests of clients can let it answer like an exceeded quota with `throttle`'],
  ['sys/rekey/recovery-key-backup', 'has no recovery keys, since its seal is opened with key shares'],
  ['sys/rekey-recovery-key', 'has no recovery keys, since its seal is opened with key shares'],
  ['sys/rotate/recovery', 'has no recovery keys, since its seal is opened with key shares'],
]

/** Returns the message about what is missing at a path, or undefined if the path is not in the list of absences. */
export function absenceAt(path: string): string | undefined {
  const found = absences.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`))
  return found && `this reference server ${found[1]}: see ${page}`
}

/** Returns the reason why no route was found. It repeats at most two segments of the path, because the others may
 * contain secrets. */
export function whyNoRoute(request: Pick<RequestContext, 'path'>, kernel: Kernel): string {
  const { facts, mounts } = kernel
  const absence = absenceAt(request.path)
  if (absence) return absence
  const [first = '', second = ''] = request.path.split('/')
  const mount = mounts.at(request.path)
  if (first === 'sys') {
    const { system } = servedBy(kernel)
    const server = `this reference server (version ${facts.version}, ${facts.edition} edition)`
    if (!system.includes(second))
      return `${server} has no sys/${second}; below sys/ it has ${system.join(', ')}: see ${page}`
    return `${server} has no such path below sys/${second}: see ${page}`
  }
  if (mount)
    return `the engine ${mount.type} at ${prefixOf(mount)}/ of this reference server has no such path: see ${page}`
  if (first === 'auth')
    return `no auth method is mounted at auth/${second}/; this reference server can mount ${typesOf('auth', kernel).join(', ')}: see ${page}`
  return `nothing is mounted at ${first}/; this reference server can mount ${typesOf('secret', kernel).join(', ')}: see ${page}`
}

/** Returns the methods that a path has, joined by commas. */
export const methodsOf = (routes: Readonly<Routes>, { facts }: Pick<Services, 'facts'>): string =>
  (Object.keys(routes) as Verb[]).filter((verb) => routes[verb]?.available?.(facts) !== false).join(', ')
