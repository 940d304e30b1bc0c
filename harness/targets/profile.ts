/** The profile of a target: a YAML file in, one checked description with every secret read out. */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Facts } from '../vocabulary/index.ts'
import { loadDialect } from './dialects/index.ts'
import type { PluginFile } from './plugin-folder.ts'
import { isNumbered } from './product.ts'
import schema from './profile.schema.json' with { type: 'json' }
import type { RegionVariables } from './region-variables.ts'
import type { TlsSettings } from './target.ts'
import { UsageError } from './usage-error.ts'
import { assertShape, readYaml, type YamlFile } from './yaml-file.ts'

interface Principal {
  readonly token?: string
  readonly username?: string
  readonly password?: string
  readonly mount?: string
}

/** One server: its address and how to speak to it. */
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
  readonly control?: string
  readonly mounts?: Readonly<Record<string, string>>
  readonly principals?: Readonly<Record<string, Principal>>
  readonly clusterAddress?: string
  readonly clusters?: readonly ClusterProfile[]
  readonly forwarder?: { readonly listen: string; readonly advertise?: string }
  readonly provider?: { readonly listen: string; readonly advertise?: string }
  readonly pluginFiles?: readonly PluginFile[]
  readonly environment?: RegionVariables
  /** Every secret value the profile led to, for redaction. */
  readonly secrets: readonly string[]
}

/** Names of headers that carry credentials, whatever the target. */
const tellingHeader = /token|secret|api-?key|cookie|authorization/i
const tokenHeader = /^(x-vault-token|authorization)$/i
const secretKeys = new Set(['token', 'password', 'keyShares'])
/** Maps whose keys are the user's own words. */
const freeMaps = new Set<unknown>(['headers', 'mounts', 'forms', 'features'])

type Path = readonly (string | number)[]
const keyOf = (path: Path): string => String(path.findLast((part) => typeof part === 'string'))
const isSecretPath = (path: Path): boolean => secretKeys.has(keyOf(path)) && !freeMaps.has(path.at(-2))

/** Takes the names of variables that are not set, and of files that are not there. */
export interface Missing {
  readonly variables: Set<string>
  readonly files: Set<string>
}

/** Throws `UsageError` naming file, line, column and key. What is not there is a fault, unless `missing` takes its name:
 * then the value that it would give is left out. */
export function loadProfile(file: string, env: NodeJS.ProcessEnv, missing?: Missing): Profile {
  const yaml = readYaml(file, env, missing?.variables)
  if (isTree(yaml.value) && 'targets' in yaml.value)
    throw new UsageError(
      yaml.fault(
        [],
        'this profile lists several targets, and one is wanted here: give one of the profiles in it',
        'targets',
      ),
    )
  assertShape(yaml, schema)
  assertNoLiteralSecret(yaml, yaml.value, [])
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
    url: String(value.url ?? '').replace(/\/+$/, ''),
    headers: (value.headers ?? {}) as Record<string, string>,
    tls: { ...tls, insecure: tls.insecure ?? false },
    allowedHosts: (value.allowedHosts ?? []) as string[],
  }
}

/** A number that the family does not have would switch every newer statement on, or off, in silence. Another product
 * numbers its versions as it likes. */
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
    const other = key === 'version' ? ', or name another product in "declared.product"' : ''
    throw new UsageError(
      yaml.fault(
        ['declared', key],
        `no version of the ${dialect} family begins with ${major} (known are ${majors.join(', ')}): correct "declared.${key}"${other}`,
      ),
    )
  }
}

/** What the suites call clusters, by place: another one of that name would be taken for it. */
const takenNames = ['main', 'second', 'third']

/** A cluster that goes by the name of another one would be asked, and wiped, in its place. */
function assertClusterNames(yaml: YamlFile): void {
  const { clusters = [] } = yaml.value as { clusters?: readonly { name: string }[] }
  for (const [index, { name }] of clusters.entries()) {
    const isTaken = takenNames.includes(name) && takenNames[index + 1] !== name
    const isDouble = clusters.findIndex((one) => one.name === name) < index
    if (!isTaken && !isDouble && !/\s/.test(name)) continue
    const reason = isDouble ? 'another cluster has it' : isTaken ? 'it means another cluster' : 'it has a blank'
    throw new UsageError(yaml.fault(['clusters', index, 'name'], `"${name}" cannot name this cluster: ${reason}`))
  }
}

function assertNoLiteralSecret(yaml: YamlFile, value: unknown, path: Path): void {
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) assertNoLiteralSecret(yaml, item, [...path, index])
  if (isTree(value)) for (const [key, item] of Object.entries(value)) assertNoLiteralSecret(yaml, item, [...path, key])
  if (typeof value !== 'string') return
  const key = keyOf(path)
  const isHeader = path.at(-2) === 'headers'
  if (isHeader && tokenHeader.test(key))
    throw new UsageError(
      yaml.fault(
        path.slice(0, -1),
        `"${path.join('.')}" would go with every request, also where none may have a token: use "token"`,
        key,
      ),
    )
  if (yaml.substituted.has(path.join('.'))) return
  if (isHeader ? tellingHeader.test(key) : isSecretPath(path))
    throw new UsageError(
      yaml.fault(
        path,
        `"${path.join('.')}" holds a secret in plain text: write \${env:NAME}${isHeader ? '' : `, or use "${key}File"`}`,
      ),
    )
}

interface ProfileReader {
  readonly yaml: YamlFile
  readonly secrets: string[]
  readonly missing: Missing | undefined
}

/** Replaces `<key>File` by `<key>`, reads the files of `tls`, and notes every secret on the way. */
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
      throw new UsageError(yaml.fault(path, `"${key}" and "${plain}" are both there: keep one of the two`, key))
    return [plain, secretFile(reader, [...path, key], String(item))]
  })
  return Object.fromEntries(entries)
}

function tlsFile(reader: ProfileReader, path: Path, file: string): string | undefined {
  const text = contentOf(reader, path, file)
  if (keyOf(path) === 'key' && text !== undefined) reader.secrets.push(text)
  return text
}

/** A file of key shares holds several. */
function secretFile(reader: ProfileReader, path: Path, file: string): string | readonly string[] | undefined {
  const text = contentOf(reader, path, file)?.trim()
  const read = keyOf(path) === 'keySharesFile' ? text?.split(/\s+/) : text
  reader.secrets.push(...(typeof read === 'string' ? [read] : (read ?? [])))
  return read
}

function contentOf({ yaml, missing }: ProfileReader, path: Path, file: string): string | undefined {
  if (yaml.open.has(path.join('.'))) return undefined
  try {
    const text = readFileSync(resolve(dirname(yaml.file), file), 'utf8')
    if (text.trim() !== '') return text
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (missing && code === 'ENOENT') {
      missing.files.add(file)
      return undefined
    }
    throw new UsageError(
      yaml.fault(path, `"${path.join('.')}" names ${file}, which cannot be read (${code}): fix the path`),
    )
  }
  throw new UsageError(yaml.fault(path, `"${path.join('.')}" names ${file}, which is empty: write the value into it`))
}
