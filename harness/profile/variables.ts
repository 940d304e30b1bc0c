/** The environment variables by which the command lines of the family find their server. They are read for what neither
 * a flag nor a profile gives. */
import { type TokenFile, tokenFileIn } from '../targets/token-file.ts'
import { UsageError } from '../targets/usage-error.ts'

const parts = ['ADDR', 'TOKEN', 'CACERT', 'CAPATH', 'CLIENT_CERT', 'CLIENT_KEY', 'NAMESPACE', 'SKIP_VERIFY'] as const
type Part = (typeof parts)[number]

/** The first family that sets a variable is used as a whole: a token never goes to the address of the other family. */
const families = ['BAO', 'VAULT'] as const

export interface Variable {
  /** Such as `VAULT_ADDR`. */
  readonly name: string
  readonly value: string
}

export interface Variables {
  find(part: Part): Variable | undefined
  /** Variables that are set and not used, and why, in words. */
  readonly unused: string | undefined
  /** Reads the token that the user has stored, which is for the same servers. */
  stored(): TokenFile
}

export const noVariables: Variables = { find: () => undefined, unused: undefined, stored: () => ({}) }

const setIn = (family: string, env: NodeJS.ProcessEnv): readonly Variable[] =>
  parts.flatMap((part) => {
    const name = `${family}_${part}`
    const value = env[name]
    return value ? [{ name, value }] : []
  })

const namesOf = (variables: readonly Variable[]): string => variables.map(({ name }) => name).join(', ')

/** Returns what names the server: `VAULT_ADDR`, or `BAO_ADDR` if any variable of that family is set. */
export function addressIn(env: NodeJS.ProcessEnv): Variable | undefined {
  const address = familyOf(env).find('ADDR')
  const empty = families.map((family) => `${family}_ADDR`).find((name) => env[name] === '')
  // A CI sets it so where its secret is missing, and would not notice that another server is judged.
  if (address === undefined && empty !== undefined)
    throw new UsageError(`${empty} is empty: set it to the address of the server, or unset it`)
  return address
}

function familyOf(env: NodeJS.ProcessEnv): Variables {
  const [used, ...others] = families.map((family) => setIn(family, env)).filter(({ length }) => length > 0)
  const stored = () => tokenFileIn(env)
  if (!used) return { ...noVariables, stored }
  const other = others.flat()
  return {
    find: (part) => used.find(({ name }) => families.some((family) => name === `${family}_${part}`)),
    unused: other.length > 0 ? `${namesOf(other)}, because ${used[0]?.name} is set` : undefined,
    stored,
  }
}

/** Returns the variables that are for this server. If they name another one, none of them are: a token must not be sent
 * to a server that it was not meant for. Where nobody typed the address, they have to name this one. */
export function variablesFor(url: string, env: NodeJS.ProcessEnv, isTyped = true): Variables {
  const family = familyOf(env)
  const address = family.find('ADDR')
  if (address === undefined ? isTyped : URL.parse(address.value)?.origin === new URL(url).origin) return family
  const rest = parts.flatMap((part) => (part === 'ADDR' ? [] : (family.find(part) ?? [])))
  return { ...noVariables, unused: rest.length > 0 ? `${namesOf(rest)}, because ${whyNot(address)}` : undefined }
}

const whyNot = (address: Variable | undefined): string =>
  address ? `${address.name} names another server` : 'the address is only in a file that was found'

/** Parses what the command lines of the family accept for a yes or a no. */
export function isOn({ name, value }: Variable): boolean {
  if (/^(1|t|true)$/i.test(value)) return true
  if (/^(0|f|false)$/i.test(value)) return false
  throw new UsageError(`${name} is neither true nor false: set it to one of them, or unset it`)
}
