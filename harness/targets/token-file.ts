/** The file in which `vault login` and `bao login` keep the token of this user. */
import { isAbsolute, join } from 'node:path'
import { FileFault, findText } from '../safety/files.ts'
import { sizeBounds } from '../vocabulary/index.ts'

const name = '.vault-token'
export const tokenFileWords = `~/${name}`

export interface TokenFile {
  readonly token?: string
  /** Why its token is not used, in words. */
  readonly unused?: string
}

/** Reads the file in the home that the environment names. Nobody asked for this file, so a fault of it ends no run. */
export function tokenFileIn({ HOME, USERPROFILE }: NodeJS.ProcessEnv): TokenFile {
  const home = HOME || USERPROFILE
  if (home === undefined || !isAbsolute(home)) return {}
  try {
    const token = findText(join(home, name), {
      what: 'a file of this user',
      most: sizeBounds.namedFile.value,
      mend: 'make it a file that only you can read, or set VAULT_TOKEN',
      ...{ own: true, secret: true, mayBeEmpty: true },
    })?.trim()
    return token ? { token } : {}
  } catch (error) {
    if (error instanceof FileFault) return { unused: `${tokenFileWords}, because it ${error.words}` }
    throw error
  }
}
