/** Links of a page as they hold in the package, which has compiled files in `dist` and no sources, tests or pages on how to
 * work on Assay. */
import { dirname, join, normalize, relative } from 'node:path'

const block = /^ *```[\s\S]*?^ *```/gm
const link = /!?\[((?:[^[\]]|\[[^\]]*\])*)\]\(((?!https?:|#)[^)\s]+)\)/g

/** Where the package has what a link leads to; undefined where it has not. */
function placeOf(path: string, packed: readonly string[]): string | undefined {
  const isThere = (place: string): boolean =>
    packed.includes(place) || packed.some((file) => file.startsWith(`${place.replace(/\/$/, '')}/`))
  return [path, join('dist', path), join('dist', path.replace(/\.ts$/, '.js'))].find(isThere)
}

/** Returns the text of a page with each link led to its place in the package. Of a link to what is not there, the words stay. */
export function withLinksOfPackage(page: string, text: string, packed: readonly string[]): string {
  const mend = (part: string): string =>
    part.replace(link, (whole: string, words: string, target: string) => {
      const [path = '', anchor] = target.split('#')
      const place = placeOf(normalize(join(dirname(page), path)), packed)
      if (place === undefined) return words
      const leads = relative(dirname(page), place) + (path.endsWith('/') ? '/' : '')
      return whole.replace(`](${target})`, `](${leads}${anchor === undefined ? '' : `#${anchor}`})`)
    })
  const blocks = text.match(block) ?? []
  return text
    .split(block)
    .map((part, index) => mend(part) + (blocks[index] ?? ''))
    .join('')
}
