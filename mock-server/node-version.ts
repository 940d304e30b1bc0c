/** This is the first import of the server, so that an old version of Node fails with a clear message before it runs
 * into a missing feature. */

const needed = [22, 19] as const

/** Returns why the server cannot run on this version of Node, and undefined if it can. */
export function reasonAgainst(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > needed[0] || (major === needed[0] && minor >= needed[1])) return undefined
  return `assay/mock-server needs Node ${needed.join('.')} or newer, and this is Node ${version}: install a newer one`
}

const reason = reasonAgainst(process.versions.node)
if (reason !== undefined) throw new Error(reason)
