/** Reads the profile of a target: validates the YAML file, and resolves variables and files. */
import { dirname, resolve } from 'node:path'
import { FileFault, readText } from '../safety/files.ts'
import { loadDialect } from '../targets/dialects/index.ts'
import type { PluginFile } from '../targets/plugin-folder.ts'
import { isNumbered } from '../targets/product.ts'
import type { TlsSettings } from '../targets/target.ts'
import { UsageError } from '../targets/usage-error.ts'
import { type Facts, sizeBounds } from '../vocabulary/index.ts'
import schema from './profile.schema.json' with { type: 'json' }
import type { RegionVariables } from './region-variables.ts'
import { assertShape, readYaml, type YamlFile } from './yaml-file.ts'

interface Principal {
  readonly token?: string
  readonly username?: string
  readonly password?: string
  readonly mount?: string
}

/** The address of one server, and how to connect to it. */
export interface ServerProfile {
  readonly url: string
  readonly token?: string
  readonly headers: Readonly<Record<string, string>>
  readonly tls: TlsSettings
  readonly allowedHosts: readonly string[]
  readonly keyShares?: readonly string[]
}

export interface ClusterProfile extends ServerProfile {
  readonly name: string
  readonly clusterAddress?: string
  readonly mayBeWiped: boolean
}

export interface Profile extends ServerProfile {
  readonly name?: string
  readonly note?: string
  readonly dialect?: string
  readonly declared: Facts
  readonly timeoutSeconds?: number
  readonly maxRps?: number
  readonly maxWaitSeconds?: number
  readonly maxDurationSeconds?: number
  readonly patienceSeconds?: number
  readonly immediateSeconds?: number
  readonly outageSeconds?: number
  readonly control?: string
  readonly mounts?: Readonly<Record<string, string>>
  readonly principals?: Readonly<Record<string, Principal>>
  readonly clusterAddress?: string
  readonly clusters?: readonly ClusterProfile[]
  readonly forwarder?: { readonly listen: string; readonly advertise?: string }
  readonly provider?: { readonly listen: string; readonly advertise?: string }
  readonly pluginFiles?: readonly PluginFile[]
  readonly environment?: RegionVariables
  /** Every secret value that the profile contains or refers to, for redaction. */
  readonly secrets: readonly string[]
}

/** Matches names of headers that carry credentials on any server. */
const credentialHeader = /token|secret|api-?key|cookie|authorization/i
const tokenHeader = /^(x-vault-token|authorization)$/i
const secretKeys = new Set(['token', 'password', 'keyShares'])
/** Maps whose keys the user chooses, so that a key such as `token` in them does not mean a secret. */
const freeMaps = new Set<unknown>(['headers', 'mounts', 'forms', 'features'])

type Path = readonly (string | number)[]
const keyOf = (path: Path): string => String(path.findLast((part) => typeof part === 'string'))
const isSecretPath = (path: Path): boolean => secretKeys.has(keyOf(path)) && !freeMaps.has(path.at(-2))

/** Collects the names of variables that are not set, and of files that do not exist. */
export interface Missing {
  readonly variables: Set<string>
  readonly files: Set<string>
}

/** Throws `UsageError` naming file, line, column and key. A variable that is not set, or a file that does not exist,
 * is an error too; if `missing` is given, its name is added there instead, and the value is left out of the
 * profile. */
export function loadProfile(file: string, env: NodeJS.ProcessEnv, missing?: Missing): Profile {
  const yaml = readYaml(file, env, missing?.variables)
  if (isTree(yaml.value) && 'targets' in yaml.value)
    throw new UsageError(
      yaml.fault(
        [],
        'this profile lists several targets, but only one is allowed here: give one of the profiles that it lists',
        'targets',
      ),
    )
  assertShape(yaml, schema)
  for (const path of pathsOfTexts(yaml.value)) assertNoLiteralSecret(yaml, path)
  assertClusterNames(yaml)
  assertVersion(yaml)
  const secrets: string[] = []
  const raw = yaml.value as Tree
  const value = withFiles({ yaml, secrets, missing }, raw, []) as Tree & Partial<Profile>
  const clusters = (value.clusters as (Tree & ClusterProfile)[] | undefined)?.map((cluster) => ({
    ...cluster,
    ...serverOf(cluster),
    mayBeWiped: cluster.mayBeWiped ?? false,
  }))
  return {
    ...value,
    ...serverOf(value),
    declared: value.declared ?? {},
    ...(clusters ? { clusters } : {}),
    secrets: [...new Set(secrets)],
  }
}

type Tree = { [key: string]: unknown }
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

function serverOf(value: Tree): ServerProfile {
  const tls = (value.tls ?? {}) as Partial<TlsSettings>
  return {
    url: String(value.url ?? '').replace(/(?<!\/)\/+$/, ''),
    headers: (value.headers ?? {}) as Record<string, string>,
    tls: { ...tls, insecure: tls.insecure ?? false },
    allowedHosts: (value.allowedHosts ?? []) as string[],
  }
}

/** Rejects a version that no server of the family has: it would silently switch all newer statements on or off.
 * Versions of another product are not checked, because it numbers them in its own way. */
function assertVersion(yaml: YamlFile): void {
  const { dialect = 'vault', declared = {} } = yaml.value as { dialect?: string; declared?: Facts }
  const family = loadDialect(dialect)
  const { majors } = family
  const isAnother = declared.product !== undefined && !isNumbered(declared.product, family)
  const keys = isAnother ? (['compatibleWith'] as const) : (['version', 'compatibleWith'] as const)
  for (const key of keys) {
    const version = declared[key]
    const major = Number(/^\d+/.exec(version ?? '')?.[0])
    if (version === undefined || yaml.open.has(`declared.${key}`) || !majors || majors.includes(major)) continue
    const alternative = key === 'version' ? ', or name another product in "declared.product"' : ''
    throw new UsageError(
      yaml.fault(
        ['declared', key],
        `no version of the ${dialect} family begins with ${major} (known are ${majors.join(', ')}): correct "declared.${key}"${alternative}`,
      ),
    )
  }
}

/** The names that the suites use for clusters, by position. */
const reservedNames = ['main', 'second', 'third']

/** Rejects names that are ambiguous: requests for another cluster, even its wipe, would go to the one with the same
 * name. */
function assertClusterNames(yaml: YamlFile): void {
  const { clusters = [] } = yaml.value as { clusters?: readonly { name: string }[] }
  for (const [index, { name }] of clusters.entries()) {
    const isReserved = reservedNames.includes(name) && reservedNames[index + 1] !== name
    const isDuplicate = clusters.findIndex((one) => one.name === name) < index
    if (!isReserved && !isDuplicate && !/\s/.test(name)) continue
    const reason = isDuplicate
      ? 'another cluster has the same name'
      : isReserved
        ? 'it is reserved for another cluster'
        : 'it contains white space'
    throw new UsageError(
      yaml.fault(['clusters', index, 'name'], `"${name}" cannot be the name of this cluster: ${reason}`),
    )
  }
}

function* pathsOfTexts(value: unknown, path: Path = []): Generator<Path> {
  if (typeof value === 'string') yield path
  else if (Array.isArray(value) || isTree(value))
    for (const [key, item] of Array.isArray(value) ? value.entries() : Object.entries(value))
      yield* pathsOfTexts(item, [...path, key])
}

function assertNoLiteralSecret(yaml: YamlFile, path: Path): void {
  const key = keyOf(path)
  const isHeader = path.at(-2) === 'headers'
  if (isHeader && tokenHeader.test(key))
    throw new UsageError(
      yaml.fault(
        path.slice(0, -1),
        `"${path.join('.')}" would be sent with every request, even those that must be unauthenticated: use "token"`,
        key,
      ),
    )
  if (yaml.substituted.has(path.join('.'))) return
  if (isHeader ? credentialHeader.test(key) : isSecretPath(path))
    throw new UsageError(
      yaml.fault(
        path,
        `"${path.join('.')}" contains a secret in plain text: write \${env:NAME}${isHeader ? '' : `, or use "${key}File"`}`,
      ),
    )
}

interface ProfileReader {
  readonly yaml: YamlFile
  readonly secrets: string[]
  readonly missing: Missing | undefined
}

/** Replaces `<key>File` by `<key>` with the content of the file, reads the files of `tls`, and collects every
 * secret. */
function withFiles(reader: ProfileReader, value: unknown, path: Path): unknown {
  const { yaml, secrets } = reader
  if (yaml.open.has(path.join('.'))) return undefined
  if (Array.isArray(value)) return value.map((item, index) => withFiles(reader, item, [...path, index]))
  if (!isTree(value)) {
    const isSecret = isSecretPath(path) || (path.at(-2) === 'headers' && yaml.substituted.has(path.join('.')))
    if (isSecret && typeof value === 'string') secrets.push(value)
    return value
  }
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
    if (path.at(-1) === 'tls' && typeof item === 'string') return [key, tlsFile(reader, [...path, key], item)]
    const plain = key.replace(/File$/, '')
    if (plain === key || !isSecretPath([...path, plain])) return [key, withFiles(reader, item, [...path, key])]
    if (plain in value)
      throw new UsageError(yaml.fault(path, `"${key}" and "${plain}" are both given: remove one of them`, key))
    return [plain, secretFile(reader, [...path, key], String(item))]
  })
  return Object.fromEntries(entries)
}

function tlsFile(reader: ProfileReader, path: Path, file: string): string | undefined {
  const text = contentOf(reader, path, file)
  if (keyOf(path) === 'key' && text !== undefined) reader.secrets.push(text)
  return text
}

/** Reads a file with a secret. A file of key shares contains several of them, separated by white space. */
function secretFile(reader: ProfileReader, path: Path, file: string): string | readonly string[] | undefined {
  const text = contentOf(reader, path, file)?.trim()
  const read = keyOf(path) === 'keySharesFile' ? text?.split(/\s+/) : text
  reader.secrets.push(...(typeof read === 'string' ? [read] : (read ?? [])))
  return read
}

function contentOf({ yaml, missing }: ProfileReader, path: Path, file: string): string | undefined {
  if (yaml.open.has(path.join('.'))) return undefined
  try {
    const most = sizeBounds.namedFile.value
    const expected = { what: 'a file with this value', most, mend: 'fix the path', mayBeEmpty: true }
    const text = readText(resolve(dirname(yaml.file), file), expected)
    if (text.trim() !== '') return text
  } catch (error) {
    if (!(error instanceof FileFault)) throw error
    if (missing && error.code === 'ENOENT') {
      missing.files.add(file)
      return undefined
    }
    throw new UsageError(yaml.fault(path, `"${path.join('.')}" names ${file}, which ${error.words}`))
  }
  throw new UsageError(yaml.fault(path, `"${path.join('.')}" names ${file}, which is empty: write the value into it`))
}
