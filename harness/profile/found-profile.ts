/** Finds the profile of a project: `assay.yaml` in the current folder or the nearest of its parents. */
import { lstatSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const profileName = 'assay.yaml'

export interface FoundProfile {
  /** Relative to the current folder; undefined if the file is not used. */
  readonly path: string | undefined
  /** Why a file that is there is not used. */
  readonly refused?: string
}

/** A profile decides where the token is sent, so a file that another account could have put there is not used. */
export function findProfile(folder: string, account = process.getuid?.()): FoundProfile | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, profileName)
    const stat = lstatSync(file, { throwIfNoEntry: false })
    if (stat) return judged(file, folder, [stat, lstatSync(at)], account)
    if (dirname(at) === at) return undefined
  }
}

interface Owned {
  readonly uid: number
  readonly mode: number
  isFile(): boolean
}

function judged(file: string, folder: string, [own, above]: readonly [Owned, Owned], account?: number): FoundProfile {
  const isForeign = account !== undefined && [own, above].some(({ uid }) => uid !== account)
  const isOpen = account !== undefined && [own, above].some(({ mode }) => (mode & 0o002) !== 0)
  if (own.isFile() && !isForeign && !isOpen) return { path: relative(folder, file) }
  const why = !own.isFile()
    ? 'it is not a file'
    : 'it or its folder belongs to another account, or anyone may change it'
  return {
    path: undefined,
    refused: `${relative(folder, file)} is not used, because ${why}; if you trust it, give it with --profile`,
  }
}
