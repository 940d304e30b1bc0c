/** The first import of the suites and the judge: an old Node is reported in a sentence before anything fails that it
 * does not support. The command line does this in `harness/assay.js`, the reference server in a file of its own. */

const needed = [22, 19] as const

/** Returns why suites and judge cannot run on this version of Node; undefined if they can. */
export function reasonAgainst(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > needed[0] || (major === needed[0] && minor >= needed[1])) return undefined
  return `assay needs Node ${needed.join('.')} or newer, and this is Node ${version}: install a newer one`
}

const reason = reasonAgainst(process.versions.node)
if (reason !== undefined) throw new Error(reason)
