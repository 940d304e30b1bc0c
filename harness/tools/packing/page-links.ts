/** Changes the links of a page so that they are valid in the package, which has compiled files in `dist`, but
 * neither sources nor tests nor pages for contributors. */
import { dirname, join, normalize, relative } from 'node:path'

const block = /^ *```[\s\S]*?^ *```/gm
const link = /!?\[((?:[^[\]]|\[[^\]]*\])*)\]\(((?!https?:|#)[^)\s]+)\)/g

/** Returns the path in the package of the file or folder that a link leads to, or undefined if the package does not
 * contain it. */
function packedPathOf(path: string, packed: readonly string[]): string | undefined {
  const isPacked = (one: string): boolean =>
    packed.includes(one) || packed.some((file) => file.startsWith(`${one.replace(/\/$/, '')}/`))
  return [path, join('dist', path), join('dist', path.replace(/\.ts$/, '.js'))].find(isPacked)
}

/** Returns the text of a page with each link replaced by one to the file in the package. A link to a file that the
 * package does not contain becomes plain text. */
export function withLinksOfPackage(page: string, text: string, packed: readonly string[]): string {
  const withNewLinks = (part: string): string =>
    part.replace(link, (whole: string, words: string, target: string) => {
      const [path = '', anchor] = target.split('#')
      const packedPath = packedPathOf(normalize(join(dirname(page), path)), packed)
      if (packedPath === undefined) return words
      const newPath = relative(dirname(page), packedPath) + (path.endsWith('/') ? '/' : '')
      return whole.replace(`](${target})`, `](${newPath}${anchor === undefined ? '' : `#${anchor}`})`)
    })
  const blocks = text.match(block) ?? []
  return text
    .split(block)
    .map((part, index) => withNewLinks(part) + (blocks[index] ?? ''))
    .join('')
}
