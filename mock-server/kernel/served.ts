/** Says in words what this server has, for those who ask for what it does not have. */
import type { Verb } from './contracts.ts'
import type { RequestContext } from './http/request-context.ts'
import type { Routes } from './http/router.ts'
import type { Kernel } from './kernel.ts'
import type { MountKind } from './mounts/mount.ts'
import { prefixOf } from './mounts/mount.ts'
import type { Services } from './services.ts'

/** This page of the project lists every engine and endpoint. */
export const page = 'mock-server/README.md'

export interface Served {
  readonly secretEngines: readonly string[]
  readonly authMethods: readonly string[]
  /** The first segments of the paths below `sys/`. */
  readonly system: readonly string[]
}

export const typesOf = (kind: MountKind, { mountable, facts }: Pick<Services, 'mountable' | 'facts'>): string[] =>
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

/** Says that an engine of this type cannot be mounted. */
export function noSuchEngine(kind: MountKind, type: string, services: Pick<Services, 'mountable' | 'facts'>): string {
  const [one, all] = kindNames[kind]
  const has = typesOf(kind, services).join(', ')
  return `this reference server has no ${one} ${type}; its ${all} are ${has}: see ${page}`
}

/** What readers of the family's documentation may look for, and do not find here. */
const absences: readonly (readonly [prefix: string, what: string])[] = [
  ['identity/oidc', 'has no identity tokens and is no OIDC provider'],
  ['sys/audit', 'has no audit devices; createMockServer keeps the requests that it got'],
  ['sys/quotas', 'has no quotas; its fault `throttle` answers as one would'],
  ['sys/rekey/recovery-key-backup', 'has no recovery keys, since its seal is opened with key shares'],
  ['sys/rekey-recovery-key', 'has no recovery keys, since its seal is opened with key shares'],
  ['sys/rotate/recovery', 'has no recovery keys, since its seal is opened with key shares'],
]

/** Says what is missing at a path, if this is known. */
export function absenceAt(path: string): string | undefined {
  const found = absences.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`))
  return found && `this reference server ${found[1]}: see ${page}`
}

/** Says why no route was found. Of the path only the first segments are repeated, because the others may hold secrets. */
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

/** Says which methods a path has. */
export const methodsOf = (routes: Readonly<Routes>, { facts }: Pick<Services, 'facts'>): string =>
  (Object.keys(routes) as Verb[]).filter((verb) => routes[verb]?.available?.(facts) !== false).join(', ')
