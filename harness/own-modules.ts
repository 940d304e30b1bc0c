import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

const root = new URL('..', import.meta.url).href
const formats: Readonly<Record<string, string>> = { '.ts': 'module-typescript', '.js': 'module' }

const isOwn = (url: string | undefined): boolean =>
  url?.startsWith(root) === true && !url.startsWith('node_modules/', root.length)

const loaded = new Set<string>()

/** Returns the URLs of all files that `resolveAtOnce` has resolved so far, including those of packages; empty if it was
 * not called. */
export const loadedFiles = (): readonly string[] => [...loaded]

/** Registers a hook that resolves imports between files of this package without touching the disk. Their specifiers are
 * complete paths, and the extension determines the format. Node itself would look for links and for a `package.json`
 * for each file, which takes longer than loading it. The hook that was registered last runs first, so call this after
 * everything else that registers hooks in the thread. */
export function resolveAtOnce(): void {
  registerHooks({
    resolve(specifier, context, next) {
      if (isOwn(context.parentURL)) {
        if (specifier.startsWith('node:')) return { url: specifier, format: 'builtin', shortCircuit: true }
        const format = specifier.startsWith('.') && formats[specifier.slice(-3)]
        if (format) {
          const { href: url } = new URL(specifier, context.parentURL)
          loaded.add(url)
          return { url, format, shortCircuit: true }
        }
      }
      const found = next(specifier, context)
      if (found.url.startsWith('file:')) loaded.add(found.url)
      return found
    },
    load(url, context, next) {
      const { format } = context
      if (!format || format !== formats[url.slice(-3)] || !isOwn(url)) return next(url, context)
      return { format, source: readFileSync(fileURLToPath(url), 'utf8'), shortCircuit: true }
    },
  })
}
